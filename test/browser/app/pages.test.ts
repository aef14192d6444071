/** The pages of the web client with real data: what they show, that they can be reached by keyboard, and that they keep quiet. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openClient } from '../../../src/client-build/open-client.ts';
import { createLogger } from '../../../src/log.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { describeWithChromium } from '../chart-page.ts';
import { openBrowser, openTab, seriousFindings, whole } from './browser.ts';

/** Pages are quick; a machine that does much else is not. */
jest.setTimeout(60_000);

const PAGES = [
  ['the chip', '/chips/demo-64?qubits=0,3', 'demo-64'],
  ['a qubit', '/chips/demo-64/qubits/12', 'Q12'],
  ['the settings', '/settings', 'Settings'],
  ['no page', '/nowhere', 'There is no such page'],
  ['no chip', '/chips/nothing', 'There is no chip nothing'],
  ['no qubit', '/chips/demo-64/qubits/999', 'demo-64 has no qubit 999'],
] as const;

describeWithChromium('pages', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    const client = openClient(createLogger('silent'));
    [app, browser] = await Promise.all([
      createTestApp({ demo: true, readsMuch: true, client }),
      openBrowser(),
    ]);
    await client.settled;
    expect(client.state()).toMatchObject({ kind: 'ready' });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const open = async (path: string, options = {}) => {
    const tab = await openTab(browser, app.url + path, options);
    await whole(tab.page);
    return tab;
  };
  const headings = (page: Page): Promise<readonly string[]> => page.locator('main h2').allTextContents();

  test.each(PAGES)(
    '%s: nothing serious for axe, no complaint, light and dark',
    async (_name, path, title) => {
      const { page, complaints } = await open(path);
      expect(await page.locator('h1').first().textContent()).toBe(title);
      expect([await seriousFindings(page), complaints]).toEqual([[], []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await whole(page);
      expect([await seriousFindings(page), complaints]).toEqual([[], []]);
      await page.context().close();
    },
  );

  test.each<readonly string[]>(PAGES.slice(0, 3))(
    '%s: nothing reaches out of the screen, from a phone to a wall',
    async (_name, path = '') => {
      const { page } = await open(path, { viewport: { width: 390, height: 844 } });
      for (const width of [390, 1920]) {
        await page.setViewportSize({ width, height: 844 });
        await whole(page);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      await page.context().close();
    },
  );

  test('the way from the address to a qubit: chip, heatmap cell, qubit, back', async () => {
    const { page } = await open('/');
    await page.waitForURL('**/chips/demo-64');
    await whole(page);
    expect(await headings(page)).toEqual([
      'Health',
      expect.stringMatching(/^Needs attention \(\d+\)$/),
      'Medians over the chip',
      'T1 on the chip',
      'Distribution',
      'T1 over time',
      'Qubits',
      'Recent executions',
      'Recent failures',
    ]);
    const drag = page.locator('section', { hasText: 'T1 on the chip' }).locator('.nsewdrag').first();
    const box = (await drag.boundingBox())!;
    await page.mouse.click(box.x + box.width / 16, box.y + box.height / 16);
    await page.waitForURL('**/qubits/0');
    await page.getByRole('heading', { name: 'Q00' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'demo-64' }).waitFor();
  });

  test('what is looked at stands in the address, and comes from there', async () => {
    const { page } = await open('/chips/demo-64?metric=t2_echo&take=BEST&hours=168');
    expect(await page.getByRole('combobox', { name: 'Metric' }).inputValue()).toBe('T2 Echo');
    expect(await page.getByLabel('Best').isChecked()).toBe(true);
    await page.getByText('Average', { exact: true }).click();
    await page.getByLabel('Draw the trend of Q03').click();
    await page.waitForURL(/metric=t2_echo&take=AVERAGE&hours=168&qubits=3$/);
    await whole(page);
    expect(await headings(page)).toContain('T2 Echo over time');
  });

  test('by keyboard alone: skip link, sorting, picking, a qubit', async () => {
    const { page } = await open('/chips/demo-64');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main-content');
    await page.getByRole('button', { name: 'T1 (μs)' }).focus();
    await page.keyboard.press('Enter');
    const first = page.locator('tbody tr[aria-rowindex="2"]');
    expect(await first.locator('a').textContent()).toBe('Q45');
    await first.locator('input').focus();
    await page.keyboard.press('Space');
    await page.waitForURL(/qubits=45$/);
    await first.locator('a').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/qubits/45');
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
    expect(await results.getByText('Completed').count()).toBe(0);
  });

  test('Japanese for those who read it, chosen in the page and kept', async () => {
    const { page } = await open('/settings', { locale: 'ja-JP' });
    expect(await page.locator('h1').textContent()).toBe('設定');
    expect(await page.getAttribute('html', 'lang')).toBe('ja');
    await page.getByRole('button', { name: '言語' }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    expect(await page.locator('h1').textContent()).toBe('Settings');
    await page.reload();
    await whole(page);
    expect(await page.locator('h1').textContent()).toBe('Settings');
  });

  test('without a network it says so, and a page that could not be loaded can be tried again', async () => {
    const { page } = await open('/settings');
    await page.context().setOffline(true);
    await page.getByText('You are offline').first().waitFor();
    await page.context().setOffline(false);
    await page.route('**/graphql', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The server does not answer').first().waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Usage today' }).waitFor();
  });
});
