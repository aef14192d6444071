/** A conversation of 500 messages, and what moves, is said and is held up while an answer grows below it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Locator, Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { becomes, until } from '../until.ts';
import { describeWithChromium } from '../chromium.ts';
import { slowDown } from '../slower.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

/** Turns before the one that is asked here; each has two messages. */
const EARLIER = 249;
const TOKENS = 300;
const TOKEN_MS = 10;
const SENTENCE_TOKENS = 10;

const answerTurn: AnswerTurn = async ({ question, emit }) => {
  if (question.text === 'begin') {
    emit(text('The beginning.'));
    return completed;
  }
  for (let token = 1; token <= TOKENS; token += 1) {
    emit(text(`word${token}${token % SENTENCE_TOKENS === 0 ? '.\n\n' : ' '}`));
    if (token === TOKENS / 2) {
      emit(toolStart('a'));
      emit(toolEnd('a'));
    }
    await new Promise((resolve) => setTimeout(resolve, TOKEN_MS));
  }
  return completed;
};

/** Puts turns of the day before in front of the only one, each a copy of it in other words. */
const MAKE_LONG = `
  with ids as (
    select k, gen_random_uuid() as turn, gen_random_uuid() as question, gen_random_uuid() as answer
    from generate_series(1, ${EARLIER}) as k
  ), chain as (select ids.*, lag(turn) over (order by k) as parent from ids),
  moved as (update turns set number = ${EARLIER + 1}, parent_id = (select turn from ids where k = ${EARLIER})),
  questions as (
    insert into messages select (jsonb_populate_record(messages, jsonb_build_object(
      'id', chain.question, 'turn_id', chain.turn, 'text', 'question ' || k,
      'blocks', jsonb_build_array(jsonb_build_object('type', 'text', 'text', 'question ' || k))))).*
    from chain, messages where messages.role = 'USER'
  ), answers as (
    insert into messages select (jsonb_populate_record(messages, jsonb_build_object(
      'id', chain.answer, 'turn_id', chain.turn, 'text', 'Answer ' || k || ' in **words**.',
      'blocks', jsonb_build_array(jsonb_build_object('type', 'text', 'text', 'Answer ' || k || ' in **words**.'))))).*
    from chain, messages where messages.role = 'ASSISTANT'
  )
  insert into turns select (jsonb_populate_record(turns, jsonb_build_object(
    'id', chain.turn, 'number', k, 'parent_id', chain.parent, 'question_id', chain.question,
    'answer_id', chain.answer, 'client_message_id', 'earlier ' || k, 'created_at', created_at - interval '1 day'))).*
  from chain, turns`;

/** Keeps in the page what moved, how long frames took, and what live regions were given. */
const WATCH = `{
  globalThis.seen = { shift: 0, frames: [], slow: [], said: [], status: [], grown: [] };
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    if (!entry.hadRecentInput) seen.shift += entry.value;
  })).observe({ type: 'layout-shift' });
  new PerformanceObserver((list) => seen.slow.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'event', durationThreshold: 16 });
  let before = performance.now();
  requestAnimationFrame(function frame(now) { seen.frames.push(now - before); before = now; requestAnimationFrame(frame); });
  new MutationObserver(() => {
    const words = [...document.querySelectorAll('article')].at(-1).textContent.match(/word\\d+/g)?.length ?? 0;
    if (words !== seen.grown.at(-1)) seen.grown.push(words);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
  for (const [role, kept] of [['log', seen.said], ['status', seen.status]]) {
    for (const region of document.querySelectorAll('[role=' + role + '][aria-live=polite]')) {
      new MutationObserver(() => kept.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
    }
  }
}`;

type Seen = {
  readonly shift: number;
  readonly frames: readonly number[];
  readonly slow: readonly number[];
  readonly said: readonly string[];
  readonly status: readonly string[];
  /** Words of the newest answer, each time there were more. */
  readonly grown: readonly number[];
};

