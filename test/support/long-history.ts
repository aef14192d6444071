/** One chip after histories of any length, and what its reads cost the database: for tests, and for a bench of a million. */
import type { Db, Document, MongoClient } from 'mongodb';
import type { CalibrationStore } from '../../src/stores/calibration-store.ts';
import { chipDocument, entityDocument, NOW, parameter, resultDocument } from './qdash-database.ts';

export const QUBITS = 25;
export const TASKS = ['t1', 't2_echo', 'qubit_frequency', 'readout_frequency'] as const;
/** Results that each hour adds. */
export const RESULTS_AN_HOUR = QUBITS * TASKS.length;
const HOUR_MS = 3_600_000;
const COOLDOWN_HOURS = 100;

export const chipIdOf = (hours: number): string => `C${hours}`;

/** Stores a chip that was measured every hour; `progress` is called with the number of results so far. */
export async function storeHistory(
  db: Db,
  hours: number,
  progress: (results: number) => void = () => undefined,
): Promise<void> {
  const chipId = chipIdOf(hours);
  const results = db.collection('task_result_history');
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
const page = (hours: number, filter: object, after: Date | null = null) => ({
  ...scopeOf(hours),
  filter,
  limit: 20,
  after: after && { at: after, id: 'x' },
});

/** A read of the store on the chip with so many hours of history. */
export type HistoryRead = readonly [
  what: string,
  read: (store: CalibrationStore, hours: number) => Promise<unknown>,
];

/** The reads of pages and tools that touch results. */
export const HISTORY_READS: readonly HistoryRead[] = [
  ['outputs of tasks', (store, hours) => store.taskOutputs(scopeOf(hours))],
  ['the latest value of each qubit', (store, hours) => store.latestMeasurements(queryOf(hours), 1)],
  ['the newest five of each qubit', (store, hours) => store.latestMeasurements(queryOf(hours), 5)],
  [
    'the newest 200 of a qubit',
    (store, hours) => store.latestMeasurements({ ...queryOf(hours), qids: ['7'] }, 200),
  ],
  [
    'the values as they were half the history ago',
    (store, hours) => store.latestMeasurements({ ...queryOf(hours), to: middleOf(hours) }, 1),
  ],
  [
    'the values of three hours in the middle',
    (store, hours) => {
      const from = middleOf(hours);
      const to = new Date(from.getTime() + 3 * HOUR_MS);
      return store.latestMeasurements({ ...queryOf(hours), from, to }, 200);
    },
  ],
  [
    'a parameter without a known task',
    (store, hours) => store.latestMeasurements({ ...queryOf(hours), taskNames: null }, 1),
  ],
  [
    'a parameter that nothing has',
    (store, hours) =>
      store.bestMeasurements({ ...queryOf(hours), parameter: 'none', taskNames: null }, 'LEAST'),
  ],
  ['the newest runs', (store, hours) => store.newestRuns(queryOf(hours), 1)],
  [
    'recent failures',
    (store, hours) =>
      store.recentRuns({ ...scopeOf(hours), taskNames: ['Check_t1'], qids: null, status: 'FAILED' }, 5),
  ],
  [
    'the latest task results',
    (store, hours) => store.latestTaskResults({ ...scopeOf(hours), taskName: 'Check_t1', qids }),
  ],
  ['the best of each qubit', (store, hours) => store.bestMeasurements(queryOf(hours), 'GREATEST')],
  ['the mean of each qubit', (store, hours) => store.averages(queryOf(hours))],
  [
    'the best of each qubit in the cool-down',
    (store, hours) => store.bestMeasurements({ ...queryOf(hours), cooldownId: 'now' }, 'GREATEST'),
  ],
  [
    'the mean of each qubit over a day',
    (store, hours) => store.averages({ ...queryOf(hours), from: new Date(NOW.getTime() - 24 * HOUR_MS) }),
  ],
  ['the first page of results', (store, hours) => store.taskResultSlice(page(hours, {}))],
  ['a page in the middle', (store, hours) => store.taskResultSlice(page(hours, {}, middleOf(hours)))],
  ['a page of failures', (store, hours) => store.taskResultSlice(page(hours, { status: ['FAILED'] }))],
  [
    'a page of a status that nothing has',
    (store, hours) => store.taskResultSlice(page(hours, { status: ['SKIPPED'] })),
  ],
  ['a page of a tag', (store, hours) => store.taskResultSlice(page(hours, { tags: ['monthly'] }))],
  [
    'a page of a tag that nothing has',
    (store, hours) => store.taskResultSlice(page(hours, { tags: ['none'] })),
  ],
  ['a page of a qubit', (store, hours) => store.taskResultSlice(page(hours, { qid: '7' }))],
  ['a page of a task', (store, hours) => store.taskResultSlice(page(hours, { taskName: 'Check_t1' }))],
  [
    'a page of a task on a qubit',
    (store, hours) => store.taskResultSlice(page(hours, { taskName: 'Check_t1', qid: '7' })),
  ],
  [
    'a page of an execution',
    (store, hours) => store.taskResultSlice(page(hours, { executionId: `${chipIdOf(hours)}-3` })),
  ],
  ['the mark of a chip', (store, hours) => store.chipMark(scopeOf(hours))],
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
