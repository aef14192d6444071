import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal128, Long, ObjectId, type Document } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  type QdashDatabase,
  resultDocument,
  t1Result,
  viewer,
} from '../support/qdash-database.ts';

/**
 * What has been found in databases of laboratories, and worse: rows that nobody can read stand among the good ones, in
 * every collection, and every service answers with what is good.
 */
const GOOD = 15;
const DEEP = Array.from({ length: 40 }).reduce<Document>((inner) => ({ inner }), { value: 1 });
const HUGE = 'x'.repeat(5_000);

/** Values that no field of these is supposed to have. */
const ODD: readonly unknown[] = [
  'unknown',
  '',
  'now',
  '2026-02-24',
  '2026-02-24T12:00:00',
  null,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  true,
  [],
  [1, 2],
  [new Date('2026-02-24T00:00:00Z')],
  [{ value: 1 }],
  {},
  { value: { value: 1 } },
  { value: [99, 100] },
  { value: 'text', unit: 7, error: [] },
  Long.MAX_VALUE,
  Decimal128.fromString('48.5'),
  Decimal128.fromString('NaN'),
  Decimal128.fromString('Infinity'),
  Decimal128.fromString('1E+6000'),
  new ObjectId(),
  new Date(8.64e15),
  DEEP,
  HUGE,
];

/** Good values of qubit 3, oldest first: decimals and others, with and without a unit. */
const DECIMALS = [
  parameter(Decimal128.fromString('41.50')),
  parameter(43),
  Decimal128.fromString('45.25'),
  parameter(Decimal128.fromString('4.225E+1'), 'μs', { error: Decimal128.fromString('0.5') }),
];

const isNumber = (odd: unknown): boolean =>
  odd instanceof Decimal128 ? Number.isFinite(Number(odd)) : Number.isFinite(odd) || odd instanceof Long;

let qdash: QdashDatabase;
let chip: Chip;

