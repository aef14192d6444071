/** One chip after histories of any length, and what its reads cost the database: for tests, and for a bench of a million. */
import type { TaskResultFilter } from '../../src/domain/values/task-result.ts';
import type { Db, Document, MongoClient } from 'mongodb';
import type { CalibrationStore } from '../../src/stores/calibration-store.ts';
import { chipDocument, entityDocument, NOW, parameter, resultDocument, t1Result } from './qdash-database.ts';

export const QUBITS = 25;
export const TASKS = ['t1', 't2_echo', 'qubit_frequency', 'readout_frequency'] as const;
/** Results that each hour adds. */
export const RESULTS_AN_HOUR = QUBITS * TASKS.length;
const HOUR_MS = 3_600_000;
const COOLDOWN_HOURS = 100;

export const chipIdOf = (hours: number): string => `C${hours}`;
/** Has the runs of {@link failingRuns}. */
const failingChipIdOf = (hours: number): string => `F${hours}`;

/** Stores a chip that was measured every hour; `progress` is called with the number of results so far. */
export async function storeHistory(
  db: Db,
  hours: number,
  progress: (results: number) => void = () => undefined,
): Promise<void> {
  const chipId = chipIdOf(hours);
  const results = db.collection('task_result_history');
  await db
    .collection('cooldown')
    .updateOne(
      { project_id: 'p1', cooldown_id: 'now' },
      { $set: { started_at: new Date(NOW.getTime() - COOLDOWN_HOURS * HOUR_MS) } },
      { upsert: true },
    );
  await db.collection('chip').insertOne(chipDocument(chipId, { current_cooldown_id: 'now' }));
  await db
    .collection('qubit')
    .insertMany(qids.map((qid) => entityDocument(chipId, qid, currentValues(chipId, qid))));
  let batch: Document[] = [];
  for (let hour = 0; hour < hours; hour++) {
    batch.push(...resultsOf(chipId, hour));
    if (batch.length < 5_000 && hour < hours - 1) continue;
    await results.insertMany(batch);
    batch = [];
    progress((hour + 1) * RESULTS_AN_HOUR);
  }
  await results.insertMany(failingRuns(failingChipIdOf(hours), hours));
}

const qids = Array.from({ length: QUBITS }, (_, qubit) => String(qubit));
const taskIdOf = (chipId: string, task: string, qid: string, hour: number): string =>
  `${chipId}/${task}/${qid}/${hour}`;

const currentValues = (chipId: string, qid: string): Document =>
  Object.fromEntries(
    TASKS.map((task) => [task, parameter(40, 'μs', { task_id: taskIdOf(chipId, task, qid, 0) })]),
  );

/**
 * Every task on every qubit, `hour` hours ago, some seconds apart. Every tenth run failed, every hundredth hour is tagged,
 * and the first hour of all has a tag of its own.
 */
function resultsOf(chipId: string, hour: number): Document[] {
  return TASKS.flatMap((name, task) =>
    qids.map((qid, qubit) => {
      const seconds = task * QUBITS + qubit;
      const at = new Date(NOW.getTime() - hour * HOUR_MS - seconds * 1000).toISOString();
      return resultDocument(chipId, qid, at, {
        task_id: taskIdOf(chipId, name, qid, hour),
        execution_id: `${chipId}-${hour}`,
        cooldown_id: hour < COOLDOWN_HOURS ? 'now' : 'before',
        name: `Check_${name}`,
        status: hour % 10 === 9 ? 'failed' : 'completed',
        tags: hour % 100 === 50 ? ['monthly'] : [],
        output_parameters: { [name]: parameter(40 + (hour % 7)) },
      });
    }),
  );
}

/** A run of T1 on qubit 0 every hour, which failed for the newer half of them. */
const failingRuns = (chipId: string, hours: number): Document[] =>
  Array.from({ length: hours }, (_, hour) =>
    t1Result(chipId, '0', new Date(NOW.getTime() - hour * HOUR_MS).toISOString(), 40, {
      name: 'Check_t1',
      status: hour < hours / 2 ? 'failed' : 'completed',
    }),
  );

const scopeOf = (hours: number) => ({ projectId: 'p1', chipIds: [chipIdOf(hours)] });
const queryOf = (hours: number) => ({
  ...scopeOf(hours),
  kind: 'QUBIT' as const,
  parameter: 't1',
  taskNames: ['Check_t1'],
  qids: null,
  cooldownId: null,
  from: null,
  to: null,
});
/** The middle of the history. */
const middleOf = (hours: number): Date => new Date(NOW.getTime() - (hours / 2) * HOUR_MS);
const page = (hours: number, { qid, ...filter }: TaskResultFilter, after: Date | null = null) => ({
  ...scopeOf(hours),
  filter,
  qids: qid ? [qid] : null,
  limit: 20,
  after: after && { at: after, id: 'x' },
});

/** A read of the store on the chip with so many hours of history. */
export type HistoryRead = readonly [
  what: string,
  /**
   * Documents that it may fetch, whatever the length of the history; null if it needs all results of its task, or all
   * since the last good one.
   */
  most: number | null,
  read: (store: CalibrationStore, hours: number) => Promise<unknown>,
];

