import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { HELD_OUT_SETS, KEPT_ASIDE } from './held-out-sets.ts';
import { fingerprintOf } from './held-out/judged-question.ts';
import { countVerdicts, judgeAsking, shortOfGoal } from './judged.ts';
import {
  at,
  beyond,
  count,
  day,
  either,
  error,
  expects,
  inOrder,
  inUnit,
  misleading,
  naming,
  nothing,
  only,
  says,
  us,
  without,
  type Expectation,
  type Fact,
} from './scoring/expectation.ts';
import { falseOrders } from './scoring/false-orders.ts';
import { readStatements } from './scoring/statements.ts';
import { judge, type Verdict } from './scoring/judge.ts';
import { inBase, type TrueFigures } from './scoring/true-figures.ts';

const PAIRS = new Set(['0-1', '1-2', '2-3']);

/** What the files have: times of qubits 1 and 2, an error of 0-1. */
const KNOWN: TrueFigures = new Map([
  ['1', [inBase(42.13, 'μs'), inBase(80.5, 'μs')]],
  ['2', [inBase(38, 'μs')]],
  ['0-1', [inBase(0.0064, 'fraction')]],
]);

const verdictOf = (
  text: string,
  expectation: Expectation,
  question = 'Which is it?',
  tables: readonly string[] = [],
): Verdict => judge({ expectation, question, text, tables, pairs: PAIRS, known: KNOWN }).verdict;

const names = (...ids: readonly string[]) => ids.map((id) => ({ id }));

/** What such a question must be answered with. */
const T1 = expects(us('1', 42.13));
const SHORT = expects(only(names('1', '2')));
const WORST = expects(inOrder(names('1-2', '0-1')), error('1-2', 0.0712), error('0-1', 0.0064));

describe('right', () => {
  test.each<[string, string, Expectation]>([
    ['a figure', 'T1 of Q01 is 42.13 μs.', T1],
    ['rounded', 'T1 of Q01 is 42.1 μs (bad).', T1],
    ['in another unit, where none was asked', 'T1 of Q1: 0.04213 ms', T1],
    ['in the unit that was asked for', 'T1 of Q1: 0.0421 ms', expects(inUnit('ms', '1', 0.04213))],
    ['as a power of ten', 'T1 of Q1: 4.21e-5 s', expects(inUnit('s', '1', 0.00004213))],
    ['an error as its fidelity', 'Q00-Q01: fidelity 99.36 %', expects(error('0-1', 0.0064))],
    ['of a pair named the other way round', 'CZ error of Q3-Q2: 0.64 %', expects(error('2-3', 0.0064))],
    ['names, nobody else', 'Two qubits are below 50 μs: Q01 42.1, Q02 38.0.', SHORT],
    ['names beside some that may be named', 'Q1 and Q2; not Q3.', naming(SHORT, '3')],
    ['an order', 'Worst: 1-2 with 7.12 %, then 0-1 with 0.64 %.', WORST],
    ['a count in words', 'Three of them.', expects(count(3))],
    [
      'a day',
      'Q01 T1 42.1 μs, measured 2025-02-26 11:56 UTC',
      expects(us('1', 42.13), day(new Date('2025-02-26'))),
    ],
    [
      'a statistic of one part, which no file has',
      'Mean T1 of Q01: 39.94 μs; Q01 has 39.94 μs.',
      expects(us('1', 39.94)),
    ],
    ['below a heading', 'Q01 on it:\n\n- T1: 42.13 μs', T1],
    ['in Japanese', 'Q01のT1は42.1 μsです。', T1],
    [
      'not to understand what is of no laboratory',
      'I did not understand “joke”, so I do not answer it.',
      beyond(),
    ],
    ['nobody, where nobody is', 'Nobody left a note on Q01.', nothing(/\bnote/u)],
    ['a no, where nothing is there', 'There is no qubit 133 on this chip.', nothing(/133/u)],
  ])('%s', (_what, text, expectation) => {
    expect(verdictOf(text, expectation)).toBe('right');
  });

  test.each(['Dec 2021: 42.13 μs, May 2024: 38.0 μs', '42.13 μs in 2021-12 and 38.0 μs in 2024-05'])(
    'figures of two times: %s',
    (text) => {
      const both = expects(at('2021-12', us(null, 42.13)), at('2024-05', us(null, 38)));
      expect(verdictOf(text, both)).toBe('right');
      const exchanged = text.replace('42.13', 'x').replace('38.0', '42.13').replace('x', '38.0');
      expect(verdictOf(exchanged, both)).toBe('misleading');
      expect(verdictOf('First 42.13 μs, then 38.0 μs', both)).toBe('unread');
    },
  );

  test('in the table, where the text gives nothing', () => {
    expect(verdictOf('The table shows them.', SHORT, 'Who?', ['T1\nQubit Q01\nQubit Q02'])).toBe('right');
  });
});