beforeAll(async () => {
  qdash = await openQdashDatabase();
  const { db } = qdash;
  await db.collection('project').insertMany([
    { project_id: 'p1', name: 'Lab' },
    { project_id: ['p2'], name: 7 },
  ]);
  await db.collection('chip').insertOne(chipDocument('C1', { topology_id: 'square-lattice-mux-16' }));
  const current = { t1: parameter(40), qubit_frequency: parameter(4.7, 'GHz') };
  await db.collection('qubit').insertMany([
    entityDocument('C1', '0', current),
    entityDocument('C1', '1', current),
    entityDocument('C1', '3', {
      t1: parameter(Decimal128.fromString('42.25'), 'μs', { error: Decimal128.fromString('0.5') }),
      qubit_frequency: Decimal128.fromString('4.71'),
    }),
    ...ODD.map((odd, index) => entityDocument('C1', '1', { t1: odd }, { username: `odd-${index}` })),
    ...ODD.map((odd, index) => entityDocument('C1', '2', {}, { username: `odd-${index}`, data: odd })),
  ]);
  await db
    .collection('coupling')
    .insertMany([
      entityDocument('C1', '0-1', { zx90_gate_fidelity: parameter(0.98, 'a.u.') }),
      ...ODD.map((odd, index) =>
        entityDocument('C1', '0-1', { zx90_gate_fidelity: odd }, { username: `odd-${index}` }),
      ),
    ]);
  const good = Array.from({ length: GOOD }, (_, index) =>
    t1Result('C1', '0', new Date(Date.UTC(2026, 1, 20, index)).toISOString(), 40 + index, {
      task_id: `good-${index}`,
    }),
  );
  // All newer than the good ones, as far as they can be read at all.
  const at = '2026-02-23T00:00:00Z';
  const fields = ['end_at', 'start_at', 'output_parameters', 'output_parameter_names', 'status', 'excluded'];
  const other = [
    'elapsed_time',
    'message',
    'tags',
    'user_note',
    'cooldown_id',
    'system_info',
    'run_parameters',
  ];
  const oddResults = ODD.flatMap((odd, index) => [
    ...fields.map((field) =>
      // MongoDB takes no two arrays into one index, so a list of times has no list of tags.
      resultDocument('C1', '1', at, { task_id: `odd-${field}-${index}`, tags: null, [field]: odd }),
    ),
    resultDocument('C1', '1', at, {
      task_id: `odd-other-${index}`,
      ...Object.fromEntries(other.map((field) => [field, odd])),
    }),
    resultDocument('C1', '0', at, {
      task_id: `odd-times-${index}`,
      output_parameters: { t1: parameter(999) },
      start_at: 'unknown',
      end_at: odd instanceof Date || typeof odd === 'string' || Array.isArray(odd) ? 'unknown' : odd,
    }),
    resultDocument('C1', '0', at, {
      task_id: `odd-value-${index}`,
      output_parameters: { t1: isNumber(odd) ? 'none' : odd },
    }),
    resultDocument('C1', '0', at, {
      task_id: `odd-inner-${index}`,
      output_parameters: { t1: parameter(isNumber(odd) ? 'none' : odd) },
    }),
  ]);
  const decimals = DECIMALS.map((t1, index) =>
    resultDocument('C1', '3', new Date(Date.UTC(2026, 1, 20, index)).toISOString(), {
      task_id: `decimal-${index}`,
      output_parameters: { t1 },
    }),
  );
  await db.collection('task_result_history').insertMany([...good, ...decimals, ...oddResults]);
  await db.collection('execution_history').insertMany(
    ODD.map((odd, index) => ({
      project_id: 'p1',
      chip_id: 'C1',
      execution_id: `e${index}`,
      name: odd,
      status: odd,
      tags: odd,
      start_at: odd,
      end_at: odd,
      message: odd,
    })),
  );
  await db.collection('calibration_note').insertMany(
    ODD.map((odd, index) => ({
      project_id: 'p1',
      chip_id: 'C1',
      execution_id: `e${index}`,
      task_id: `t${index}`,
      username: 'rin',
      note: odd,
      timestamp: odd,
    })),
  );
  await db.collection('forum_post').insertMany(
    ODD.map((odd) => ({
      project_id: 'p1',
      chip_id: 'C1',
      parent_id: null,
      content: odd,
      system_info: odd,
    })),
  );
  await db.collection('cooldown').insertMany(
    ODD.map((odd, index) => ({
      project_id: 'p1',
      cooldown_id: `c${index}`,
      started_at: odd,
      ended_at: odd,
      note: odd,
    })),
  );
  await db.collection('parameter_versions').insertMany(
    ODD.map((odd, index) => ({
      project_id: 'p1',
      chip_id: 'C1',
      entity_id: `t1:0:e${index}:t${index}`,
      parameter_name: 't1',
      qid: '0',
      version: index + 1,
      value: odd,
      valid_from: odd,
    })),
  );
  chip = await qdash.services.chips.get(viewer, 'C1');
});
afterAll(() => qdash.close());

