/** The pages of the web client with real data: what they show, and what can be done with them. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { askIn } from '../copilot/copilot-browser.ts';
import { becomes, until } from '../until.ts';
import { describeWithChromium } from '../chromium.ts';
import { seriousFindings, whole } from './browser.ts';
import { demoPages } from './demo-pages.ts';

describeWithChromium('pages', () => {
  const { open } = demoPages();
  const headings = (page: Page): Promise<readonly string[]> => page.locator('main h2').allTextContents();

  test('the way from the address to a qubit: chip, its place on the map, qubit, back', async () => {
    const { page } = await open('/');
    await page.waitForURL('**/chips/demo-64');
    await whole(page);
    await becomes(
      () => headings(page),
      [
        'Health',
        expect.stringMatching(/^Needs attention \(\d+\)$/),
        'Medians across the chip',
        'What changed',
        'T1 on the chip',
        'Distribution',
        'T1 over time',
        'Qubits',
        'Recent executions',
        'Recent failures',
      ],
    );
    await page.getByRole('option', { name: /^Q00\./ }).click();
    await page.waitForURL('**/qubits/0?parameter=t1');
    await page.getByRole('heading', { name: 'Q00' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'demo-64' }).waitFor();
  });

  test('what is looked at stands in the address, and comes from there', async () => {
    const { page } = await open('/chips/demo-64?metric=t2_echo&take=BEST&hours=168');
    await becomes(() => page.getByRole('combobox', { name: 'Metric' }).inputValue(), 'T2 Echo');
    await becomes(() => page.getByLabel('Best').isChecked(), true);
    await page.getByText('Average', { exact: true }).click();
    await page.getByLabel('Show the trend of Q03').click();
    await page.waitForURL(/metric=t2_echo&take=AVERAGE&hours=168&qubits=3$/);
    await whole(page);
    await becomes(() => headings(page), expect.arrayContaining(['T2 Echo over time']));
  });

  test('what changed, ended alerts and narrowed results stand in the address, too, and come from there', async () => {
    const { page } = await open('/chips/demo-64?metric=t1');
    await page.getByRole('combobox', { name: 'Since', exact: true }).click();
    await page.getByRole('option', { name: 'In the last 7 days' }).click();
    await page.getByText('By percent', { exact: true }).click();
    await page.waitForURL(/metric=t1&changed=168h&rank=SHARE$/);
    await page.getByText('Average', { exact: true }).click();
    await page.waitForURL(/metric=t1&take=AVERAGE&changed=168h&rank=SHARE$/);
    await page.reload();
    await whole(page);
    await becomes(
      () => page.getByRole('combobox', { name: 'Since', exact: true }).inputValue(),
      'In the last 7 days',
    );
    expect(await page.getByRole('radio', { name: 'By percent' }).isChecked()).toBe(true);
    await page.goto(page.url().replace(/\?.*/, '?changed=2026-05-17'));
    await whole(page);
    await becomes(() => page.locator('input[type=date]').first().inputValue(), '2026-05-17');

    await page.goto(
      page.url().replace(/\/chips.*/, '/chips/demo-64/qubits/45?task=CheckT1&status=COMPLETED'),
    );
    await whole(page);
    await becomes(() => page.getByRole('combobox', { name: 'Task' }).inputValue(), 'CheckT1');
    await page.goto(page.url().replace(/\/chips.*/, '/alerts?ended'));
    await whole(page);
    await becomes(
      () => page.getByRole('button', { name: 'Alerts that ended' }).getAttribute('aria-expanded'),
      'true',
    );
  });

  test('a number of an answer, the age of a value and a point of a history lead to their record, and back', async () => {
    const { page, complaints } = await open('/copilot');
    await askIn(page, 'What is the T1 of Q12 on demo-64?');
    const number = page
      .getByRole('article')
      .getByRole('link', { name: /^\d+\.\d+$/ })
      .first();
    const record = page.getByRole('region', { name: 'The record of the link' });
    const link = await number.getAttribute('href');
    await number.click();
    await record.getByText('CheckT1', { exact: true }).waitFor();
    const taskId = link?.split('/').at(-1) ?? '?';
    for (const words of [taskId, 'May 1', 'stored result of execution'])
      expect(await record.textContent()).toContain(words);
    await page.goBack();
    await number.waitFor();
    await page.goto(new URL(link ?? '', page.url()).href);
    await record.getByText(taskId).waitFor();
    await page.goto(page.url().replace(/\?.*/, '?parameter=t1'));
    await whole(page);
    await page.locator(`table a[href$="${taskId}"]`).first().click();
    await record.getByText(taskId).waitFor();
    await page.goBack();
    await whole(page);
    const chart = page.getByRole('group', { name: /T1 over time/ });
    const point = (await chart.locator('.points path').last().boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(point.x + 2, point.y + 2);
    await record.getByText('CheckT1', { exact: true }).waitFor();
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
  });

  test('by keyboard alone: skip link, sorting, picking, a qubit', async () => {
    const { page } = await open('/chips/demo-64');
    await page.keyboard.press('Tab');
    await becomes(() => page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    await becomes(() => page.evaluate('document.activeElement.id'), 'main-content');
    await page.getByRole('button', { name: 'T1 (μs)' }).focus();
    await page.keyboard.press('Enter');
    const first = page.locator('tbody tr[aria-rowindex="2"]');
    await becomes(() => first.locator('a').textContent(), 'Q45');
    await first.locator('input').focus();
    await page.keyboard.press('Space');
    await page.waitForURL(/qubits=45$/);
    await first.locator('a').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/qubits/45*');
  });

  test('by a few letters from anywhere, and the focus goes along', async () => {
    const { page } = await open('/settings');
    await page.keyboard.press('Control+k');
    const field = page
      .getByRole('dialog', { name: 'Go to' })
      .getByPlaceholder('A page, chip, qubit or conversation');
    await field.waitFor();
    await field.fill('demo');
    await page.getByRole('option', { name: 'demo-64' }).first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await field.press('Enter');
    await page.waitForURL('**/chips/demo-64');
    await until(async () => (await page.evaluate('document.activeElement.id')) === 'main-content', {
      what: 'the focus on the page',
    });
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.getByRole('option').nth(12).waitFor({ state: 'attached' });
    expect(await seriousFindings(page)).toEqual([]); // a list that scrolls
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  test('the table is saved as it is sorted', async () => {
    const { page } = await open('/chips/demo-64');
    await page.getByRole('button', { name: 'T1 (μs)' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save demo-64 Qubits as CSV' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString('utf8').split('\r\n');
    expect(lines).toHaveLength(65);
    expect(lines[0]).toContain('T1 (μs)');
    expect(lines[1]).toContain('Q45');
  });

  test('task results are narrowed and go on', async () => {
    const { page } = await open('/chips/demo-64/qubits/12');
    const results = page.locator('section', { hasText: 'Task results' });
    await results.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await results.getByText('discarded').first().waitFor();
    await becomes(() => results.getByText('Completed').count(), 0);
  });

  test('Japanese for those who read it, chosen in the page and kept', async () => {
    const { page } = await open('/settings', { locale: 'ja-JP' });
    await becomes(() => page.locator('h1').textContent(), '設定');
    await becomes(() => page.getAttribute('html', 'lang'), 'ja');
    await page.getByRole('button', { name: '言語' }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await becomes(() => page.locator('h1').textContent(), 'Settings');
    await page.reload();
    await whole(page);
    await becomes(() => page.locator('h1').textContent(), 'Settings');
  });

  test('from the dark onto paper: light, charts too, and nothing that is pressed', async () => {
    const { page } = await open('/chips/demo-64', { colorScheme: 'dark' });
    const axis = page.locator('.js-plotly-plot .ytitle').first();
    await axis.scrollIntoViewIfNeeded();
    // Read in the very event that printing waits for.
    await page.evaluate(`matchMedia('print').addEventListener('change', () => queueMicrotask(() => {
      const colors = ['main h1', '.js-plotly-plot .ytitle', 'main section']
        .map((at) => getComputedStyle(document.querySelector(at)))
        .map(({ color, fill }, index) => index === 1 ? fill : color);
      window.paper ??= colors.map((each) => each.match(/[\\d.]+/g).slice(0, 3).every((part) => Number(part) < 100));
    }))`);
    await page.pdf({ format: 'A4' });
    expect(await page.evaluate('window.paper')).toEqual([true, true, true]);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=light]').waitFor();
    const shown = await page.locator('body').innerText();
    expect(shown).toContain('Needs attention');
    for (const pressed of ['Skip to content', 'Explain', 'Save demo-64 Qubits as CSV'])
      expect(shown).not.toContain(pressed);
    expect(await page.getByRole('button', { name: /^Mute/ }).count()).toBe(0);
  });

  test('without a network it says so, and a page that could not be loaded can be tried again', async () => {
    const { page } = await open('/settings');
    await page.context().setOffline(true);
    await page.getByText('You are offline').first().waitFor();
    await page.context().setOffline(false);
    await page.route('**/graphql', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The server is not responding').first().waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Usage today' }).waitFor();
  });
});
