/** The gate of every change: the offline analyst answers questions whose exact answers are computed from the data. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { evaluate, type Result } from '../../bench/eval/evaluate.ts';
import { makeQuestions, choose } from '../../bench/eval/questions/make-questions.ts';
import { KINDS } from '../../bench/eval/questions/question.ts';
import { missText, tableText, tally, tallyByKind } from '../../bench/eval/report.ts';
import { openTestLab, type TestLab } from './support/test-lab.ts';

let lab: TestLab;

beforeAll(async () => {
  lab = await openTestLab();
}, 60_000);

afterAll(() => lab.close());

/** What was missed, to be read where a gate is not passed. */
const told = (results: readonly Result[]): string =>
  [...results.filter(({ points }) => points < 1).map(missText), tableText(results)].join('\n\n');

test('the same seed asks the same questions, another one asks others', () => {
  const asked = (seed: number): readonly string[] =>
    makeQuestions(lab.source, seed, 'known').flatMap(({ messages }) => messages);
  expect(asked(1)).toEqual(asked(1));
  expect(asked(1)).not.toEqual(asked(2));
});

test('there are questions of every kind, and a limit keeps to all of them', () => {
  const questions = makeQuestions(lab.source, 1, 'known');
  expect(questions.length).toBeGreaterThanOrEqual(120);
  expect(new Set(questions.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  const some = choose(questions, null, 42);
  expect(some).toHaveLength(42);
  expect(new Set(some.map(({ kind }) => kind)).size).toBeGreaterThan(18);
  expect(choose(questions, 'live', 3).map(({ kind }) => kind)).toEqual(['live', 'live', 'live']);
});

describe.each([
  ['known', 1, 126],
  ['held-out', 7, 63],
] as const)('with %s phrasings', (phrasing, seed, limit) => {
  test('nine of ten answers are right, and no kind of question is neglected', async () => {
    const questions = choose(makeQuestions(lab.source, seed, phrasing), null, limit);
    const results = await evaluate(lab, {
      questions,
      model: 'offline-analyst',
      atOnce: 8,
      signal: new AbortController().signal,
    });
    expect(results).toHaveLength(questions.length);
    const neglected = [...tallyByKind(results)].filter(([, { score }]) => score < 0.7);
    if (neglected.length > 0 || tally(results).score < 0.9) throw new Error(told(results));
  }, 120_000);
});