describe('among rows that cannot be read', () => {
  test('best, mean and latest are those of the good rows', async () => {
    const { chipMetrics } = qdash.services;
    const of = async (selection: 'LATEST' | 'BEST' | 'AVERAGE') =>
      (await chipMetrics.get(chip, { name: 't1', selection })).values.find(({ qid }) => qid === '0');
    expect(await of('LATEST')).toMatchObject({ displayValue: 54, taskId: 'good-14' });
    expect(await of('BEST')).toMatchObject({ displayValue: 54, taskId: 'good-14' });
    expect(await of('AVERAGE')).toMatchObject({ displayValue: 47, runs: GOOD });
  });

  test('a history has every good row and only those', async () => {
    const { series } = await qdash.services.chipTimeseries.get(chip, {
      parameter: 't1',
      qids: ['0'],
      lastN: 50,
    });
    expect(series.map(({ points }) => points.length)).toEqual([GOOD]);
    const from = new Date('2026-02-20T05:00:00Z');
    const part = await qdash.services.chipTimeseries.get(chip, { parameter: 't1', qids: ['0'], from });
    expect(part.series.map(({ points }) => points.length)).toEqual([10]);
  });

  test('decimals are numbers like all others', async () => {
    const { chipMetrics, chipTimeseries, qubits } = qdash.services;
    const of = async (selection: 'LATEST' | 'BEST' | 'AVERAGE') =>
      (await chipMetrics.get(chip, { name: 't1', selection })).values.find(({ qid }) => qid === '3');
    expect(await of('LATEST')).toMatchObject({ displayValue: 42.25, error: 0.5, taskId: 'decimal-3' });
    expect(await of('BEST')).toMatchObject({ displayValue: 45.25, taskId: 'decimal-2' });
    // Of the runs in μs.
    expect(await of('AVERAGE')).toMatchObject({ displayValue: 42.25, error: 0.75, runs: 3 });
    const { series } = await chipTimeseries.get(chip, { parameter: 't1', qids: ['3'], lastN: 50 });
    const values = series.map(({ points }) => points.map(({ displayValue }) => displayValue));
    expect(values).toEqual([[41.5, 43, 45.25, 42.25]]);
    const [parameters] = await qubits.parameters(await qubits.getMany(chip, ['3']), null);
    expect(parameters).toMatchObject([
      { name: 'qubit_frequency', displayValue: 4.71 },
      { name: 't1', displayValue: 42.25, error: 0.5 },
    ]);
  });

  test('pages of lists have every row once', async () => {
    const { taskResults, executions, notes } = qdash.services;
    const results = await walked(
      (page) => taskResults.page(chip, page),
      ({ taskId }) => taskId,
    );
    const storedResults = await qdash.db
      .collection('task_result_history')
      .distinct('task_id', NO_LIST_OF_TIMES);
    expect(results).toHaveLength(storedResults.length);
    expect(new Set(results)).toEqual(new Set(storedResults));
    const runs = await walked(
      (page) => executions.page(chip, page),
      ({ executionId }) => executionId,
    );
    const storedRuns = await qdash.db
      .collection('execution_history')
      .distinct('execution_id', NO_LIST_OF_TIMES);
    expect(runs).toHaveLength(storedRuns.length);
    expect(new Set(runs)).toEqual(new Set(storedRuns));
    const machine = await walked(
      (page) => notes.machine(chip, page),
      ({ taskId }) => taskId,
    );
    expect(machine).toHaveLength(ODD.length - 1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['projects', () => qdash.services.projects.list()],
    ['the summary', () => qdash.services.chipSummaries.getMany([{ chip, parameters: null }])],
    ['qubits', () => qdash.services.qubits.ofChips([chip])],
    ['couplings', () => qdash.services.couplings.ofChips([chip])],
    [
      'a metric of couplings',
      () => qdash.services.chipMetrics.ofCouplings(chip, { name: 'zx90_gate_fidelity' }),
    ],
    ['names of tasks', () => qdash.services.taskResults.names(chip)],
    [
      'the latest result',
      () => qdash.services.taskResults.latest(chip, { taskName: 'CheckT1', qids: ['0', '1'] }),
    ],
    ['names of parameters', () => qdash.services.parameterNames.list(chip)],
    ['notes', () => qdash.services.notes.recorded(chip)],
    ['notes of the project', () => qdash.services.notes.ofProject(viewer)],
    ['versions', () => qdash.services.lineage.versions(chip, { parameter: 't1', qids: ['0'], lastN: 50 })],
    ['lineage', () => qdash.services.lineage.graph(chip, 't1:0:e3:t3')],
    ['cool-downs', () => qdash.services.cooldowns.list(viewer)],
    ['layer fidelities', () => qdash.services.layerFidelities.ofChip(chip)],
    [
      'a comparison',
      () => qdash.services.chipComparisons.compare(chip, { from: new Date('2026-02-20T12:00:00Z') }),
    ],
    [
      'a comparison of periods',
      () => qdash.services.periodComparisons.get(chip, { parameter: 't1', windowHours: 96 }),
    ],
  ])('%s are answered', async (_what, read) => {
    await expect(read()).resolves.toBeDefined();
  });
});

/** A start that is a list of times is in no order. */
const NO_LIST_OF_TIMES = { start_at: { $not: { $elemMatch: { $type: 'date' } } } };

type AnyPage<Item> = {
  readonly items: readonly { readonly item: Item; readonly cursor: string }[];
  readonly hasNextPage: boolean;
};

/** A field of all items, page by page. */
async function walked<Item>(
  read: (page: { first: number; after: string | null }) => Promise<AnyPage<Item>>,
  field: (item: Item) => string,
): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let after: string | null = null; ;) {
    const { items, hasNextPage } = await read({ first: 40, after });
    seen.push(...items.map(({ item }) => field(item)));
    if (!hasNextPage) return seen;
    after = items.at(-1)?.cursor ?? null;
  }
}
