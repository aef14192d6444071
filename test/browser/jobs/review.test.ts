/** A job that asks a person, and one that hangs: what the reader can do about them. The model is scripted. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startModelServer, type ModelServer, type Reply } from '../../support/model-server.ts';
import { bodyOf } from '../../support/wire-bodies.ts';
import { describeWithChromium } from '../chromium.ts';
import { seriousFindings } from '../app/browser.ts';
import { becomes } from '../until.ts';
import { startCopilotBrowser, type CopilotBrowser } from '../copilot/copilot-browser.ts';

const question = JSON.stringify({ question: 'Is Q27 to be left out?', report: null });

describeWithChromium('a job that needs its reader', () => {
  let it: CopilotBrowser;
  let model: ModelServer;
  let page: Page;
  let isStuck = false;
  const reply = (index: number, { input }: Record<string, unknown>): Reply => {
    if (isStuck) return { body: bodyOf('responses', [{ text: 'Let me' }]), cut: { at: 60, how: 'stall' } };
    const hasAsked = (input as readonly { type?: string }[]).at(-1)?.type === 'function_call_output';
    const said = hasAsked
      ? { text: 'You decide.' }
      : { call: [`c${index}`, 'request_review', question] as const };
    return { body: bodyOf('responses', [said]) };
  };
  beforeAll(async () => {
    model = await startModelServer(reply);
    const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses', COPILOT_MODEL: 'any-model' };
    it = await startCopilotBrowser({ demo: true, env });
    page = await it.open('/jobs');
  });
  afterAll(async () => {
    await it?.close();
    await model?.close();
  });

  const start = async (task: string): Promise<void> => {
    await page.goto(`${it.app.url}/jobs/new`);
    await page.getByRole('textbox', { name: 'Short description' }).fill(task);
    await page.getByRole('button', { name: 'Start the job' }).click();
    await page.getByRole('heading', { level: 1, name: task }).waitFor();
  };

  test('is sent back with a note, asks again, and is approved', async () => {
    await start('Watch Q27');
    const needs = page.getByRole('alert').filter({ hasText: 'Your review is needed' });
    await needs.getByText('Is Q27 to be left out?').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await it.picture(page, 'job-review');
    await needs.getByRole('button', { name: 'Send back' }).click();
    await needs.getByText('Describe what should be done.').waitFor();
    await page.keyboard.type('Keep it in.');
    await needs.getByRole('button', { name: 'Send back' }).click();
    // The note field is empty again only in the panel of the second question.
    await becomes(() => needs.getByRole('textbox').inputValue(), '');
    await needs.getByText('Is Q27 to be left out?').waitFor();
    await needs.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Done', { exact: true }).first().waitFor();
  });

  test('is stopped while its model is silent', async () => {
    isStuck = true;
    await start('Never ends');
    await page.getByText('Working', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(it.complaints).toEqual([]);
  });
});