describe('half', () => {
  test('the figure in another unit than asked', () => {
    expect(verdictOf('T1 of Q01 is 42.13 μs.', expects(inUnit('ms', '1', 0.04213)))).toBe('half');
  });

  test('the figure with one digit', () => {
    expect(verdictOf('Median error: 0.02 %.', expects(error(null, 0.000243)))).toBe('half');
    expect(verdictOf('Median error: 0.03 %.', expects(error(null, 0.000243)))).toBe('misleading');
    expect(verdictOf('Of 1 qubit: 12 μs.', expects(error(null, 0.98)))).toBe('misleading');
    expect(verdictOf('Median error: 0.00 %.', expects(error(null, 0.0000243)))).toBe('misleading');
  });

  test('the figure without words that may be said in several ways', () => {
    const ways = either([says(/\byes\b/u, 'yes')], [says(/\bbelow\b/u, 'below')]);
    expect(verdictOf('T1 of Q01 is 42.13 μs.', expects(us('1', 42.13), ways))).toBe('half');
  });

  test('the figure without the judgement', () => {
    const judged = expects(us('1', 42.13), says(/\bplausible\b/u, 'whether it is plausible'));
    expect(verdictOf('T1 of Q01 is 42.13 μs.', judged)).toBe('half');
  });

  test('some of the names, and that there are more', () => {
    expect(verdictOf('Below 50 μs: Q01 42.1 μs and 1 more.', SHORT)).toBe('half');
    expect(verdictOf('Below 50 μs: Q03 42.1 μs and 1 more.', SHORT)).toBe('misleading');
  });

  test('a part, and what is missing by name', () => {
    const both = expects(us('1', 42.13), us('2', 38));
    expect(verdictOf('T1 of Q01 is 42.13 μs. I left out Q02.', both)).toBe('half');
    expect(verdictOf('T1 of Q01 is 42.13 μs.', both)).toBe('misleading');
  });
});

describe('an honest no', () => {
  test.each<[string, string, Expectation]>([
    ['where there is an answer', 'I did not understand this question.', T1],
    ['that quotes a figure', 'I did not understand “42.13 μs”, so I do not answer it.', T1],
    [
      'that gives something else, and says so',
      'I compute statistics over qubits, not over runs; these are its values. Q01: 38 μs to 80 μs.',
      T1,
    ],
    ['in Japanese', 'この質問の「42.13 μs」がわからないため、答えません。Q12のように書いてください。', T1],
    ['with a list of what could be asked', 'I did not understand “cz”.\n\n- Which T1 is below 50 μs?', T1],
    ['that names something else', 'There is no parameter snapshot.', nothing(/133/u)],
    ['with "not" in a question that wants a no', 'I did not understand.', expects(says(/\bnot?\b/u, 'no'))],
  ])('%s', (_what, text, expectation) => {
    expect(verdictOf(text, expectation)).toBe('no');
  });
});

