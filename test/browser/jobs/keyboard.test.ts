/** From an expert to a report without a pointer. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { becomes, until } from '../until.ts';
import { seriousFindings, whole } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { startCopilotBrowser, type CopilotBrowser } from '../copilot/copilot-browser.ts';

const MOST_TABS = 80;

describeWithChromium('a job by keyboard alone', () => {
  let it: CopilotBrowser;
  let page: Page;
  beforeAll(async () => {
    it = await startCopilotBrowser({ demo: true });
  });
  afterAll(() => it?.close());

  const NAME = `document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent
    ?? document.activeElement.textContent`;
  /** Presses Tab until the focus is on what has the name. */
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < MOST_TABS; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate<string>(NAME)).includes(name)) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  const description = () => page.getByRole('textbox', { name: 'Short description' });
  const isDescribed = (words: string) =>
    until(async () => (await description().inputValue()) === words, { what: words });

  test('chooses, describes, lets the builder write, takes that back, starts, and reads the report', async () => {
    page = await it.open('/jobs/new');
    await whole(page);
    await tabTo('Researcher');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Researcher', pressed: true }).waitFor();
    await tabTo('Short description');
    await page.keyboard.type('Why did T1 of Q27 fall?');
    await tabTo('Message to the builder');
    await page.keyboard.type('Describe it as Something else.');
    await page.keyboard.press('Enter');
    await isDescribed('Something else');
    const undo = page.getByRole('button', { name: 'Undo this turn' });
    await undo.waitFor();
    await page.keyboard.press('Shift+Tab');
    while (!(await undo.evaluate((button) => button === document.activeElement))) {
      await page.keyboard.press('Shift+Tab');
    }
    await page.keyboard.press('Enter');
    await isDescribed('Why did T1 of Q27 fall?');
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Home');
    while (!(await description().evaluate((field) => field === document.activeElement))) {
      await page.keyboard.press('Shift+Tab');
    }
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { level: 1, name: 'Why did T1 of Q27 fall?' }).waitFor();
    const report = page.getByRole('region', { name: 'Report' });
    await report.getByRole('heading', { name: 'Result' }).waitFor();
    await tabTo('[1]');
    await page.keyboard.press('Enter');
    await becomes(() => page.evaluate('location.hash'), '#reference-1');
    await it.picture(page, 'job-by-keyboard');
    expect(it.complaints).toEqual([]);
  });
});
