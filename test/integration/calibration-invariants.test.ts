import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Chip } from '../../src/domain/chip.ts';
import { statisticsOf } from '../../src/domain/statistics.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  t1Result,
  viewer,
} from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';

/** The invariants that hold for any history: what must not change a figure, and which figures must be the same. */

const QIDS = ['0', '1', '2', '4'];
let qdash: QdashDatabase;
let chip: Chip;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  await qdash.db.collection('chip').insertOne(chipDocument('C1'));
  await qdash.db.collection('qubit').insertMany(QIDS.map((qid) => entityDocument('C1', qid)));
  chip = await qdash.services.chips.get(viewer, 'C1');
});
afterAll(() => qdash.close());

type Run = { readonly qid: string; readonly hour: number; readonly value: number };
const runs = fc.uniqueArray(
  fc.record({
    qid: fc.constantFrom(...QIDS),
    hour: fc.integer({ min: 0, max: 200 }),
    value: fc.integer({ min: 1, max: 100 }),
  }),
  { selector: ({ qid, hour }) => `${qid}@${hour}`, minLength: 1, maxLength: 20 },
);

const timeOf = (hour: number): string => new Date(NOW.getTime() - (400 - hour) * 3_600_000).toISOString();
const documentOf = ({ qid, hour, value }: Run, rest: object = {}) =>
  t1Result('C1', qid, timeOf(hour), value, { task_id: `${qid}@${hour}@${value}`, ...rest });
const results = () => qdash.db.collection('task_result_history');

async function store(history: readonly Run[]): Promise<void> {
  await results().deleteMany({});
  await results().insertMany(history.map((run) => documentOf(run)));
}

/** What each way of asking for the present gives. */
async function figures() {
  const { chipMetrics, chipTimeseries, periodComparisons } = qdash.services;
  const request = { parameter: 't1', windowHours: 401 } as const;
  const [metric, series, byQubit, byMux] = await Promise.all([
    chipMetrics.get(chip, { name: 't1' }),
    chipTimeseries.get(chip, { parameter: 't1', lastN: 200 }),
    periodComparisons.get(chip, request),
    periodComparisons.get(chip, { ...request, level: 'MUX' }),
  ]);
  return {
    latest: metric.values.map(({ value }) => value),
    lastPoints: series.series.map(({ points }) => points.at(-1)?.value ?? null),
    window: byQubit.rows.map(({ current }) => current),
    muxes: byMux.rows.map(({ entity, current }) => [entity, current]),
    medians: [metric.statistics, series.statistics, byQubit.current.statistics, byMux.current.statistics].map(
      ({ stored }) => stored.median,
    ),
    cells: metric.heatmap.data.flatMap(({ z }) => (z as number[][]).flat()).filter((cell) => cell !== null),
  };
}

/** The same, computed from the runs alone. */
function expected(history: readonly Run[]) {
  const latest = QIDS.map((qid) => {
    const own = history.filter((run) => run.qid === qid).toSorted((a, b) => b.hour - a.hour);
    return own[0]?.value ?? null;
  });
  const measured = latest.flatMap((value) => value ?? []);
  const meanOf = (values: readonly (number | null)[]) =>
    statisticsOf(values.flatMap((value) => value ?? [])).mean;
  const { median } = statisticsOf(measured);
  return {
    latest,
    lastPoints: latest,
    window: latest,
    // By topology: a MUX of the grid is a block of two by two; qubits 0, 1 and 2 are of the first, 4 of the second.
    muxes: [
      ['MUX 0', meanOf(latest.slice(0, 3))],
      ['MUX 1', latest[3]],
    ],
    medians: [median, median, median, median],
    cells: expect.arrayContaining(measured),
  };
}

test('latest, series, heatmap, windows and medians agree, and nothing that does not count changes them', async () => {
  await fc.assert(
    fc.asyncProperty(runs, fc.constantFrom(...QIDS), async (history, qid) => {
      await store(history);
      expect(await figures()).toEqual(expected(history));

      await store(history.toReversed());
      expect(await figures()).toEqual(expected(history));

      const older = { qid, hour: -1, value: 7 };
      if (history.some((run) => run.qid === qid)) {
        await results().insertOne(documentOf(older));
        expect(await figures()).toEqual(expected(history));
      }

      const failure = {
        status: 'failed',
        output_parameters: {},
        output_parameter_names: [],
        task_id: 'failed',
      };
      await results().insertOne(documentOf({ qid, hour: 300, value: 0 }, failure));
      const excluded = { qid, hour: 301, value: 999 };
      await results().insertOne(documentOf(excluded, { excluded: true }));
      const before = history.some((run) => run.qid === qid) ? [...history, older] : history;
      expect(await figures()).toEqual(expected(before));
    }),
    { numRuns: 8 },
  );
});

test('excluding the newest result makes the one before it the latest', async () => {
  const history = [
    { qid: '0', hour: 1, value: 40 },
    { qid: '0', hour: 2, value: 50 },
  ];
  await store(history);
  await results().updateOne({ task_id: '0@2@50' }, { $set: { excluded: true } });
  expect(await figures()).toEqual(expected(history.slice(0, 1)));
});