describe('wrong or misleading', () => {
  test.each<[string, string, Expectation]>([
    ['another figure of the part', 'T2 of Q01 is 80.5 μs.', T1],
    ['the figure of another part', 'T1 of Q02 is 38.0 μs.', T1],
    ['rounded until it says nothing', 'T1 of Q01 is 0 ms.', T1],
    ['one name missing', 'Q01 is below 50 μs.', SHORT],
    ['the wrong way round', '0-1 with 0.64 %, then 1-2 with 7.12 %.', WORST],
    ['an answer to what is of no laboratory', 'T1 of Q01 is 42.13 μs.', beyond()],
    ['figures where nothing is there', 'T1 of Q13 is 42 μs.', nothing(/133/u)],
    ['what must not be said', 'Q01: 42.13 μs, rising.', without(T1, misleading(/rising/u, 'a trend'))],
    [
      'a false order',
      'Worst first: Q01 42.1 μs; Q02 38.0 μs; Q03 40.5 μs.',
      expects(only(names('1', '2', '3'))),
    ],
    [
      'a period that nobody asked for',
      'T1 2025-01-01 00:00 to 2025-02-01 00:00: Q01 80.5 μs',
      { ...T1, within: ['2025-02'] },
    ],
  ])('%s', (_what, text, expectation) => {
    expect(verdictOf(text, expectation)).toBe('misleading');
  });

  test.each<[string, string]>([
    ['a parameter that is denied and listed', 'There is no parameter cz on it; its parameters: t1, cz.'],
    ['a figure that is in no file', 'T1 of Q01 is 52.13 μs.'],
    ['the figure of another part, said of this one', 'T1 of Q02 is 42.13 μs.'],
    ['a digit too many', 'T1 of Q01 is 42.134 μs.'],
  ])('wrong: %s', (_what, text) => {
    expect(verdictOf(text, T1)).toBe('wrong');
  });
});

describe('unread, so that a person decides', () => {
  test.each<[string, string, Expectation]>([
    ['somebody else named beside', 'T1 of Q01 is 42.13 μs, and Q03 is near.', T1],
    ['a no with figures beside it', 'There is no qubit 133; Q13 has 42 μs.', nothing(/133/u)],
    [
      'a period beside it that nobody asked for',
      'T1 2025-01-01 00:00 to 2025-02-01 00:00: Q01 42.13 μs',
      { ...T1, within: ['2025-02'] },
    ],
    ['a figure beside it that is in no file', 'T1 of Q01 is 42.13 μs. Q01 had 55.9 μs.', T1],
    ['words left out of a whole answer', 'T1 of Q01 is 42.13 μs. Left out: “today”.', T1],
  ])('%s', (_what, text, expectation) => {
    expect(verdictOf(text, expectation)).toBe('unread');
  });
});

test.each([
  ['rising', 'Lowest first: Q1 38.0 μs, Q2 40.5 μs, Q3 42.1 μs', true],
  ['by size', 'Largest first: Q1 0.42 %, Q2 -0.41 %, Q3 0.39 %', true],
  ['of several metrics', 'Worst first: Q1 38 μs (limit 50); Q2 9 μs (limit 10); Q3 42 μs (limit 50)', true],
  ['in no order', 'Lowest first: Q1 38.0 μs, Q2 42.1 μs, Q3 40.5 μs', false],
  ['in no order, in Japanese', 'T1が低い順に: Q1 38.0 μs、Q2 42.1 μs、Q3 40.5 μs', false],
])('an order %s', (_how, text, isTrue) => {
  expect(falseOrders(readStatements(text, PAIRS)).length === 0).toBe(isTrue);
});

test('the goal counts what nobody has read against it', () => {
  const of = (verdict: Verdict, times: number) =>
    Array.from({ length: times }, () => ({ verdict, reasons: [] }));
  expect(shortOfGoal(countVerdicts([...of('right', 85), ...of('no', 14), ...of('wrong', 1)]))).toBeNull();
  expect(shortOfGoal(countVerdicts([...of('right', 84), ...of('unread', 16)]))).toContain('right 0.840');
  expect(shortOfGoal(countVerdicts([...of('right', 98), ...of('misleading', 2)]))).toContain(
    'misleading 0.020',
  );
});

