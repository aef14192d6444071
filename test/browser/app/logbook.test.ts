/** Into the logbook, in a browser: rich text, Markdown, picture and paper have title, dates, sources and link, and run nothing. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import type { Download, Page } from 'playwright-core';
import { describeWithChromium } from '../chromium.ts';
import { askIn } from '../copilot/copilot-browser.ts';
import { becomes } from '../until.ts';
import { seriousFindings } from './browser.ts';
import { demoPages } from './demo-pages.ts';

const QUESTION = 'Show a histogram of T2 echo on demo-64';
const HOSTILE = 'Say **this** <img src=x onerror=alert(1)>';

describeWithChromium('logbook', () => {
  const demo = demoPages();
  const { open } = demo;

  /** An answer with a chart and a table, and its menu. */
  async function answered() {
    const tab = await open('/copilot', {
      permissions: ['clipboard-read', 'clipboard-write'],
      acceptDownloads: true,
    });
    const { page } = tab;
    await askIn(page, QUESTION);
    const choose = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'Put into a logbook' }).last().click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    return { ...tab, choose };
  }

  /** Read again if the page writes something else meanwhile. */
  const clipboard = async (page: Page, type: string): Promise<string> => {
    const read = `navigator.clipboard.read()
      .then(async ([item]) => item.types.includes('${type}') ? (await item.getType('${type}')).text() : '')
      .catch((error) => { if (error.name !== 'InvalidStateError') throw error; return null; })`;
    return (await page.evaluate<string | null>(read)) ?? clipboard(page, type);
  };
  const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path());

  test('an answer is copied as rich text and as Markdown, saved as a picture, and printed alone', async () => {
    const { page, choose, complaints } = await answered();
    await page.getByRole('button', { name: 'Put into a logbook' }).click();
    await page.getByRole('menuitem', { name: 'Copy as rich text' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await choose('Copy as rich text');
    await page.getByText('Copied: title, dates').first().waitFor();
    const html = await clipboard(page, 'text/html');
    expect(html).toMatch(/<h1>Show a histogram of T2 echo on demo-64<\/h1>.*Chip: demo-64/u);
    expect(html).toMatch(/stored results: \d{4}-\d\d-\d\d \d\d:\d\d UTC – .* UTC/u);
    expect(html).toMatch(/<img src="data:image\/png;base64,[^"]{2000,}"/u);
    expect(html).toContain('<table');
    expect(html).not.toMatch(/<script|<button|<svg| on\w+=|<img src="x|style="[^"]*url/u);
    const plain = await clipboard(page, 'text/plain');

    await choose('Copy as Markdown');
    await becomes(() => clipboard(page, 'text/html'), '');
    const markdown = await clipboard(page, 'text/plain');
    expect(markdown).toBe(plain);
    expect(markdown).toMatch(/^# Show a histogram of T2 echo on demo-64\n\n- Chip: demo-64\n/u);
    expect(markdown).toContain(`- Link: <${demo.app.url}/projects/demo/copilot/`);
    const link = /Link: <(.*)>/u.exec(markdown)?.[1] ?? '';

    const [card] = await Promise.all([page.waitForEvent('download'), choose('Download as PNG card')]);
    expect(card.suggestedFilename()).toMatch(/^Show a histogram of T2 echo.*\.png$/u);
    const png = await bytesOf(card);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20) > 1_600]).toEqual([2_400, true]);

    await page.evaluate(
      `new MutationObserver(() => { for (const frame of document.querySelectorAll('iframe')) {
         frame.contentWindow.print = () => { window.printed = frame.contentDocument.documentElement.outerHTML; }; } })
       .observe(document.body, { childList: true })`,
    );
    await choose('Print, or save as PDF');
    await becomes(async () => typeof (await page.evaluate('window.printed')), 'string');
    const paper = String(await page.evaluate('window.printed'));
    expect(paper).toContain('<h1>Show a histogram');
    expect(paper).not.toContain('Put into a logbook');

    await page.goto(link);
    await page.locator('article[data-linked=true]').waitFor();

    await askIn(page, HOSTILE);
    await becomes(() => page.getByRole('button', { name: 'Put into a logbook' }).count(), 2);
    await choose('Copy as rich text');
    await becomes(
      async () => /<h1>.*?<\/h1>/u.exec(await clipboard(page, 'text/html'))?.[0],
      '<h1>Say **this** &lt;img src=x onerror=alert(1)&gt;</h1>',
    );
    expect(await clipboard(page, 'text/html')).not.toContain('<img src="x');
    expect(complaints).toEqual([]);
  });

  test('a table is saved as Parquet with its numbers', async () => {
    const { page, complaints } = await answered();
    await page.getByRole('button', { name: /^Evidence/u }).click();
    const save = page.getByRole('button', { name: /^Save .* as Parquet$/u }).first();
    const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
    const bytes = await bytesOf(saved);
    const rows = await parquetReadObjects({ file: Uint8Array.from(bytes).buffer });
    expect(rows.length).toBeGreaterThan(0);
    expect(Object.values(rows[0] ?? {}).some((value) => typeof value === 'number')).toBe(true);
    expect(complaints).toEqual([]);
  });
});
