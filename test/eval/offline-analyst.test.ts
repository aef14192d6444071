/** The gate of every change: the offline analyst answers questions whose exact answers are computed from the data. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { evaluate, type Result } from './evaluate.ts';
import { makeQuestions, choose } from './questions/make-questions.ts';
import { ALL_SHORTHAND } from './questions/phrases.ts';
import { KINDS } from './questions/question.ts';
import { missText, tableText, tally, tallyByKind } from './report.ts';
import { falseOrders } from './scoring/false-orders.ts';
import { readStatements } from './scoring/statements.ts';
import { openTestLab, type TestLab } from './support/test-lab.ts';

let lab: TestLab;

beforeAll(async () => {
  lab = await openTestLab();
});

afterAll(() => lab.close());

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** Three words of one language in a row in an answer to a question of the other; quotations of records do not count. */
function hasOtherLanguage({ question, asking }: Result): boolean {
  const own = asking.text.replaceAll(/“.*?”|R² of [^。]*/gu, '');
  return JAPANESE.test(question.messages.at(-1) ?? '')
    ? /[a-z]+ [a-z]+ [a-z]+/u.test(own)
    : JAPANESE.test(own);
}

/** Report of what was missed, shown if a gate is not passed. */
const missReport = (results: readonly Result[]): string =>
  [...results.filter(({ points }) => points < 1).map(missText), tableText(results)].join('\n\n');

test('the same seed asks the same questions, another one asks others', () => {
  const asked = (seed: number): readonly string[] =>
    makeQuestions(lab.source, seed, 'known').flatMap(({ messages }) => messages);
  expect(asked(1)).toEqual(asked(1));
  expect(asked(1)).not.toEqual(asked(2));
});

test.each([
  ['known', 120],
  ['held-out', 120],
  ['shorthand', 60],
] as const)('there are %s questions of every kind', (phrasing, fewest) => {
  const questions = makeQuestions(lab.source, 1, phrasing);
  expect(questions.length).toBeGreaterThanOrEqual(fewest);
  expect(new Set(questions.map(({ kind }) => kind))).toEqual(new Set(KINDS));
});

test('every phrase of shorthand is asked, and every kind in Japanese too', () => {
  const questions = makeQuestions(lab.source, 1, 'shorthand');
  expect(questions).toHaveLength(ALL_SHORTHAND.length);
  const inJapanese = questions.filter(({ messages }) => JAPANESE.test(messages.at(-1) ?? ''));
  expect(new Set(inJapanese.map(({ kind }) => kind))).toEqual(new Set(KINDS));
});

test('a limit keeps to all kinds', () => {
  const questions = makeQuestions(lab.source, 1, 'known');
  const some = choose(questions, null, 42);
  expect(some).toHaveLength(42);
  expect(new Set(some.map(({ kind }) => kind)).size).toBeGreaterThan(18);
  expect(choose(questions, 'live', 3).map(({ kind }) => kind)).toEqual(['live', 'live', 'live']);
});

describe.each([
  ['known', 1, 84],
  ['held-out', 7, 42],
  ['shorthand', 3, 63],
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
    expect(results.filter(hasOtherLanguage).map(missText)).toEqual([]);
    expect(results.flatMap(({ asking }) => falseOrders(readStatements(asking.text, new Set())))).toEqual([]);
    const neglected = [...tallyByKind(results)].filter(([, { score }]) => score < 0.7);
    if (neglected.length > 0 || tally(results).score < 0.9) throw new Error(missReport(results));
  });
});
