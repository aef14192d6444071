/** What QDash's own tests of its copilot assert, with the same numbers, and where ours answers otherwise on purpose. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AGED_CHIP, writeAgedDatabase } from '../support/qdash-ages.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  parameter,
  t1Result,
  viewer,
  type QdashDatabase,
} from '../support/qdash-database.ts';
import { argumentsOf, openToolBench, type ToolBench } from '../support/tool-bench.ts';

const CHIP = 'two-qubits';

let qdash: QdashDatabase;
let bench: ToolBench;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  const { db } = qdash;
  await writeAgedDatabase(db, 'HEAD');
  await db.collection('chip').insertMany([chipDocument(CHIP), chipDocument('empty')]);
  await db.collection('qubit').insertMany([
    entityDocument(CHIP, '1', { t1: parameter(10, 'us') }),
    entityDocument(CHIP, '0', {
      t1: parameter(12, 'us'),
      f01_quality_level: parameter('good', ''),
      t2_star: parameter(30.123456789, 'us'),
    }),
    entityDocument(CHIP, '2'),
  ]);
  await db
    .collection('task_result_history')
    .insertMany([
      t1Result(CHIP, '0', '2026-02-21T02:00:00Z', 8),
      t1Result(CHIP, '1', '2026-02-21T03:00:00Z', 12.1),
      t1Result(CHIP, '0', '2026-02-22T02:00:00Z', 10),
      t1Result(CHIP, '1', '2026-02-22T03:00:00Z', 12),
      t1Result(CHIP, '2', '2026-02-22T04:00:00Z', 'no fit'),
    ]);
  bench = openToolBench({ services: qdash.services, viewer, chipId: CHIP, now: NOW });
});
afterAll(() => qdash.close());

const call = (name: string, given: object = {}) => bench.call(name, argumentsOf(name, given));
async function read<Data>(name: string, given: object = {}): Promise<Data> {
  const { output, error } = await call(name, given);
  expect(error).toBeNull();
  return (JSON.parse(output) as { data: Data }).data;
}
async function kept<Data>(key: string): Promise<Data> {
  return JSON.parse((await bench.context.dataStore.get(key))!) as Data;
}

describe('histories of a chip', () => {
  test('give figures over the newest values, trends, and all points in the order of their times', async () => {
    const { statistics } = await read<{ statistics: object }>('get_chip_parameter_timeseries', {
      parameter_name: 't1',
      last_n: 2,
    });
    expect(statistics).toMatchObject({ count: 2, mean: 11, median: 11, min: 10, max: 12, unit: 'μs' });
    expect(statistics).toMatchObject({ stdev: 1.414 });
    const key = (await bench.context.dataStore.list()).at(-1)!.key;
    const { qubits, timeseries } = await kept<{ qubits: object[]; timeseries: object[] }>(key);
    expect(qubits).toMatchObject([
      { qid: '0', latest: 10, count: 2, trend: null },
      { qid: '1', latest: 12, count: 2, trend: null },
      // QDash keeps the text as the latest value; here it is no value (B11).
      { qid: '2', latest: null, count: 0, trend: null },
    ]);
    expect(timeseries).toMatchObject([
      { qid: '0', t: '2026-02-21T02:00:00.000Z', v: 8 },
      { qid: '1', t: '2026-02-21T03:00:00.000Z', v: 12.1 },
      { qid: '0', t: '2026-02-22T02:00:00.000Z', v: 10 },
      { qid: '1', t: '2026-02-22T03:00:00.000Z', v: 12 },
    ]);
  });
});

describe('the summary of a chip', () => {
  test('has sample figures, uniform rows in numeric order, and texts as they are', async () => {
    type Summary = { statistics: Record<string, object>; qubits: object[] };
    const { statistics } = await read<Summary>('get_chip_summary');
    expect(statistics['t1']).toMatchObject({
      mean: 11,
      median: 11,
      stdev: 1.414,
      min: 10,
      max: 12,
      count: 2,
    });
    // QDash says a deviation of 0 of one value; of one value none is known (B11).
    expect(statistics['t2_star']).toMatchObject({ count: 1, stdev: null, mean: 30.12 });
    expect((await kept<Summary>('chip_summary')).qubits).toEqual([
      { qid: '0', t1: 12, t2_star: 30.123456789, f01_quality_level: 'good' },
      { qid: '1', t1: 10, t2_star: null, f01_quality_level: null },
      { qid: '2', t1: null, t2_star: null, f01_quality_level: null },
    ]);
  });

  test('of a chip without qubits is an error, of which nothing is kept', async () => {
    const { error } = await call('get_chip_summary', { chip_id: 'empty' });
    expect(error?.message).toBe('chip empty has no qubits');
    expect((await bench.context.dataStore.list()).map(({ key }) => key)).not.toContain('chip_summary@empty');
  });
});

describe('names of parameters', () => {
  test('come sorted and counted, for the qubit that was asked for', async () => {
    expect(await read('list_available_parameters', { qid: '0' })).toMatchObject({
      qid: '0',
      count: 3,
      parameters: [{ name: 'f01_quality_level' }, { name: 't1' }, { name: 't2_star' }],
    });
  });

  test('of a qubit without any are said to be none; of an unknown qubit nothing is said (B16)', async () => {
    const none = await call('list_available_parameters', { qid: '2' });
    expect(none.result?.formattedSummary).toBe(`No parameters are stored for 2 on ${CHIP}.`);
    const unknown = await call('list_available_parameters', { qid: '5' });
    expect(unknown.error?.message).toMatch(/no qubit 5/);
  });
});

describe('lineage', () => {
  const graph = (given: object) => call('get_provenance_lineage_graph', { chip_id: AGED_CHIP, ...given });

  test.each(['', 't1:1', 't1:1:20260223-001', 't1:1:20260223-001:t1-1:more'])(
    'of %j is refused: that is no id of a version',
    async (entity_id) => {
      const { error } = await graph({ entity_id });
      expect(error?.message).toMatch(/is not parameter:qid:execution:task/);
    },
  );

  test.each([99, -5, 0])(
    'of depth %i is refused, naming the bounds, not cut in silence',
    async (max_depth) => {
      await expect(graph({ entity_id: 't1:1:20260223-001:t1-1-2026-02-23', max_depth })).rejects.toThrow(
        /max_depth: Too (big|small).*(<=20|>=1)/,
      );
    },
  );

  test('tells parameter, value, version and task of a version, and run and end of an activity', async () => {
    const { nodes } = await read<{ nodes: object[] }>('get_provenance_lineage_graph', {
      chip_id: AGED_CHIP,
      entity_id: 't1:1:20260223-001:t1-1-2026-02-23',
    });
    expect(nodes).toEqual([
      expect.objectContaining({
        type: 'entity',
        depth: 0,
        param: 't1',
        qid: '1',
        value: 44,
        unit: 'μs',
        ver: 3,
      }),
      // An older version says which one has taken its place.
      expect.objectContaining({ type: 'entity', depth: 1, value: 42, ver: '1/3', task: 'CheckT1' }),
      expect.objectContaining({ type: 'activity', depth: 1, task: 'CheckT1', status: 'completed' }),
    ]);
    for (const node of nodes)
      expect(node).toMatchObject({ exec_id: expect.stringMatching(/^202602\d\d-001$/) });
  });
});

test('no history is told apart from a parameter that the chip does not have (B16)', async () => {
  const none = await call('get_parameter_timeseries', { parameter_name: 't2_star', qid: '1' });
  expect(none.result?.formattedSummary).toMatch(/of Q01 on two-qubits: no results/);
  const unknown = await call('get_parameter_timeseries', { parameter_name: 't9', qid: '1' });
  expect(unknown.error?.message).toMatch(/no parameter t9 on chip two-qubits; its parameters: .*t1/);
});
