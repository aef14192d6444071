/** The map of a chip in a browser: pointed at, walked over, selected from, enlarged and saved. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Download, Page } from 'playwright-core';
import { makeChip } from '../../../bench/chip-documents.ts';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { becomes, until } from '../until.ts';
import { openTab, seriousFindings, wearColors, whole } from './browser.ts';

/** Of a qubit's box in which its number can be read. */
const LEGIBLE_PX = 13;
const pictures = process.env['QPILOT_PICTURES'];

const textOf = async (download: Download): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

describeWithChromium('the map of a chip', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    const client = await builtClient();
    const chips = [makeChip({ qubits: 156, results: 1 }), makeChip({ qubits: 1_024, results: 1 })];
    [app, browser] = await Promise.all([createTestApp({ demo: true, chips, client }), openBrowser()]);
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const open = async (path: string, options = {}) => {
    const tab = await openTab(browser, app.url + path, options);
    await whole(tab.page);
    return tab;
  };
  const map = (page: Page) => page.getByRole('listbox');
  const part = (page: Page, name: RegExp) => map(page).getByRole('option', { name }).first();
  const active = (page: Page): Promise<unknown> =>
    page.evaluate(
      'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.ariaLabel.split(".")[0]',
    );

  test('has every qubit and every coupling, and says what is pointed at', async () => {
    const { page, complaints } = await open('/chips/demo-64');
    await becomes(() => map(page).getByRole('option').count(), 64 + 112);
    await part(page, /^Q09\./).hover();
    await page
      .getByText(/^T1: [\d.]+ μs/)
      .first()
      .waitFor();
    await part(page, /^Q00-Q02\./).hover({ force: true });
    await page
      .getByText(/^ZX90 Gate Fidelity: [\d.]+%/)
      .first()
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await wearColors(page, 'dark');
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('is walked over with the arrow keys, to the couplings and back, and opens a qubit', async () => {
    const { page } = await open('/chips/demo-64');
    await map(page).focus();
    await becomes(() => active(page), 'Q00');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await becomes(() => active(page), 'Q03');
    await page.keyboard.press('c');
    await becomes(() => active(page), expect.stringMatching(/^Q\d\d-Q\d\d$/));
    await page.keyboard.press('Space');
    await page.getByText('1 coupling selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 coupling selected').waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/qubits\/\d+\?parameter=\w+$/);
  });

  test('leads to the page of a coupling: its values, their history, its two qubits and what was run', async () => {
    const { page, complaints } = await open('/chips/demo-64');
    await part(page, /^Q00-Q02\./).click({ force: true });
    await page.waitForURL(/\/couplings\/0-2(?:\?|$)/);
    await whole(page);
    await page.getByRole('heading', { level: 1, name: 'Q00-Q02' }).waitFor();
    await page.getByRole('group', { name: 'ZX90 Gate Fidelity over time' }).waitFor();
    await becomes(
      () =>
        page
          .locator('main')
          .getByRole('link', { name: /^Q\d+$/ })
          .allInnerTexts(),
      ['Q00', 'Q02'],
    );
    await page.getByText('CheckBellStateTomography').first().waitFor();
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
    await page.goto(`${app.url}/chips/demo-64/couplings/0-63`);
    await page.getByRole('heading', { name: 'Coupling 0-63 not found on demo-64' }).waitFor();
  });

  test('parts are selected with a box, to ask about them', async () => {
    const { page } = await open('/chips/demo-64');
    await map(page).scrollIntoViewIfNeeded();
    const first = (await part(page, /^Q00\./).boundingBox())!;
    await page.mouse.move(first.x - 3, first.y - 3);
    await page.mouse.down();
    await page.mouse.move(first.x + 2.6 * first.width, first.y + first.height + 3, { steps: 4 });
    await page.mouse.up();
    const selection = page.getByRole('group', { name: 'Selection on the map' });
    await becomes(() => selection.getByRole('status').innerText(), '2 qubits and 1 coupling selected');
    await selection.getByRole('button', { name: 'Ask about them' }).click();
    const message = page.getByRole('textbox', { name: 'Message' });
    await becomes(
      () => message.inputValue(),
      expect.stringMatching(/^What is known about Q00, Q01, Q\d\d-Q\d\d\?$/),
    );
  });

  test('shows states, and changes since a time, as the address says', async () => {
    const { page } = await open('/chips/demo-64?color=state');
    await page
      .getByText(/^Usable \d+$/)
      .first()
      .waitFor();
    // Of the test's week, in which qubits are measured every day and couplings every fourth.
    await page.goto(`${app.url}/chips/demo-64?since=2026-05-18`);
    await whole(page);
    await page.getByText('Change of T1', { exact: true }).waitFor();
    await page.getByText('Change of ZX90 Gate Fidelity', { exact: true }).waitFor();
    await part(page, /^Q00-Q02\./).hover({ force: true });
    await page.getByText(/^Difference: [+−][\d.]+%/).waitFor();
    await page.goto(`${app.url}/chips/demo-64?chip=bench-156-1`);
    await page.getByText('Change of T1', { exact: true }).waitFor();
  });

  test('is saved with its title, its chip and its colour scales', async () => {
    const { page } = await open('/chips/demo-64');
    const save = async (kind: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Save the map as ${kind}` }).click(),
      ]);
      return textOf(download);
    };
    const svg = (await save('SVG')).toString('utf8');
    expect(svg).toContain('T1 and ZX90 Gate Fidelity on demo-64</text>');
    expect(svg.match(/<linearGradient/g)).toHaveLength(2);
    expect(svg).toMatch(/demo-64 · \w+ \d+, \d{4}/);
    expect(svg).not.toMatch(/role=|data-part|aria-/);
    const png = await save('PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(1_000);
  });

  test.each([
    ['demo-64', 64],
    ['bench-156-1', 156],
    ['bench-1024-1', 1_024],
  ])('of %s is legible on a phone and at full size', async (chipId, qubits) => {
    const { page, complaints } = await open(`/chips/${chipId}`, { viewport: { width: 390, height: 844 } });
    const options = map(page).getByRole('option', { name: /^Q\d+\./ });
    await until(async () => (await options.count()) === qubits, { what: 'all qubits' });
    const boxPx = async () => (await options.first().locator('rect').boundingBox())!.width;
    expect(await boxPx()).toBeGreaterThanOrEqual(LEGIBLE_PX);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await map(page).scrollIntoViewIfNeeded();
    if (pictures) await page.screenshot({ path: `${pictures}/map-${qubits}-phone.png` });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Show the map full size' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('option', { name: /^Q\d+\./ })
      .first()
      .waitFor();
    // As large as the screen is high or wide.
    await until(
      async () => {
        const { width, height } = (await dialog.getByRole('listbox').boundingBox())!;
        return width > 1_300 || height > 660;
      },
      { what: 'a map that fills the screen' },
    );
    expect(await boxPx()).toBeGreaterThanOrEqual(LEGIBLE_PX);
    if (pictures) await page.screenshot({ path: `${pictures}/map-${qubits}-full.png` });
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
  });
});
