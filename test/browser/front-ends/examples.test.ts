/** The pages of `examples`, which front-end developers start from, beside the real program. */
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { describeWithChromium } from '../chromium.ts';
import { becomes } from '../until.ts';
import { startFrontEnd, type FrontEnd } from './front-end.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const WORST = 'Show a T1 heatmap of demo-64. Which qubit is worst?';

/** An answer that stops in its middle until it is let go. */
let proceed = Promise.withResolvers<void>();
const answerTurn: AnswerTurn = async ({ emit, signal }) => {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  emit(toolStart('a'));
  emit(text('Before. '));
  await Promise.race([proceed.promise, aborted]);
  signal.throwIfAborted();
  emit(toolEnd('a'));
  emit(text('After.'));
  return completed;
};

const ask = async (page: Page, question: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Question' }).fill(question);
  await page.getByRole('button', { name: 'Ask' }).click();
};
const wordsOf = (page: Page) => async (): Promise<string> =>
  (await page.locator('p:not([role=status])').allInnerTexts()).join('');

for (const name of ['page', 'react']) {
  describeWithChromium(`the example ${name}`, () => {
    let frontEnd: FrontEnd;
    afterEach(() => frontEnd?.close());

    test('answers with words, calls, a chart that is drawn, and numbers that lead to their record', async () => {
      frontEnd = await startFrontEnd(join(EXAMPLES, name), { demo: true });
      const page = await frontEnd.open();
      await ask(page, WORST);
      await becomes(() => page.getByRole('status').innerText(), 'COMPLETED');
      await becomes(wordsOf(page), expect.stringContaining('Q'));
      expect(await page.getByRole('listitem').count()).toBeGreaterThan(0);
      await page.locator('.main-svg').first().waitFor();
      const links = page.getByRole('link');
      const href = await links.first().getAttribute('href');
      expect(href).toMatch(new RegExp(`^${frontEnd.app.url}/records/.+`));
      expect(frontEnd.complaints).toEqual([]);
    });

    test('goes on after a reload in the middle of an answer', async () => {
      proceed = Promise.withResolvers<void>();
      frontEnd = await startFrontEnd(join(EXAMPLES, name), { answerTurn });
      const page = await frontEnd.open();
      await ask(page, 'slowly');
      await becomes(wordsOf(page), expect.stringContaining('Before.'));
      await page.reload();
      await becomes(wordsOf(page), expect.stringContaining('Before.'));
      proceed.resolve();
      await becomes(wordsOf(page), expect.stringContaining('Before. After.'));
      await becomes(() => page.getByRole('status').innerText(), 'COMPLETED');
      await page.reload();
      await becomes(wordsOf(page), expect.stringContaining('Before. After.'));
    });

    test('can be stopped, and says what the server refuses', async () => {
      proceed = Promise.withResolvers<void>();
      frontEnd = await startFrontEnd(join(EXAMPLES, name), { answerTurn });
      const page = await frontEnd.open();
      await ask(page, 'slowly');
      await becomes(wordsOf(page), expect.stringContaining('Before.'));
      await page.getByRole('button', { name: 'Stop' }).click();
      await becomes(() => page.getByRole('status').innerText(), 'CANCELLED');
      proceed.resolve();
      await ask(page, ' '.repeat(3));
      await becomes(() => page.getByRole('status').innerText(), expect.stringMatching(/content/i));
    });
  });
}
