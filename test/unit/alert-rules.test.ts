/** Rules of alerts: as text, and judged on values of a chip. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evaluateRule, isAlert, type EvaluationInput } from '../../src/domain/alerts/evaluate.ts';
import type { AlertRule, AlertTest } from '../../src/domain/alerts/rule.ts';
import { parseRule, ruleText } from '../../src/domain/alerts/rule-text.ts';
import { summarizeChip } from '../../src/domain/chip/chip-summary.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { isRated } from '../../src/domain/values/metric.ts';
import { shippedMetrics as metrics } from '../support/catalogue.ts';

const read = (text: string) => {
  const { rule, problem } = parseRule(text, { metrics, chipId: 'demo-64' });
  if (rule === null) throw new Error(`${problem.at}: ${problem.message}`);
  return rule;
};
const problemOf = (text: string) => parseRule(text, { metrics }).problem;
const stored = (text: string): string => ruleText(read(text));

test.each([
  ['t1 of any qubit on demo-64 below 20 us', 't1 of any qubit on demo-64 below 20 μs'],
  ['T1 of any qubit < 0.02ms', 't1 of any qubit on demo-64 below 20 μs'],
  ['cz error of any coupling above 2 %', 'cz_gate_fidelity of any coupling on demo-64 below 98 %'],
  ['readout of Q27 older than 3 days', 'average_readout_fidelity of Q27 on demo-64 older than 3 days'],
  ['t1 of any qubit halves within 7 days', 't1 of any qubit on demo-64 falls by 50 % within 7 days'],
  ['t1 of Q3 falls by 5 sigma since cooldown', 't1 of Q3 on demo-64 worsens by 5 sigma since cooldown'],
  ['t1 of Q3 worsens by 30 % within 36 hours', 't1 of Q3 on demo-64 falls by 30 % within 36 hours'],
  ['Q27 is disabled', 'Q27 on demo-64 is disabled'],
  ['Q04-Q01 on "my chip" disabled', 'Q4-Q1 on "my chip" is disabled'],
  [
    'Average Readout Fidelity of each qubit is below 95 %',
    'average_readout_fidelity of any qubit on demo-64 below 95 %',
  ],
])('%s is stored as %s', (text, canonical) => {
  expect(stored(text)).toBe(canonical);
});

test.each([
  ['', 1, 'the rule is empty'],
  ['t1 of any qubit below 20 us', 17, 'say on which chip'],
  ['t1 of any qbit on c below 20 us', 11, '"qubit" or "coupling"'],
  ['t1 of any qubit on c below 20', 22, 'say in which unit: "below 20 μs"'],
  ['t1 of any qubit on c below 20 %', 22, 't1 is in μs'],
  ['t1 of any qubit on c belw 20 us', 22, '"belw 20 us" is no condition'],
  ['tea of any qubit on c below 20 us', 1, 'there is no parameter "tea"'],
  ['t1 of any coupling on c below 20 us', 1, 'is measured on qubits'],
  ['t1 of any qubit on c halves', 28, 'within which time'],
  ['t1 of any qubit on c falls by 2 sigma within 7 days', 22, 'at least 5 sigma'],
  ['qubit_frequency of Q1 on c worsens by 9 sigma within 7 days', 28, 'no way is worse'],
  ['Q27 on c below 20 us', 10, 'name a parameter'],
  ['t1 on c below 20 us', 1, 't1 is a parameter; say of what'],
])('"%s" is refused at character %i', (text, at, message) => {
  const problem = problemOf(text);
  expect(problem?.at).toBe(at);
  expect(problem?.message).toContain(message);
});

const amount = fc.integer({ min: 1, max: 9_999 }).map((each) => each / 10);
const hours = fc.integer({ min: 1, max: 87_600 });
const window = fc.option(hours, { nil: null });
const name = fc.stringMatching(/^[^"\s][^"]{0,12}$/u).filter((text) => text.trim() === text && text !== '');
const qubit = fc.oneof(fc.nat(2_000).map(String), fc.constant(null));
const pair = fc.oneof(
  fc.tuple(fc.nat(200), fc.nat(200)).map((ids) => ids.join('-')),
  fc.constant(null),
);
const rated = metrics.metrics.filter(isRated);
const rule: fc.Arbitrary<AlertRule> = fc
  .record({ metric: fc.constantFrom(...rated), chipId: name, qubit, pair, isState: fc.boolean() })
  .chain(({ metric, chipId, qubit: q, pair: p, isState }) => {
    const tests: fc.Arbitrary<AlertTest> = fc.oneof(
      fc.record({
        is: fc.constantFrom('BELOW' as const, 'ABOVE' as const),
        limit: amount,
        unit: fc.constant(metric.unit),
      }),
      fc.record({
        is: fc.constant('FALLS' as const),
        percent: fc.integer({ min: 1, max: 100 }),
        hours: window,
      }),
      fc.record({ is: fc.constant('RISES' as const), percent: amount, hours: window }),
      fc.record({
        is: fc.constant('WORSENS' as const),
        sigma: fc.integer({ min: 5, max: 99 }),
        hours: window,
      }),
      fc.record({ is: fc.constant('OLDER' as const), hours }),
    );
    const state = fc.record({
      is: fc.constantFrom('DISABLED' as const, 'MISSING' as const, 'DOUBTFUL' as const),
    });
    return (isState ? state : tests).map((each) => ({
      chipId,
      kind: metric.scope,
      qid: metric.scope === 'QUBIT' ? q : p,
      parameter: isState ? null : metric.name,
      test: each,
    }));
  });

test('a rule that is written is read as the same rule', () => {
  fc.assert(
    fc.property(rule, (each) => {
      expect(read(ruleText(each))).toEqual(each);
    }),
  );
});

test('no text throws, and what is refused names a place in it', () => {
  const words = fc.constantFrom(
    't1',
    'of',
    'any',
    'qubit',
    'on',
    'c',
    'below',
    '20',
    'us',
    '"',
    'is',
    'halves',
    '%',
    'Q3',
    'within',
    '7',
    'days',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((each) => each.join(' ')),
      ),
      (text) => {
        const found = parseRule(text, { metrics });
        if (found.problem === null)
          expect(parseRule(ruleText(found.rule), { metrics }).rule).toEqual(found.rule);
        else {
          expect(found.problem.at).toBeGreaterThanOrEqual(1);
          expect(found.problem.at).toBeLessThanOrEqual(text.length + 1);
        }
      },
    ),
  );
});

const NOW = new Date('2026-05-20T00:00:00Z');
const hoursAgo = (count: number): Date => new Date(NOW.getTime() - count * 3_600_000);
const t1 = (value: number | null, age = 1) =>
  describeParameter(
    {
      name: 't1',
      value,
      text: null,
      unit: 'μs',
      error: null,
      calibratedAt: hoursAgo(age),
      executionId: null,
      taskId: `task-${value}`,
    },
    metrics.find('t1', 'QUBIT'),
    NOW,
  );
const part = (qid: string, ...parameters: ReturnType<typeof t1>[]) => ({ qid, parameters, lastSeenAt: null });

function judged(
  text: string,
  parts: readonly ReturnType<typeof part>[],
  more: Partial<EvaluationInput> = {},
) {
  const summary = summarizeChip({ qubits: parts, couplings: [], shown: null, metrics, now: NOW });
  const {
    judged: all,
    notJudged,
    words,
  } = evaluateRule(read(text), {
    chipSize: 64,
    summary,
    change: null,
    whyNoChange: 'nothing to compare with',
    mutes: [],
    metrics,
    now: NOW,
    ...more,
  });
  return {
    warned: all.filter(({ warns, isMuted }) => warns && !isMuted).map(({ qid }) => qid),
    notJudged: [...notJudged].flatMap(([why, qids]) => qids.map((qid) => `${qid}: ${why}`)),
    words,
    evidence: all.map(({ evidence }) => evidence),
  };
}

test('a level warns of values past it, and what has no value is not judged', () => {
  const parts = [part('0', t1(19.9)), part('1', t1(20)), part('2', t1(60)), part('3')];
  const { warned, notJudged, words, evidence } = judged('t1 of any qubit below 20 us', parts);
  expect(warned).toEqual(['0']);
  expect(notJudged).toEqual(['3: no t1 was ever recorded']);
  expect(words).toBe('1 alert of 3 qubits: Q00; 1 qubit not judged: no t1 was ever recorded');
  expect(evidence[0]).toEqual({
    value: 19.9,
    before: null,
    unit: 'μs',
    measuredAt: hoursAgo(1),
    taskId: 'task-19.9',
    words: 'T1 of Q00 is 19.90 μs, below 20 μs; measured 2026-05-19 23:00 UTC',
  });
});

test('a rule without anything to judge says so', () => {
  expect(judged('t1 of any qubit below 20 us', [part('0'), part('1')]).words).toBe(
    'nothing to judge: 2 qubits not judged: no t1 was ever recorded',
  );
  expect(judged('t1 of Q9 below 20 us', [part('0', t1(5))]).words).toBe(
    'nothing to judge: the chip has no such qubit',
  );
});

test('an age warns of what is older', () => {
  const parts = [part('0', t1(50, 73)), part('1', t1(50, 72))];
  expect(judged('t1 of any qubit older than 3 days', parts).warned).toEqual(['0']);
});

test('what is muted does not warn, for the part or for the one value', () => {
  const mute = { chipId: 'demo-64', reason: 'x', mutedBy: 'x', mutedAt: NOW, until: NOW };
  const parts = ['0', '1', '2'].map((qid) => part(qid, t1(5)));
  const mutes = [
    { ...mute, partId: '0', parameter: null },
    { ...mute, partId: '1', parameter: 't1' },
    { ...mute, partId: '2', parameter: 't2_echo' },
  ];
  const { warned, words } = judged('t1 of any qubit below 20 us', parts, { mutes });
  expect(warned).toEqual(['2']);
  expect(words).toContain('2 muted');
});

test('a fall is a share of the earlier value; without one nothing is judged', () => {
  const values = (of: readonly (readonly [string, number])[]) =>
    of.map(([qid, value]) => ({ scope: 'QUBIT' as const, qid, label: qid, parameters: [t1(value)] }));
  const change = {
    from: hoursAgo(168),
    to: NOW,
    before: values([
      ['0', 100],
      ['1', 100],
      ['2', 50],
    ]),
    after: values([
      ['0', 50],
      ['1', 50.1],
      ['2', 60],
      ['3', 5],
    ]),
    falls: { falls: [], notJudged: [] },
  };
  const parts = [part('0', t1(50)), part('1', t1(50.1)), part('2', t1(60)), part('3', t1(5))];
  const found = judged('t1 of any qubit halves within 7 days', parts, { change });
  expect(found.warned).toEqual(['0']);
  expect(found.notJudged).toEqual(['3: no value from before 2026-05-13 00:00 UTC']);
  expect(found.evidence[0]?.words).toContain('is 50.00 μs against 100.0 μs');
  expect(judged('t1 of any qubit rises by 20 % within 7 days', parts, { change }).warned).toEqual(['2']);
});

test('two directions of a pair with the same value are one alert, with different values two', () => {
  const fidelity = (value: number) =>
    describeParameter(
      {
        name: 'cz_gate_fidelity',
        value,
        text: null,
        unit: '',
        error: null,
        calibratedAt: hoursAgo(1),
        executionId: null,
        taskId: null,
      },
      metrics.find('cz_gate_fidelity', 'COUPLING'),
      NOW,
    );
  const judgedOf = (forth: number, back: number, mutes: EvaluationInput['mutes'] = []) => {
    const couplings = [part('2-3', fidelity(forth)), part('3-2', fidelity(back))];
    const summary = summarizeChip({ qubits: [], couplings, shown: null, metrics, now: NOW });
    const input = { chipSize: 64, summary, change: null, whyNoChange: '', mutes, metrics, now: NOW };
    return evaluateRule(read('cz error of any coupling above 2 %'), input).judged;
  };
  const warned = (...of: Parameters<typeof judgedOf>) =>
    judgedOf(...of)
      .filter(isAlert)
      .map(({ qid }) => qid);
  expect(warned(0.95, 0.95)).toEqual(['2-3']);
  expect(warned(0.95, 0.96)).toEqual(['2-3', '3-2']);
  expect(warned(0.99, 0.96)).toEqual(['3-2']);
  // What ends for its twin has not recovered.
  expect(judgedOf(0.95, 0.95)).toMatchObject([
    { qid: '2-3', warns: true, isTwin: false },
    { qid: '3-2', warns: true, isTwin: true },
  ]);
  const mute = {
    chipId: 'x',
    partId: '3-2',
    parameter: null,
    reason: 'x',
    mutedBy: 'x',
    mutedAt: NOW,
    until: NOW,
  };
  expect(warned(0.95, 0.95, [mute])).toEqual([]);
});
