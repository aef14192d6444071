/** Histories of a few qubits for tests of what must not change a figure, stored through the real driver. */
import fc from 'fast-check';
import type { Document } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  parameter,
  t1Result,
  viewer,
} from './qdash-database.ts';
import type { QdashDatabase } from './qdash-database.ts';

/** Qubits of the chip; by its topology the first three are of MUX 0 and the last is of MUX 1. */
export const QIDS = ['0', '1', '2', '4'] as const;

/** One good result: `hour` counts up to {@link LAST_HOUR}, which is before the tests' present. */
export type Run = { readonly qid: string; readonly hour: number; readonly value: number };

/** The newest hour of a run; later ones are free for what tests add. */
export const LAST_HOUR = 200;
const SPAN_HOURS = 400;

/** Some runs, never two of one qubit in one hour. */
export const runs: fc.Arbitrary<Run[]> = fc.uniqueArray(
  fc.record({
    qid: fc.constantFrom(...QIDS),
    hour: fc.integer({ min: 0, max: LAST_HOUR }),
    value: fc.integer({ min: 1, max: 100 }),
  }),
  { selector: ({ qid, hour }) => `${qid}@${hour}`, minLength: 1, maxLength: 16 },
);

/** A chip with those qubits, whose history tests replace. */
export type HistoryBench = {
  readonly qdash: QdashDatabase;
  readonly chip: Chip;
  /** Makes these the only results, and their newest the current values. */
  store(history: readonly Run[]): Promise<void>;
  /** Adds results as they are. */
  add(...documents: readonly Document[]): Promise<void>;
  close(): Promise<void>;
};

/** Opens an empty one. */
export async function openHistoryBench(): Promise<HistoryBench> {
  const qdash = await openQdashDatabase();
  const { db } = qdash;
  await db.collection('chip').insertOne(chipDocument('C1', { current_cooldown_id: 'second' }));
  const results = db.collection('task_result_history');
  return {
    qdash,
    chip: await qdash.services.chips.get(viewer, 'C1'),
    async store(history) {
      await Promise.all([results.deleteMany({}), db.collection('qubit').deleteMany({})]);
      await results.insertMany(history.map((run) => resultOf(run)));
      const set = new Map(latestRuns(history).map((run) => [run.qid, currentValueOf(run)]));
      await db
        .collection('qubit')
        .insertMany(QIDS.map((qid) => entityDocument('C1', qid, set.has(qid) ? { t1: set.get(qid) } : {})));
    },
    async add(...documents) {
      await results.insertMany([...documents]);
    },
    close: () => qdash.close(),
  };
}

/** The time of an hour, as ISO text. */
export const timeOf = (hour: number): string =>
  new Date(NOW.getTime() - (SPAN_HOURS - hour) * 3_600_000).toISOString();

const taskIdOf = ({ qid, hour }: Run): string => `${qid}@${hour}`;

/** The result of a run; `rest` says what is unusual about it. */
export const resultOf = (run: Run, rest: Document = {}): Document =>
  t1Result('C1', run.qid, timeOf(run.hour), run.value, { task_id: taskIdOf(run), ...rest });

const currentValueOf = (run: Run): Document =>
  parameter(run.value, 'μs', { task_id: taskIdOf(run), calibrated_at: new Date(timeOf(run.hour)) });

/** The newest run of each qubit, in the order of {@link QIDS}. */
export const latestRuns = (history: readonly Run[]): readonly Run[] =>
  QIDS.flatMap(
    (qid) => history.filter((run) => run.qid === qid).toSorted((a, b) => b.hour - a.hour)[0] ?? [],
  );

/** Every figure about the present, however it is asked for: no two ways may differ. */
export async function figuresOf({ qdash, chip }: HistoryBench) {
  const { chipMetrics, chipTimeseries, periodComparisons, chipSummaries } = qdash.services;
  const window = { parameter: 't1', windowHours: SPAN_HOURS + 1 } as const;
  const [metric, series, byQubit, byMux, [summary]] = await Promise.all([
    chipMetrics.get(chip, { name: 't1' }),
    chipTimeseries.get(chip, { parameter: 't1', lastN: 200 }),
    periodComparisons.get(chip, window),
    periodComparisons.get(chip, { ...window, level: 'MUX' }),
    chipSummaries.getMany([{ chip, parameters: ['t1'] }]),
  ]);
  if (summary instanceof Error || !summary) throw new Error('the chip has a summary');
  const statistics = [
    metric.statistics,
    series.statistics,
    byQubit.current.statistics,
    byMux.current.statistics,
    ...summary.parameters,
  ];
  return {
    latest: metric.values.map(({ value }) => value),
    lastPoints: series.series.map(({ points }) => points.at(-1)?.value ?? null),
    window: byQubit.rows.map(({ current }) => current),
    summary: summary.rows.map(({ parameters: [t1] }) => t1?.value ?? null),
    muxes: byMux.rows.map(({ entity, current }) => [entity, current]),
    total: byMux.total.current,
    medians: [...new Set(statistics.map(({ stored }) => stored.median))],
    counts: [...new Set(statistics.map(({ stored }) => stored.count))],
    means: [...new Set(statistics.map(({ stored }) => stored.mean))],
  };
}
/** What {@link figuresOf} gives. */
export type Figures = Awaited<ReturnType<typeof figuresOf>>;

/** The same, computed from the runs alone. */
export function expectedFigures(history: readonly Run[]): Figures {
  const newest = new Map(latestRuns(history).map(({ qid, value }) => [qid, value]));
  const latest = QIDS.map((qid) => newest.get(qid) ?? null);
  const measured = [...newest.values()].toSorted((a, b) => a - b);
  const middle = (index: number): number => measured[Math.floor(index)] ?? Number.NaN;
  const median = (middle((measured.length - 1) / 2) + middle(measured.length / 2)) / 2;
  return {
    latest,
    lastPoints: latest,
    window: latest,
    summary: latest,
    muxes: [
      ['MUX 0', meanOf(latest.slice(0, 3))],
      ['MUX 1', latest[3] ?? null],
    ],
    total: meanOf(latest),
    medians: [median],
    counts: [measured.length],
    means: [meanOf(latest) ?? Number.NaN],
  };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const present = values.flatMap((value) => value ?? []).toSorted((a, b) => a - b);
  return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length;
}
