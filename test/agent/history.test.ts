import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  fitSummary,
  historyInput,
  planHistory,
  summaryTokens,
  tokensOf,
  truncateHistory,
  type HistoryPlan,
  type HistoryRoom,
} from '../../src/agent/history/history-plan.ts';
import type { EarlierTurn } from '../../src/stores/session-store.ts';
import { earlierTurn, summaryThrough } from '../support/conversations.ts';

const room = (tokens: number, more: Partial<HistoryRoom> = {}): HistoryRoom => ({
  tokens,
  turns: 100,
  tokensPerEstimate: 1,
  ...more,
});
const turnIds = (turns: readonly EarlierTurn[]) => turns.map(({ turnId }) => turnId);

describe('What is sent of a conversation', () => {
  test('alternates questions and answers, oldest first, without charts, and ends with the question', () => {
    const turns = [earlierTurn('1', 'T1?', '52 μs.'), earlierTurn('2', 'And T2?', '80 μs.')];
    expect(historyInput(turns, 'Of Q7?')).toEqual([
      { type: 'user', text: 'T1?' },
      { type: 'assistant', text: '52 μs.' },
      { type: 'user', text: 'And T2?' },
      { type: 'assistant', text: '80 μs.' },
      { type: 'user', text: 'Of Q7?' },
    ]);
  });

  test.each([null, ''])('says of a question that it was not answered (%p)', (answer) => {
    expect(historyInput([earlierTurn('1', 'T1?', answer)], 'Again?')[1]).toEqual({
      type: 'assistant',
      text: '(This question was not answered.)',
    });
  });

  test('is all of it while it fits, and nothing is summarised', () => {
    const turns = [earlierTurn('1', 'T1?', '52 μs.'), earlierTurn('2', 'And T2?', '80 μs.')];
    expect(planHistory(turns, room(100))).toEqual({ summary: null, fold: [], send: turns });
  });

  test('begins behind the newest summary, which goes into the next one', () => {
    const summary = summaryThrough('2', 'T1 and T2 of Q7.');
    const turns = ['1', '2', '3', '4', '5'].map((id) =>
      earlierTurn(id, `question ${id} `.repeat(10), 'answer '.repeat(10), id === '2' ? { summary } : {}),
    );
    expect(planHistory(turns, room(1_000))).toMatchObject({ summary, fold: [] });
    const plan = planHistory(turns, room(150));
    expect([plan.summary, turnIds(plan.fold), turnIds(plan.send)]).toEqual([summary, ['3', '4'], ['5']]);
  });

  test('is limited in turns as well as in tokens', () => {
    const turns = Array.from({ length: 11 }, (_, index) => earlierTurn(`${index}`, 'a', 'b'));
    const plan = planHistory(turns, room(10_000, { turns: 10 }));
    expect([plan.fold.length, plan.send.length]).toEqual([6, 5]);
  });

  test('counts as the provider does, where that is known', () => {
    const turns = Array.from({ length: 4 }, (_, index) => earlierTurn(`${index}`, '量子ビット', '八十'));
    expect(planHistory(turns, room(80)).fold).toEqual([]);
    expect(planHistory(turns, room(80, { tokensPerEstimate: 2 })).fold).not.toEqual([]);
  });
});

const words = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.constantFrom('量子ビットの緩和時間'.repeat(8), 'T1 '.repeat(60)),
);
const conversation = fc
  .array(fc.tuple(words, fc.option(words)), { maxLength: 40 })
  .chain((pairs) => fc.tuple(fc.constant(pairs), fc.option(fc.nat(Math.max(0, pairs.length - 1))), words))
  .map(([pairs, at, text]) =>
    pairs.map(([question, answer], index) => {
      const summary = index === at ? summaryThrough(`${index}`, text) : null;
      return earlierTurn(`${index}`, question, answer, { summary });
    }),
  );
const rooms = fc.record({
  tokens: fc.integer({ min: 40, max: 3_000 }),
  turns: fc.integer({ min: 2, max: 50 }),
  tokensPerEstimate: fc.double({ min: 0.5, max: 2, noNaN: true }),
});

/** Tokens of everything sent besides the question, including the summary that is still to be written. */
function sentTokens({ summary, fold, send }: HistoryPlan, given: HistoryRoom): number {
  const isNew = fold.length > 0;
  const text = summary === null ? '' : isNew || fitSummary(summary.text, given);
  const ofSummary = text === true || isNew ? summaryTokens(given) : tokensOf(text || '', given);
  const texts = historyInput(send, '').slice(0, -1);
  return (
    ofSummary + texts.reduce((sum, entry) => sum + tokensOf('text' in entry ? entry.text : '', given), 0)
  );
}

describe('For any conversation and any room', () => {
  test('every turn since the summary is either summarised or sent, never both, in order, the newest sent first', () => {
    fc.assert(
      fc.property(conversation, rooms, (turns, given) => {
        const { summary, fold, send } = planHistory(turns, given);
        const at = turns.findLastIndex((turn) => turn.summary !== null);
        expect(summary).toBe(turns[at]?.summary ?? null);
        expect([...fold, ...send]).toEqual(turns.slice(at + 1));
        expect(send.length).toBeLessThanOrEqual(given.turns);
      }),
    );
  });

  test('what is sent keeps within the room, whether a summary is written or not', () => {
    fc.assert(
      fc.property(conversation, rooms, (turns, given) => {
        expect(sentTokens(planHistory(turns, given), given)).toBeLessThanOrEqual(given.tokens);
        expect(sentTokens(truncateHistory(turns, given), given)).toBeLessThanOrEqual(given.tokens);
      }),
    );
  });

  test('after a summary there is room for more turns before the next one', () => {
    fc.assert(
      fc.property(conversation, rooms, (turns, given) => {
        const { fold, send } = planHistory(turns, given);
        fc.pre(fold.length > 0);
        const next = turns.map((turn) =>
          turn === fold.at(-1)
            ? { ...turn, summary: summaryThrough(turn.turnId, 'short') }
            : { ...turn, summary: null },
        );
        expect(turnIds(planHistory(next, given).send)).toEqual(turnIds(send));
        expect(planHistory(next, given).fold).toEqual([]);
      }),
    );
  });

  test('truncating keeps the newest turns, whole, as many as fit', () => {
    fc.assert(
      fc.property(conversation, rooms, (turns, given) => {
        const { send, fold } = truncateHistory(turns, given);
        expect(fold).toEqual([]);
        expect(turns.slice(turns.length - send.length)).toEqual(send);
      }),
    );
  });

  test('a summary is cut to its share of the room', () => {
    fc.assert(
      fc.property(words, rooms, (text, given) => {
        const fitted = fitSummary(text.repeat(5), given);
        expect(tokensOf(fitted, given)).toBeLessThanOrEqual(summaryTokens(given));
      }),
    );
  });
});