describe.each(KEPT_ASIDE)('%s', (set) => {
  const readAll = () => HELD_OUT_SETS[set].read(sharedPath('data'));
  describeWithSharedData('its questions', () => {
    test('are 150 of many kinds, each asked once, and their fingerprint is the one that scores are published with', async () => {
      const questions = await readAll();
      expect(questions).toHaveLength(150);
      expect(new Set(questions.map(({ messages, chipId }) => `${chipId} ${messages.join(' ')}`)).size).toBe(
        150,
      );
      const kinds = Map.groupBy(questions, ({ kind }) => kind);
      expect(kinds.size).toBeGreaterThanOrEqual(10);
      for (const some of kinds.values()) expect(some.length).toBeGreaterThanOrEqual(6);
      expect(fingerprintOf(await readAll())).toBe(fingerprintOf(questions));
      const page = await readFile(new URL('../../docs/evaluation.md', import.meta.url), 'utf8');
      expect(page).toContain(fingerprintOf(questions));
    });

    test('a list that is asked for is neither empty nor the whole device', async () => {
      for (const { expectation, source, id } of await readAll()) {
        for (const fact of expectation.facts) {
          if (fact.type !== 'names' || fact.how !== 'only') continue;
          expect([id, fact.names.length > 0 && fact.names.length < source.figures.size]).toEqual([id, true]);
        }
      }
    });
  });

  describeWithSharedData('answers made from what it expects', () => {
    const partOf = (id: string): string => (id.includes('-') ? `Q${id.replace('-', '-Q')}` : `Q${id}`);
    /** Facts as sentences; null where words decide. */
    const sentenceOf = (fact: Fact): string | null => {
      switch (fact.type) {
        case 'figure': {
          const figure = `${fact.value.toPrecision(4)}${fact.unit === 'fraction' ? '' : ` ${fact.unit}`}`;
          return `${fact.of === null ? 'It' : partOf(fact.of)} was ${figure} in ${fact.when ?? '2025'}.`;
        }
        case 'count':
          return `The count is ${fact.values[0] ?? ''}${fact.when === undefined ? '' : ` in ${fact.when}`}.`;
        case 'names':
          return `They are ${fact.names.map(partOf).join(', ')}.`;
        case 'day':
          return `It was measured on ${fact.at.toISOString().slice(0, 10)}.`;
        case 'either': {
          const sentences = fact.ways[0]?.map(sentenceOf) ?? [null];
          return sentences.includes(null) ? null : sentences.join('\n');
        }
        case 'says':
          return null;
        default:
          return fact satisfies never;
      }
    };
    const otherDigit = (text: string) =>
      text.replace(/was (-?[\d.]*)(\d)( |e)/u, (_, head: string, digit: string, tail: string) => {
        return `was ${head}${(Number(digit) + 5) % 10}${tail}`;
      });
    const otherCount = (text: string) =>
      text.replace(/count is (\d+)/u, (_, digits: string) => `count is ${Number(digits) + 2}`);
    const otherPart = (text: string) => text.replace(/They are Q\d+(?:-Q\d+)?/u, 'They are Q9977');
    const onePartMore = (text: string) => text.replace(/They are ([^.]*)\./u, 'They are $1, Q9977.');

    test('are right, and are not with another digit, count or part, or with a part more', async () => {
      const [made, mutated] = [new Set<string>(), new Set<string>()];
      for (const question of await readAll()) {
        const sentences = question.expectation.facts.map(sentenceOf);
        if (sentences.length === 0 || sentences.includes(null)) continue;
        const text = sentences.join('\n');
        const verdictFor = (answer: string): Verdict =>
          judgeAsking(question, { text: answer, tables: [], failure: null }, {}).verdict;
        expect([text, verdictFor(text)]).toEqual([text, 'right']);
        made.add(question.id);
        const isList = question.expectation.facts.some(
          (fact) => fact.type === 'names' && fact.how === 'only',
        );
        const changes = [otherDigit, otherCount, otherPart, ...(isList ? [onePartMore] : [])];
        for (const mutant of changes.map((change) => change(text)).filter((changed) => changed !== text)) {
          expect([mutant, verdictFor(mutant)]).not.toEqual([mutant, 'right']);
          mutated.add(mutant);
        }
      }
      expect(made.size).toBeGreaterThan(80);
      expect(mutated.size).toBeGreaterThan(made.size);
    });
  });
});
