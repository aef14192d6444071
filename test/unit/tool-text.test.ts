import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dataKey, summariseStored } from '../../src/agent/data/stored-result.ts';
import { modelText, resultJson } from '../../src/agent/loop/tool-text.ts';
import type { Chip } from '../../src/domain/chip/chip.ts';
import type { JsonObject } from '../../src/domain/visuals.ts';
import { resultOf } from '../support/agent-run.ts';

const freshness = {
  source: 'SNAPSHOT',
  newestAt: new Date('2026-03-01T00:00:00Z'),
  oldestAt: new Date('2026-02-01T00:00:00Z'),
  staleAfterSeconds: 172_800,
} as const;

type Read = { data: unknown; formattedSummary: string; freshness: object; source: string; _note?: string };
const read = (text: string): Read => JSON.parse(text) as Read;

describe('What a model reads of a tool', () => {
  test('has data, summary, freshness and source, the latter three unmodified', () => {
    const summary = 'T1: 12.345678 μs on Q07 | "median" 52.1 μs';
    const result = resultOf(summary, { data: { values: [0.123456789] }, freshness });
    expect(read(modelText(result, 30_000))).toEqual({
      data: { values: [0.123456789] },
      formattedSummary: summary,
      freshness: {
        source: 'SNAPSHOT',
        newestAt: '2026-03-01T00:00:00.000Z',
        oldestAt: '2026-02-01T00:00:00.000Z',
        staleAfterSeconds: 172_800,
      },
      source: 'SNAPSHOT',
    });
  });

  test('has null for numbers that are not finite and for nothing', () => {
    const data = { a: NaN, b: [Infinity, -Infinity], c: undefined, d: new Date(0) };
    expect(read(modelText(resultOf('x', { data }), 30_000)).data).toEqual({
      a: null,
      b: [null, null],
      d: '1970-01-01T00:00:00.000Z',
    });
    expect(read(modelText(resultOf('x', { data: { toJSON: () => undefined } }), 30_000)).data).toBeNull();
  });

  test('writes times as text and other scripts as they are', () => {
    const data = { at: new Date(0), note: '測定 μs “T1”' };
    const text = modelText(resultOf('x', { data }), 30_000);
    expect(text).toContain('"at":"1970-01-01T00:00:00.000Z"');
    expect(text).toContain('測定 μs “T1”');
  });

  test('is the short form where there is one; the record of the call has the whole', () => {
    const result = resultOf('x', { data: { rows: [1, 2, 3] }, modelData: { rows: 3 } });
    expect(read(modelText(result, 30_000)).data).toEqual({ rows: 3 });
    expect(read(resultJson(result)).data).toEqual({ rows: [1, 2, 3] });
  });

  test('has no task results; the record of the call names that of each current value', () => {
    const stored = {
      qid: '12',
      label: 'Q12',
      parameter: 't1',
      isStored: true,
      measuredAt: new Date(0),
      taskId: 'task-1',
    };
    const missing = { ...stored, qid: '13', label: 'Q13', isStored: false, measuredAt: null, taskId: null };
    const chip = { chipId: 'c' } as Chip;
    const result = resultOf('x', { current: { chip, scope: 'QUBIT', values: [stored, missing] } });
    expect(read(resultJson(result))).toMatchObject({
      records: { t1: { 12: ['task-1', '1970-01-01T00:00:00.000Z'] } },
    });
    expect(Object.keys(read(modelText(result, 30_000)))).toEqual([
      'data',
      'formattedSummary',
      'freshness',
      'source',
    ]);
  });

  test('cuts the longest list first and leaves small ones whole', () => {
    const data = {
      nodes: Array.from({ length: 900 }, (_, id) => ({ id, text: 'x'.repeat(40) })),
      edges: [[1, 2]],
    };
    const text = read(modelText(resultOf('graph', { data }), 10_000));
    const { nodes, edges } = text.data as typeof data;
    expect(edges).toEqual(data.edges);
    expect(text._note).toContain(`data.nodes: ${nodes.length} of 900 shown`);
  });

  test('says so when there are no rows to cut', () => {
    const text = read(modelText(resultOf('long', { data: { text: 'x'.repeat(50_000) } }), 10_000));
    expect(text.data).toBeNull();
    expect(text._note).toMatch(/^Left out of data: text\. Ask for fewer/);
  });

  test('refuses a summary that alone is too long', () => {
    expect(() => modelText(resultOf('x'.repeat(11_000)), 10_000)).toThrow(RangeError);
  });

  test('is always valid JSON within its length, with whole rows from the front', () => {
    const rows = fc.array(fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 60 })), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1000, max: 4000 }), (list, max) => {
        const text = modelText(resultOf('s', { data: { list } }), max);
        expect(text.length).toBeLessThanOrEqual(max);
        const { data } = read(text) as { data: { list: unknown[] } };
        expect(JSON.stringify(data.list)).toBe(JSON.stringify(list.slice(0, data.list.length)));
      }),
    );
  });
});

describe('A stored result', () => {
  const series = (qubits: number): JsonObject => ({
    chip_id: 'big',
    parameter_name: 't1',
    unit: 'us',
    num_qubits: qubits,
    statistics: { mean: 52.13, median: 51.9, stdev: 8.123, min: 12.3, max: 98.76, count: qubits },
    qubits: Array.from({ length: qubits }, (_, qid) => ({ qid: String(qid), latest: 5.05, trend: 'stable' })),
    timeseries: Array.from({ length: qubits }, (_, qid) => ({
      qid: String(qid),
      value: 5.05,
      start_at: 'x',
    })),
  });

  test('becomes columns and row count, and says where the whole is', () => {
    expect(summariseStored(series(64), 't1')).toEqual({
      ...series(64),
      qubits: { _schema: ['qid', 'latest', 'trend'], _rows: 64 },
      timeseries: { _schema: ['qid', 'value', 'start_at'], _rows: 64 },
      data_key: 't1',
      _note: expect.stringContaining('data["t1"]'),
    });
  });

  test('stays under 1,000 characters at 1,024 qubits', () => {
    const modelData = summariseStored(series(1024), 't1');
    const summary =
      'T1 of 1024 qubits, 10240 values from 2026-01-01 to 2026-03-01 UTC; median 51.9 μs. Source: stored.';
    const text = modelText(resultOf(summary, { data: series(1024), modelData, freshness }), 30_000);
    expect(text.length).toBeLessThan(1000);
  });

  const asked = { name: 't1', chipId: 'a', sessionChipId: 'a', otherArguments: {} };

  test.each([
    ['the plain name for the chip of the session', asked, /^t1$/],
    ['the chip when it is another', { ...asked, chipId: 'b' }, /^t1@b$/],
    ['the chip when the session has none', { ...asked, sessionChipId: null }, /^t1@a$/],
    ['a hash of other arguments', { ...asked, otherArguments: { last_n: 50 } }, /^t1#[0-9a-f]{8}$/],
    ['both', { ...asked, chipId: 'b', otherArguments: { last_n: 50 } }, /^t1@b#[0-9a-f]{8}$/],
  ])('is kept under %s', (_name, key, form) => {
    expect(dataKey(key)).toMatch(form);
  });

  test('is kept under the same key whatever the order of its arguments, and under another for others', () => {
    const keyOf = (otherArguments: JsonObject) => dataKey({ ...asked, otherArguments });
    expect(keyOf({ a: 1, b: 2 })).toBe(keyOf({ b: 2, a: 1 }));
    expect(keyOf({ a: 1 })).not.toBe(keyOf({ a: 2 }));
  });
});
