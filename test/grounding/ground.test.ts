import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { largeResult } from './set/large-result.ts';
import { groundNumbers } from '../../src/domain/grounding/ground.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { cpuMs } from '../support/took.ts';

const NOW = new Date('2026-05-20T01:00:00Z');

/** A result with a T1 of each qubit, in order of the qubits. */
const t1Result = (values: readonly number[]) => ({
  data: {
    chip_id: 'c',
    metric_name: 't1',
    scale: 1,
    display_unit: 'μs',
    rows: values.map((value, qid) => ({ qid: String(qid), value, unit: 'μs', task_id: `task-${qid}` })),
  },
});

const ground = (text: string, result: object, more: { userTexts?: string[]; earlier?: object } = {}) =>
  groundNumbers(text, {
    calls: [{ callId: 'c1', arguments: {}, result }],
    earlierCalls: more.earlier ? [{ callId: 'c0', arguments: {}, result: more.earlier }] : [],
    userTexts: more.userTexts ?? [],
    metrics: shippedMetrics.metrics,
    now: NOW,
  });

const microseconds = fc.double({ min: 1, max: 999, noNaN: true, noDefaultInfinity: true });

describe('a value of a record', () => {
  test('has its source however it is rounded, and none once it is beyond the rounding', () => {
    fc.assert(
      fc.property(
        microseconds,
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 0.6, max: 3, noNaN: true }),
        (value, decimals, steps) => {
          const step = 10 ** -decimals;
          const said = (shown: number): unknown[] =>
            ground(`The T1 of Q1 is ${shown.toFixed(decimals)} μs.`, t1Result([5e4, value])).map(
              ({ status, recordId }) => [status, recordId],
            );
          expect(said(value)).toEqual([['SOURCED', 'task-1']]);
          const shown = Number(value.toFixed(decimals));
          const off = shown + Math.sign(value - shown || 1) * -1 * Math.ceil(steps) * step;
          expect(said(off)).toEqual([['UNSOURCED', null]]);
        },
      ),
    );
  });

  test('has none when it is said of another qubit', () => {
    fc.assert(
      fc.property(microseconds, microseconds, (a, b) => {
        fc.pre(Math.abs(a - b) > 0.02);
        const [first, second] = [a.toFixed(2), b.toFixed(2)];
        const statuses = (text: string) => ground(text, t1Result([a, b])).map(({ status }) => status);
        expect(statuses(`T1: Q0 ${first} μs, Q1 ${second} μs.`)).toEqual(['SOURCED', 'SOURCED']);
        expect(statuses(`T1: Q0 ${second} μs, Q1 ${first} μs.`)).toEqual(['UNSOURCED', 'UNSOURCED']);
      }),
    );
  });

  test('of an earlier turn counts only where the text says what it is about', () => {
    const earlier = t1Result([59.5]);
    const none = { data: { chip_id: 'c' } };
    expect(ground('Q0 has a T1 of 59.5 μs.', none, { earlier })).toMatchObject([
      { status: 'SOURCED', callId: 'c0' },
    ]);
    expect(ground('It was 59.5 μs.', none, { earlier })).toMatchObject([{ status: 'UNSOURCED' }]);
  });
});

test('every number is the text at its offset, in order, for any answer', () => {
  const piece = fc.constantFrom(
    'Q1',
    ' T1 ',
    '59.5',
    ' μs',
    ' ± 1',
    '|',
    '\n',
    '- ',
    '５９',
    '**',
    '2026-05-18',
    ' of ',
    '`',
    '$',
    '−3 %',
    '。',
    '\uD83D',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((parts) => parts.join('')),
      ),
      (text) => {
        const numbers = ground(text, t1Result([59.5, 60]));
        expect(numbers.map(({ offset, text: shown }) => text.slice(offset, offset + shown.length))).toEqual(
          numbers.map(({ text: shown }) => shown),
        );
        expect(numbers.map(({ offset }) => offset)).toEqual(
          numbers.map(({ offset }) => offset).toSorted((a, b) => a - b),
        );
      },
    ),
  );
});

test('results of any shape are read as far as they can be', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (result, args) => {
      const evidence = {
        calls: [{ callId: 'c', arguments: args, result }],
        userTexts: [],
        metrics: [],
        now: NOW,
      };
      expect(groundNumbers('T1 of Q1 is 59.5 μs.', evidence)).toHaveLength(1);
    }),
  );
});

test.each(['±1 ', 'Q1 T1 1.5 μs, ', '1.5, ', '[1](', '| a ', 'a-', '```\n'])(
  '30,000 characters of %j take no longer than so many of anything',
  (piece) => {
    const work = () => ground(piece.repeat(Math.ceil(30_000 / piece.length)), t1Result([59.5]));
    // A quarter of a second; many times that where time grows with the square.
    expect(cpuMs(work)).toBeLessThan(4_000);
  },
);

test('a result of 1,024 qubits is read in a moment', () => {
  const evidence = { calls: [largeResult()], userTexts: [], metrics: shippedMetrics.metrics, now: NOW };
  const times = Array.from({ length: 10 }, () => {
    return cpuMs(() => {
      const numbers = groundNumbers('The parameter_3 of Q512 is 512.03 μs.', evidence);
      expect(numbers).toMatchObject([{ status: 'SOURCED' }]);
    });
  });
  // The best of several, with room for a slow machine; the bench measures it.
  expect(Math.min(...times)).toBeLessThan(300);
});

describe('a result of another program', () => {
  const outside = (result: object) => ({ data: { server: 'fridge', tool: 'read', result }, source: 'MCP' });
  const seen = (text: string, result: object, earlier?: object) =>
    ground(text, outside(result), earlier ? { earlier } : {}).map(
      ({ text: shown, status, recordId, callId }) => [shown, status, callId, recordId],
    );

  test('is a source, and never a record, whatever it calls itself', () => {
    const rows = [{ qid: '1', parameter: 't1', value: 59.5, unit: 'μs', task_id: 'task-1', chip_id: 'c' }];
    expect(seen('T1 of Q1 is 59.5 μs.', { rows })).toEqual([['59.5', 'SOURCED', 'c1', null]]);
  });

  test('has its units in the names of its fields, and in its words', () => {
    const found = {
      mixing_chamber_mK: 12.3,
      power: { value: 3.2, unit: 'mV' },
      said: 'the still is at 842 mK',
    };
    expect(seen('The plate is at 12.3 mK, 3.2 mV, the still at 842 mK, not 12.3 K.', found)).toEqual([
      ['12.3', 'SOURCED', 'c1', null],
      ['3.2', 'SOURCED', 'c1', null],
      ['842', 'SOURCED', 'c1', null],
      ['12.3', 'UNSOURCED', null, null],
    ]);
  });

  test('stands behind what is stored, and redefines no parameter of ours', () => {
    const claim = {
      t1: { title: 'T1', value: 59.5, unit: 'ms', display_unit: 'ms', scale: 1_000, name: 't1' },
    };
    const both = groundNumbers('T1 of Q1 is 59.5 μs.', {
      calls: [
        {
          callId: 'c2',
          arguments: {},
          result: outside({ rows: [{ qid: '1', value: 59.5, unit: 'μs' }], ...claim }),
        },
        { callId: 'c1', arguments: {}, result: t1Result([5e4, 59.5]) },
      ],
      userTexts: [],
      metrics: shippedMetrics.metrics,
      now: NOW,
    });
    expect(both).toMatchObject([{ status: 'SOURCED', callId: 'c1', recordId: 'task-1' }]);
  });
});
