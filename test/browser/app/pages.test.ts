/** The pages of the web client with real data: what they show, and what can be done with them. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
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
    await page.waitForURL('**/qubits/0');
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
    await page.waitForURL('**/qubits/45');
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