describeWithChromium('a long conversation', () => {
  let copilot: CopilotBrowser;
  let page: Page;
  let path: string;
  beforeAll(async () => {
    copilot = await startCopilotBrowser({ answerTurn });
    page = await copilot.open('/copilot');
    await askIn(page, 'begin');
    await page.getByRole('article').getByText('The beginning.').waitFor();
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    path = new URL(page.url()).pathname;
    const postgres = new Client({ connectionString: copilot.app.environment['DATABASE_URL'] });
    await postgres.connect();
    await postgres.query(MAKE_LONG);
    await postgres.end();
    await page.goto(copilot.app.url + path);
    await page.getByRole('article').getByText('The beginning.').waitFor();
  });
  afterAll(() => copilot?.close());

  const thread = () => page.getByRole('region', { name: 'Conversation' }).last();
  const articles = () => page.getByRole('article');
  const seen = () => page.evaluate<Seen>('seen');
  const isAtEnd = () =>
    thread().evaluate((box) => {
      const { scrollHeight, scrollTop, clientHeight } = box as unknown as Record<string, number>;
      return scrollHeight! - scrollTop! - clientHeight! < 40;
    });

  test('begins with its newest turns, and has all 500 messages after scrolling up', async () => {
    await becomes(() => articles().count(), 15);
    await thread().focus();
    await until(
      async () => {
        await page.keyboard.press('Home');
        return (await articles().count()) === EARLIER + 1;
      },
      { what: 'all turns' },
    );
    await page.getByText('Answer 1 in').first().waitFor();
  });

  let asked = 0;
  /** Asks what was not asked before, and waits for the first word. */
  const ask = async (): Promise<Locator> => {
    asked += 1;
    const question = `count ${asked}`;
    await askIn(page, question);
    const newest = page.getByRole('article', { name: question, exact: true });
    await newest
      .getByText(/^word1 /)
      .first()
      .waitFor();
    return newest;
  };

  /** Types on while an answer comes, and tells what the page did meanwhile. */
  const watched = async (): Promise<Seen> => {
    await page.evaluate(WATCH);
    const newest = await ask();
    await page
      .getByRole('textbox', { name: 'Message' })
      .pressSequentially('the next question', { delay: 50 });
    await newest.getByRole('button', { name: 'Answer again' }).waitFor();
    await until(isAtEnd, { what: 'the end of the answer' });
    await until(async () => (await seen()).status.at(-1) === 'The answer is complete.', { what: 'its end' });
    return seen();
  };

  test('stays quick and still while an answer of a hundred words a second grows at its end', async () => {
    const { shift, frames, slow, said, status } = await watched();
    const sorted = frames.toSorted((a, b) => a - b);
    const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    process.stdout.write(
      `${EARLIER + 2} turns, 100 words/s: frames ${at(0.5)} ms (95 %: ${at(0.95)} ms), longest key ${Math.max(0, ...slow)} ms, shift ${shift.toFixed(3)}\n`,
    );
    expect(shift).toBeLessThan(0.1);
    // Whole sentences, and no piece of one.
    expect(said.length).toBeGreaterThan(2);
    expect(said.length).toBeLessThanOrEqual(TOKENS / SENTENCE_TOKENS + 1);
    expect(said.filter((words) => !words.endsWith('.'))).toEqual([]);
    expect(status.filter((words) => /word\d/.test(words))).toEqual([]);
  });

  test('shows an answer as it comes on a machine that is four times as slow', async () => {
    const speedUp = slowDown(page, 4);
    const { grown } = await watched();
    await speedUp();
    expect(grown.filter((words) => words > 0 && words < TOKENS * 0.8)).not.toEqual([]);
    expect(grown.at(-1)).toBe(TOKENS);
  });

  test('stays where its reader scrolled to while an answer grows, and leads back to the newest', async () => {
    const newest = await ask();
    await thread().hover();
    const toNewest = page.getByRole('button', { name: 'Jump to latest' });
    await until(
      async () => {
        await page.mouse.wheel(0, -800);
        return toNewest.isVisible();
      },
      { intervalMs: 200, what: 'the way back to the newest' },
    );
    const top = () => thread().evaluate((box) => (box as unknown as { scrollTop: number }).scrollTop);
    let before = await top();
    await until(
      async () => {
        const now = await top();
        const isStill = now === before;
        before = now;
        return isStill;
      },
      { intervalMs: 150, what: 'the end of the scrolling' },
    );
    await newest.getByText(`word${TOKENS}.`).waitFor({ state: 'attached' });
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
    await toNewest.click();
    await until(isAtEnd, { what: 'the end' });
    await toNewest.waitFor({ state: 'hidden' });
  });

  test('leaves no complaint', () => {
    expect(copilot.complaints).toEqual([]);
  });
});
