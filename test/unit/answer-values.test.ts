import { describe, expect, test } from '@jest/globals';
import { valuesOfCalls } from '../../src/domain/conversation/answer-values.ts';

const ok = (data: object) => ({ status: 'OK' as const, resultJson: JSON.stringify({ data }) });
const keys = (...calls: readonly Parameters<typeof valuesOfCalls>[0][number][]) =>
  valuesOfCalls(calls).map(({ qid, parameter }) => `${qid} ${parameter}`);

describe('the values that an answer stands on', () => {
  test('are those of a qubit’s parameters, with their records', () => {
    const parameter = { name: 't1', value: 80, unit: 'μs', calibrated_at: '2026-05-19T23:21:00.000Z' };
    const record = { execution_id: 'e1', task_id: 't1' };
    expect(
      valuesOfCalls([ok({ chip_id: 'a', qid: '7', parameters: [{ ...parameter, ...record }] })]),
    ).toEqual([
      {
        chipId: 'a',
        qid: '7',
        parameter: 't1',
        record: {
          source: 'STORED',
          taskId: 't1',
          executionId: 'e1',
          measuredAt: new Date('2026-05-19T23:21:00.000Z'),
        },
      },
    ]);
  });

  test.each([
    [
      'a comparison of qubits',
      { parameters: [{ name: 't1', unit: 'μs' }], qubits: [{ qid: '3', t1: 5, label: 'x' }] },
    ],
    [
      'a chip summary',
      { statistics: { t1: { mean: 1 } }, health: { good: 3 }, qubits: [{ qid: '3', t1: 5 }] },
    ],
    ['a ranking', { metric_name: 't1', rows: [{ rank: 1, qid: '3', value: 5, unit: 'μs' }] }],
    ['outliers', { outliers: [{ qid: '3', parameter: 't1', value: 5, unit: 'μs', score: 9 }] }],
    ['a series', { parameter_name: 't1', qid: '3', values: [{ t: '2026-01-01T00:00:00Z', v: 5 }] }],
    [
      'series of a chip',
      { parameter_name: 't1', timeseries: [{ qid: '3', t: '2026-01-01T00:00:00Z', v: 5 }] },
    ],
    ['a comparison of periods', { parameter_name: 't1', rows: [{ entity: 'Q03', current: 5, previous: 4 }] }],
    [
      'a task result',
      { result: { qid: '3', task_id: 'x', output_parameters: { t1: { value: 5, unit: 'μs' } } } },
    ],
    [
      'a verification',
      { rows: [{ qid: '3', parameter: 't1', unit: 'μs', stored: { value: 5 }, live: { value: 6 } }] },
    ],
    ['live values', { values: [{ qid: '3', parameter: 't1', value: 5, unit: 'μs' }] }],
  ])('are found in %s', (_what, data) => expect(keys(ok(data))).toEqual(['3 t1']));

  test('are found of couplings', () => {
    const data = { couplings: [{ coupling_id: '0-1', parameters: [{ name: 'zx', value: 0.9, unit: '' }] }] };
    expect(keys(ok(data))).toEqual(['0-1 zx']);
  });

  test('are neither missing values, nor statistics, nor live values beside stored ones, nor of whole chips', () => {
    const data = {
      metric_name: 't1',
      statistics: { t1: { value: 3, unit: 'μs' } },
      total: { entity: 'demo-64', current: 5 },
      rows: [{ qid: '3', value: null, unit: 'μs' }],
      live: { values: [{ qid: '9', parameter: 't1', value: 5, unit: 'μs' }] },
    };
    expect(keys(ok(data))).toEqual([]);
  });

  test('stand once each, of a series its newest point, whatever the order', () => {
    const points = ['02', '04', '03'].map((day) => ({
      qid: '3',
      t: `2026-01-${day}T00:00:00Z`,
      v: 1,
      task_id: day,
    }));
    const series = ok({ parameter_name: 't1', timeseries: points });
    const values = valuesOfCalls([series, ok({ metric_name: 't1', rows: [{ qid: '3', value: 1 }] })]);
    expect(values).toMatchObject([{ qid: '3', record: { taskId: '04' } }]);
  });

  describe('have one row as their record:', () => {
    const at = '2026-05-19T23:21:00.000Z';
    const later = '2026-05-20T00:00:00.000Z';
    const recordOf = (data: object, rest: object = {}) =>
      valuesOfCalls([{ status: 'OK', resultJson: JSON.stringify({ data, ...rest }) }])[0]!.record;

    test('live ones that of the control system, whose time is theirs', () => {
      const data = { values: [{ qid: '3', parameter: 't1', value: 5, unit: 'μs', at }] };
      expect(recordOf(data, { source: 'LIVE' })).toEqual({
        source: 'LIVE',
        taskId: null,
        executionId: null,
        measuredAt: new Date(at),
      });
    });

    test('of a verification the stored side, with the stored time', () => {
      const sides = { stored: { value: 5, at }, live: { value: 6, at: later } };
      const row = { qid: '3', parameter: 't1', unit: 'μs', ...sides, task_id: 'r1', execution_id: 'e1' };
      expect(recordOf({ rows: [row] }, { source: 'LIVE' })).toEqual({
        source: 'STORED',
        taskId: 'r1',
        executionId: 'e1',
        measuredAt: new Date(at),
      });
    });

    test('columns that which the call keeps beside its data', () => {
      const data = { parameters: [{ name: 't1', unit: 'μs' }], qubits: [{ qid: '3', t1: 5 }] };
      expect(recordOf(data, { records: { t1: { '3': ['r1', at] } } })).toMatchObject({
        taskId: 'r1',
        measuredAt: new Date(at),
      });
    });

    test('a row within another takes nothing from it if it is another', () => {
      const inner = { qid: '3', parameter: 't1', value: 5, at: later };
      expect(recordOf({ task_id: 'r0', execution_id: 'e0', at, rows: [inner] })).toEqual({
        source: 'STORED',
        taskId: null,
        executionId: null,
        measuredAt: new Date(later),
      });
    });

    test('of two readings at one time the one that names its record, not a piece of each', () => {
      const row = { qid: '3', parameter: 't1', value: 5, at };
      const [value] = valuesOfCalls([
        ok({ rows: [{ ...row, execution_id: 'e0' }] }),
        ok({ rows: [{ ...row, task_id: 'r1' }] }),
      ]);
      expect(value!.record).toMatchObject({ taskId: 'r1', executionId: null });
    });

    test('a time without a year is none', () => {
      expect(
        recordOf({ rows: [{ qid: '3', parameter: 't1', value: 5, at: '05-19 23:21 UTC' }] }),
      ).toMatchObject({
        measuredAt: null,
      });
    });
  });

  test('are not those of calls that failed or gave nothing', () => {
    const { resultJson } = ok({ qid: '3', parameter: 't1', value: 5 });
    expect(keys({ status: 'ERROR', resultJson }, { status: 'OK', resultJson: null })).toEqual([]);
  });
});
