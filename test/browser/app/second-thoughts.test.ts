/** Nothing of a person's work goes by one click: it is asked before, or can be undone after. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { describeWithChromium } from '../chromium.ts';
import { startCopilotBrowser, type CopilotBrowser } from '../copilot/copilot-browser.ts';
import { becomes } from '../until.ts';
import { seriousFindings, whole } from './browser.ts';

describeWithChromium('second thoughts', () => {
  let chromium: CopilotBrowser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    chromium = await startCopilotBrowser({ demo: true });
    context = await chromium.browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' });
    page = await chromium.open('/jobs/new?expert=researcher', { context });
    await whole(page);
  });
  afterAll(() => chromium.close());
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const temperature = () => page.getByRole('textbox', { name: 'Temperature as a number' });
  const description = () => page.getByRole('textbox', { name: 'Short description' });

  test('settings that were reset come back, and what was typed since stays', async () => {
    const before = await temperature().inputValue();
    await temperature().fill('0.65');
    await button('Reset all settings').click();
    await becomes(() => temperature().inputValue(), before);
    await description().fill('Typed since');
    await page.getByText('All settings were reset').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Undo').click();
    await becomes(() => temperature().inputValue(), '0.65');
    expect(await description().inputValue()).toBe('Typed since');
  });

  test('instructions that were cleared come back', async () => {
    await button('Edit instructions').click();
    const text = page.locator('.cm-content').first();
    await text.press('Control+End');
    await page.keyboard.type('\nMy own line');
    await button('Clear').click();
    await becomes(() => text.innerText(), expect.not.stringContaining('My own line'));
    await button('Undo').click();
    await becomes(() => text.innerText(), expect.stringContaining('My own line'));
  });

  test('a draft is discarded only after it was named', async () => {
    await button('Discard the draft').click();
    const dialog = page.getByRole('dialog', { name: 'Discard this draft?' });
    await dialog.getByText('“Typed since”').waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await description().inputValue()).toBe('Typed since');
  });

  test('a page is left with unsaved words only after they were named', async () => {
    await page.getByRole('link', { name: 'Alerts' }).click();
    await button('New rule').click();
    const line = page.getByLabel('Rule in one line');
    await line.fill('t1 of any qubit on demo-64 below 2 us');
    expect(await button('New rule').isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Boards' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave this page?' });
    await dialog.getByText('t1 of any qubit on demo-64 below 2 us').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await line.inputValue()).toBe('t1 of any qubit on demo-64 below 2 us');
    await button('Save the rule').click();
    await line.waitFor({ state: 'detached' });
  });

  test('a rule is deleted only after it was named', async () => {
    const remove = page.getByRole('button', { name: /^Delete t1 of any qubit/ });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Delete this rule?' });
    await dialog.getByText('t1 of any qubit on demo-64').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await remove.click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await remove.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Boards' }).click();
    await page.waitForURL(/\/boards/);
    expect(chromium.complaints).toEqual([]);
  });
});