/** The reads of pages and tools that touch results. */
export const HISTORY_READS: readonly HistoryRead[] = [
  ['outputs of tasks', TASKS.length, (store, hours) => store.taskOutputs(scopeOf(hours))],
  [
    'the latest value of each qubit',
    6 * QUBITS,
    (store, hours) => store.latestMeasurements(queryOf(hours), 1),
  ],
  [
    'the newest five of each qubit',
    11 * QUBITS,
    (store, hours) => store.latestMeasurements(queryOf(hours), 5),
  ],
  [
    'the newest 200 of a qubit',
    250,
    (store, hours) => store.latestMeasurements({ ...queryOf(hours), qids: ['7'] }, 200),
  ],
  [
    'the values as they were half the history ago',
    7 * QUBITS,
    (store, hours) => store.latestMeasurements({ ...queryOf(hours), to: middleOf(hours) }, 1),
  ],
  [
    'the values of three hours in the middle',
    5 * QUBITS,
    (store, hours) => {
      const from = middleOf(hours);
      const to = new Date(from.getTime() + 3 * HOUR_MS);
      return store.latestMeasurements({ ...queryOf(hours), from, to }, 200);
    },
  ],
  [
    'a parameter without a known task',
    6 * QUBITS + 5 * QUBITS * TASKS.length,
    (store, hours) => store.latestMeasurements({ ...queryOf(hours), taskNames: null }, 1),
  ],
  [
    'a parameter that nothing has',
    5 * QUBITS * TASKS.length,
    (store, hours) =>
      store.bestMeasurements({ ...queryOf(hours), parameter: 'none', taskNames: null }, 'LEAST'),
  ],
  ['the newest runs', 5 * QUBITS, (store, hours) => store.newestRuns(queryOf(hours), 1)],
  [
    'recent failures',
    9 * QUBITS,
    (store, hours) =>
      store.recentRuns({ ...scopeOf(hours), taskNames: ['Check_t1'], qids: null, status: 'FAILED' }, 5),
  ],
  [
    'the latest task results',
    7 * QUBITS,
    (store, hours) => store.latestTaskResults({ ...scopeOf(hours), taskName: 'Check_t1', qids }),
  ],
  [
    'the latest value of a qubit that has failed for half of the history',
    null,
    (store, hours) => store.latestMeasurements({ ...queryOf(hours), chipIds: [failingChipIdOf(hours)] }, 1),
  ],
  ['the best of each qubit', null, (store, hours) => store.bestMeasurements(queryOf(hours), 'GREATEST')],
  ['the mean of each qubit', null, (store, hours) => store.averages(queryOf(hours))],
  [
    'the best of each qubit in the cool-down',
    (COOLDOWN_HOURS + 1) * QUBITS + 2,
    (store, hours) => store.bestMeasurements({ ...queryOf(hours), cooldownId: 'now' }, 'GREATEST'),
  ],
  [
    'the mean of each qubit over a day',
    25 * QUBITS,
    (store, hours) => store.averages({ ...queryOf(hours), from: new Date(NOW.getTime() - 24 * HOUR_MS) }),
  ],
  ['the first page of results', 2 * QUBITS, (store, hours) => store.taskResultSlices(page(hours, {}))],
  [
    'a page in the middle',
    2 * QUBITS,
    (store, hours) => store.taskResultSlices(page(hours, {}, middleOf(hours))),
  ],
  [
    'a page of failures',
    2 * QUBITS,
    (store, hours) => store.taskResultSlices(page(hours, { status: ['FAILED'] })),
  ],
  [
    'a page of a status that nothing has',
    0,
    (store, hours) => store.taskResultSlices(page(hours, { status: ['SKIPPED'] })),
  ],
  [
    'a page of a tag',
    2 * QUBITS,
    (store, hours) => store.taskResultSlices(page(hours, { tags: ['monthly'] })),
  ],
  [
    'a page of a tag that nothing has',
    0,
    (store, hours) => store.taskResultSlices(page(hours, { tags: ['none'] })),
  ],
  ['a page of a qubit', 2 * QUBITS, (store, hours) => store.taskResultSlices(page(hours, { qid: '7' }))],
  [
    'a page of a task',
    8 * QUBITS,
    (store, hours) => store.taskResultSlices(page(hours, { taskName: 'Check_readout_frequency' })),
  ],
  [
    'a page of a task that nothing has',
    0,
    (store, hours) => store.taskResultSlices(page(hours, { taskName: 'none' })),
  ],
  [
    'a page of failures of a qubit',
    10 * QUBITS,
    (store, hours) => store.taskResultSlices(page(hours, { status: ['FAILED'], qid: '7' })),
  ],
  [
    'a page of a task on a qubit',
    8 * QUBITS,
    (store, hours) => store.taskResultSlices(page(hours, { taskName: 'Check_t1', qid: '7' })),
  ],
  [
    'a page of an execution',
    QUBITS * TASKS.length,
    (store, hours) => store.taskResultSlices(page(hours, { executionId: `${chipIdOf(hours)}-${hours / 2}` })),
  ],
  ['the mark of a chip', 100, (store, hours) => store.chipMark(scopeOf(hours))],
];

/** Documents and index keys that the commands of `work` examine. */
export async function examined(
  client: MongoClient,
  dbName: string,
  work: () => Promise<unknown>,
): Promise<{ documents: number; keys: number }> {
  const sent: Document[] = [];
  const listen = ({ command }: { command: Document }) => sent.push(command);
  client.on('commandStarted', listen);
  await work();
  client.off('commandStarted', listen);
  const plans = await Promise.all(
    sent.map(({ lsid: _lsid, $db: _db, maxTimeMS: _limit, ...command }) =>
      client.db(dbName).command({ explain: command, verbosity: 'executionStats' }),
    ),
  );
  return { documents: sumOf(plans, 'totalDocsExamined'), keys: sumOf(plans, 'totalKeysExamined') };
}

/** The sum of a counter at any depth: a server counts each stage that reads on its own. */
function sumOf(plan: unknown, counter: string): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  return Object.entries(plan).reduce(
    (sum, [name, value]: [string, unknown]) =>
      sum + (name === counter ? Number(value) : sumOf(value, counter)),
    0,
  );
}
