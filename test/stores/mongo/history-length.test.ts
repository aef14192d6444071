import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient, type Document } from 'mongodb';
import { createQdashIndexes } from '../../../src/import/qdash-indexes.ts';
import type { CalibrationStore } from '../../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import { createTestMongo, type TestMongo } from '../../support/databases.ts';
import { chipDocument, NOW, parameter, resultDocument } from '../../support/qdash-database.ts';

/** The same chip after a short, a long and a very long history: 1,000, 10,000 and 100,000 results. */
const QUBITS = 25;
const TASKS = ['t1', 't2_echo', 'qubit_frequency', 'readout_frequency'] as const;
const RUNS = [10, 100, 1_000] as const;
const chipIdOf = (runs: number): string => `C${runs}`;
const HOUR_MS = 3_600_000;

let mongo: TestMongo;
let client: MongoClient;
let store: CalibrationStore;

beforeAll(async () => {
  mongo = await createTestMongo({ large: true });
  client = await MongoClient.connect(mongo.uri, { monitorCommands: true });
  const db = client.db(mongo.dbName);
  await createQdashIndexes(db);
  store = createMongoCalibrationStore(db);
  for (const runs of RUNS) {
    await db.collection('chip').insertOne(chipDocument(chipIdOf(runs)));
    for (let run = 0; run < runs; run++)
      await db.collection('task_result_history').insertMany(hour(runs, run));
  }
}, 600_000);
afterAll(async () => {
  await client.close();
  await mongo.drop();
});

/** Every task on every qubit, `run` hours ago, some seconds apart; every tenth run failed. */
function hour(runs: number, run: number): Document[] {
  const chipId = chipIdOf(runs);
  return TASKS.flatMap((name, task) =>
    Array.from({ length: QUBITS }, (_, qubit) => {
      const seconds = task * QUBITS + qubit;
      const at = new Date(NOW.getTime() - run * HOUR_MS - seconds * 1000).toISOString();
      return resultDocument(chipId, String(qubit), at, {
        task_id: `${chipId}/${name}/${qubit}/${run}`,
        name: `Check_${name}`,
        status: run % 10 === 9 ? 'failed' : 'completed',
        output_parameters: { [name]: parameter(40 + (run % 7)) },
      });
    }),
  );
}

/** Documents and index keys that the commands of `work` examine. */
async function examined(work: () => Promise<unknown>): Promise<{ documents: number; keys: number }> {
  const sent: Document[] = [];
  const listen = ({ command }: { command: Document }) => sent.push(command);
  client.on('commandStarted', listen);
  await work();
  client.off('commandStarted', listen);
  const plans = await Promise.all(
    sent.map(({ lsid: _lsid, $db: _db, ...command }) =>
      client.db(mongo.dbName).command({ explain: command, verbosity: 'executionStats' }),
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

const scopeOf = (runs: number) => ({ projectId: 'p1', chipIds: [chipIdOf(runs)] });
const queryOf = (runs: number) => ({
  ...scopeOf(runs),
  kind: 'QUBIT' as const,
  parameter: 't1',
  taskNames: ['Check_t1'],
  qids: null,
  cooldownId: null,
  from: null,
  to: null,
});
const qids = Array.from({ length: QUBITS }, (_, qubit) => String(qubit));
/** The middle of the history. */
const middleOf = (runs: number): Date => new Date(NOW.getTime() - (runs / 2) * HOUR_MS);
const FEW = 2 * QUBITS;

test.each<[string, (runs: number) => Promise<unknown>, number]>([
  ['outputs of tasks', (runs) => store.taskOutputs(scopeOf(runs)), TASKS.length],
  ['the latest value of each qubit', (runs) => store.latestMeasurements(queryOf(runs), 1), 6 * QUBITS],
  ['the newest five of each qubit', (runs) => store.latestMeasurements(queryOf(runs), 5), 11 * QUBITS],
  [
    'the values as they were half the history ago',
    (runs) => store.latestMeasurements({ ...queryOf(runs), to: middleOf(runs) }, 1),
    7 * QUBITS,
  ],
  [
    'the values of three hours in the middle',
    (runs) => {
      const from = middleOf(runs);
      const to = new Date(from.getTime() + 3 * HOUR_MS);
      return store.latestMeasurements({ ...queryOf(runs), from, to }, 200);
    },
    5 * QUBITS,
  ],
  [
    'a parameter without a known task',
    (runs) => store.latestMeasurements({ ...queryOf(runs), taskNames: null }, 1),
    6 * QUBITS + 5 * QUBITS * TASKS.length,
  ],
  [
    'a parameter that nothing has',
    (runs) => store.bestMeasurements({ ...queryOf(runs), parameter: 'none', taskNames: null }, 'LEAST'),
    5 * QUBITS * TASKS.length,
  ],
  ['the newest runs', (runs) => store.newestRuns(queryOf(runs), 1), 5 * QUBITS],
  [
    'recent failures',
    (runs) =>
      store.recentRuns({ ...scopeOf(runs), taskNames: ['Check_t1'], qids: null, status: 'FAILED' }, 5),
    9 * QUBITS,
  ],
  [
    'the latest task results',
    (runs) => store.latestTaskResults({ ...scopeOf(runs), taskName: 'Check_t1', qids }),
    7 * QUBITS,
  ],
  [
    'the first page of results',
    (runs) => store.taskResultSlice({ ...scopeOf(runs), filter: {}, limit: 20, after: null }),
    FEW,
  ],
  [
    'a page in the middle',
    (runs) =>
      store.taskResultSlice({
        ...scopeOf(runs),
        filter: {},
        limit: 20,
        after: { at: middleOf(runs), id: 'x' },
      }),
    FEW,
  ],
  ['the mark of a chip', (runs) => store.chipMark(scopeOf(runs)), 100],
])('a server examines as much for %s after 1,000, 10,000 and 100,000 results', async (_what, read, most) => {
  for (const runs of RUNS.slice(1)) {
    const { documents, keys } = await examined(() => read(runs));
    expect(documents).toBeLessThanOrEqual(most);
    expect(keys).toBeLessThanOrEqual(most + 2 * QUBITS * TASKS.length);
  }
});

test('a list of one task on one qubit examines the results of both and no others', async () => {
  for (const runs of RUNS) {
    const filter = { taskName: 'Check_t1', qid: '7' };
    const list = () => store.taskResultSlice({ ...scopeOf(runs), filter, limit: 5, after: null });
    expect((await examined(list)).documents).toBe(runs);
  }
});

test('the best and the mean of a parameter examine the results of its task and no others', async () => {
  for (const runs of RUNS) {
    const best = await examined(() => store.bestMeasurements(queryOf(runs), 'GREATEST'));
    const mean = await examined(() => store.averages(queryOf(runs)));
    expect([best.documents, mean.documents]).toEqual([runs * QUBITS, runs * QUBITS]);
  }
});
