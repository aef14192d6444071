/** A job from the form to its report, as a reader makes and watches it; the offline analyst works on it. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousFindings } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { startCopilotBrowser, type CopilotBrowser } from '../copilot/copilot-browser.ts';
import { becomes } from '../until.ts';

const TASK = 'Why did T1 of Q27 fall?';

describeWithChromium('a job in the browser', () => {
  let it: CopilotBrowser;
  let page: Page;
  beforeAll(async () => {
    it = await startCopilotBrowser({ demo: true });
    page = await it.open('/jobs');
  });
  afterAll(() => it.close());

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const expert = (name: string) => page.getByRole('group', { name: 'Expert' }).getByRole('button', { name });

  test('the empty list leads to the form, by keyboard', async () => {
    await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    await it.picture(page, 'jobs-empty');
    expect(await seriousFindings(page)).toEqual([]);
    await page
      .getByRole('list', { name: 'Jobs, newest first' })
      .getByRole('link', { name: 'New job' })
      .focus();
    await press('Enter');
    await page.getByRole('button', { name: 'Start the job' }).waitFor();
    await expert('General analyst').and(page.locator('[aria-pressed=true]')).waitFor();
  });

  test('what is wrong is said where it is, and the focus goes there', async () => {
    await page.getByRole('button', { name: 'Start the job' }).press('Enter');
    await page.getByText('Briefly describe what should be done.').waitFor();
    await becomes(() => page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
    await page.keyboard.type(TASK);
    await page.getByText('Briefly describe what should be done.').waitFor({ state: 'hidden' });
  });

  test('an expert fills the form; edits are kept, replaced or compared when another is chosen', async () => {
    await expert('Researcher').press('Enter');
    await expert('Researcher').and(page.locator('[aria-pressed=true]')).waitFor();
    await page.getByRole('button', { name: 'Jump to Task' }).click();
    const editor = page.getByRole('textbox', { name: 'Instructions' });
    await editor.waitFor();
    await page.getByText('The Task section still has').waitFor();
    await editor.press('Control+End');
    await page.keyboard.type(' Look at Q27 first.');
    await page.getByText('The Task section still has').waitFor({ state: 'hidden' });
    await it.picture(page, 'new-job-editor');
    await expert('Writer').click();
    const question = page.getByRole('dialog', { name: 'Switch to Writer?' });
    await question.getByRole('button', { name: 'Show the differences' }).click();
    await question.locator('.cm-changedLine, .cm-deletedChunk').filter({ visible: true }).first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await it.picture(page, 'new-job-switch');
    await press('Escape');
    await question.waitFor({ state: 'hidden' });
    await becomes(() => expert('Researcher').getAttribute('aria-pressed'), 'true');
  });

  test('settings say that they were changed, and go back one by one', async () => {
    await page.getByRole('textbox', { name: 'Temperature as a number' }).fill('0.4');
    await page.getByLabel('Model', { exact: true }).first().fill('my-own-model');
    await page.getByText('This name is not in the catalogue').waitFor();
    await press('Escape');
    await page.getByRole('button', { name: 'Reset Model' }).click();
    await page.getByRole('button', { name: 'Reset Temperature' }).waitFor();
    await page
      .getByText(/\d+ of \d+/)
      .nth(3)
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await it.picture(page, 'new-job');
  });

  test('a draft outlives a reload', async () => {
    await page.reload();
    const field = page.getByRole('textbox', { name: 'Short description' });
    await field.waitFor();
    await becomes(() => field.inputValue(), TASK);
    await becomes(() => page.getByRole('textbox', { name: 'Temperature as a number' }).inputValue(), '0.4');
  });

  test('the job is made by keyboard, watched to its end, and its report read', async () => {
    const chip = page.getByLabel('Chip', { exact: true }).first();
    await chip.click();
    await page.getByRole('option', { name: 'demo-64' }).click();
    await page.getByRole('textbox', { name: 'Short description' }).focus();
    await press('Control+Enter');
    await page.getByRole('heading', { level: 1, name: TASK }).waitFor();
    await it.picture(page, 'job-working');
    await page.getByText('Done', { exact: true }).first().waitFor();
    const report = page.getByRole('region', { name: 'Report' });
    await report.getByRole('heading', { name: 'Result' }).waitFor();
    await report.getByRole('link', { name: '[1]' }).first().click();
    await becomes(() => page.evaluate('location.hash'), '#reference-1');
    await page.getByRole('article').nth(2).waitFor();
    const todos = page.getByRole('region', { name: 'To-dos' });
    await todos.getByRole('img', { name: 'Done' }).nth(2).waitFor();
    await becomes(() => todos.getByRole('img', { name: 'Open' }).count(), 0);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByRole('row', { name: /Temperature 0\.4 0 this job/ }).waitFor();
    await page.getByRole('button', { name: 'Show the text' }).click();
    await page
      .getByRole('region', { name: 'Instructions used' })
      .getByText('Look at Q27 first.')
      .first()
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await it.picture(page, 'job-done');
  });

  test('a file is downloaded', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('region', { name: 'Files' }).getByRole('link', { name: 'Download report.md' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('# Investigation');
  });

  test('the list shows it as it stands, and narrows', async () => {
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Jobs' })
      .click();
    const row = page.getByRole('listitem').filter({ hasText: TASK });
    await row.getByText('Done', { exact: true }).waitFor();
    await it.picture(page, 'jobs');
    expect(await seriousFindings(page)).toEqual([]);
    await page.goto(`${it.app.url}/jobs?status=FAILED`);
    await page.getByText('No jobs with this status.').waitFor();
  });

  test('another like it is made from a filled form, cancelled and tried again', async () => {
    await page.goBack();
    await page.getByRole('link', { name: TASK }).click();
    await page.getByRole('link', { name: 'Create a similar job' }).click();
    await page.getByText('Copied from another job').waitFor();
    await becomes(() => page.getByRole('textbox', { name: 'Short description' }).inputValue(), TASK);
    await becomes(() => page.getByRole('textbox', { name: 'Temperature as a number' }).inputValue(), '0.4');
    await page.getByRole('button', { name: 'Start the job' }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Done', { exact: true }).first().waitFor();
  });

  test('what does not exist is said to be not there', async () => {
    await page.goto(`${it.app.url}/jobs/nothing`);
    await page.getByRole('heading', { name: 'Job not found' }).waitFor();
  });

  test('no page complained', () => {
    expect(it.complaints).toEqual([]);
  });
});
