/** What a model thinks, as a reader sees it: folded, live where it is opened, read again after a reload. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TurnRun } from '../../../src/agent/turn-run.ts';
import { completed, text } from '../../support/activities.ts';
import { becomes } from '../until.ts';
import { describeWithChromium } from '../chromium.ts';
import { startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

describeWithChromium('thoughts in a browser', () => {
  let copilot: CopilotBrowser;
  let page: Page;
  let answered: TurnRun | undefined;
  const isOpened = Promise.withResolvers<void>();
  beforeAll(async () => {
    copilot = await startCopilotBrowser({
      demo: true,
      env: { OPENAI_API_KEY: 'sk-not-used', COPILOT_MODEL: 'o4-mini' },
      answerTurn: async (run) => {
        answered = run;
        run.emit({ type: 'thinking', kind: 'SUMMARY', text: '**Looking at T1.** ' });
        await isOpened.promise;
        run.emit({ type: 'thinking', kind: 'SUMMARY', text: 'It is fine.', durationMs: 40_000 });
        run.emit(text('All is well.'));
        return completed;
      },
    });
    page = await copilot.open('/copilot');
  });
  afterAll(() => copilot?.close());

  test('are shown while they come, folded after it, and are not part of the answer', async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('How is the chip?');
    await page.getByRole('combobox', { name: 'Effort' }).click();
    await page.getByRole('option', { name: 'Effort: high' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    const fold = page.getByRole('button', { name: 'Thinking…' });
    await fold.click();
    await page.getByText('Looking at T1.').waitFor();
    isOpened.resolve();
    await page.getByText('It is fine.').waitFor();
    const answer = page.getByRole('article').getByText('All is well.'); // it is read aloud outside the article, too
    await answer.waitFor();
    expect(answered?.turn.effort).toBe('HIGH');
    const done = page.getByRole('button', { name: 'Thought for 40.0s' });
    await done.click();
    await becomes(() => page.getByText('It is fine.').isVisible(), false);

    await page.reload();
    await answer.waitFor();
    expect(await page.getByText('It is fine.').count()).toBe(0);
    await done.click();
    await page.getByText('It is fine.').waitFor();
  });
});
