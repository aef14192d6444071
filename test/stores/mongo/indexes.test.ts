import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { CalibrationStore } from '../../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  type QdashDatabase,
  t1Result,
} from '../../support/qdash-database.ts';

const QUBITS = 8;
const DAYS = 40;

let qdash: QdashDatabase;
let store: CalibrationStore;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  store = createMongoCalibrationStore(qdash.db);
  const qids = Array.from({ length: QUBITS }, (_, index) => String(index));
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  );
  const { db } = qdash;
  await db.collection('chip').insertOne(chipDocument('C1'));
  // Only databases of the first version have it; a plan is made of a collection that is there.
  await db.createCollection('task_result_comment');
  await db.collection('qubit').insertMany(qids.map((qid) => entityDocument('C1', qid, { t1: parameter(1) })));
  const results = days.flatMap((day) =>
    qids.map((qid) => t1Result('C1', qid, day, 40, { task_id: `${qid}@${day}` })),
  );
  const other = results.map(({ _id, ...rest }) => ({
    ...rest,
    task_id: `other-${rest['task_id']}`,
    chip_id: 'C2',
  }));
  await db.collection('task_result_history').insertMany([...results, ...other]);
});
afterAll(() => qdash.close());

/** How the server would run what `work` sends: index, and documents looked at, one entry a command. */
async function explained(work: () => Promise<unknown>) {
  const sent: Document[] = [];
  const listen = ({ command }: { command: Document }) => sent.push(command);
  qdash.client.on('commandStarted', listen);
  await work();
  qdash.client.off('commandStarted', listen);
  return Promise.all(
    sent.map(async ({ lsid: _lsid, $db: _db, ...command }) => {
      const plan = await qdash.db.command({ explain: command, verbosity: 'executionStats' });
      return {
        index: found(plan, 'indexName'),
        documents: Number(found(plan, 'totalDocsExamined')),
      };
    }),
  );
}

/** The first value under `key` at any depth: servers nest their plans differently. */
function found(plan: unknown, key: string): unknown {
  if (typeof plan !== 'object' || plan === null) return undefined;
  for (const [name, value] of Object.entries(plan)) {
    const inner: unknown = name === key ? value : found(value, key);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const scope = { projectId: 'p1', chipIds: ['C1'] };
const query = {
  ...scope,
  kind: 'QUBIT' as const,
  parameter: 't1',
  taskNames: ['CheckT1'],
  qids: null,
  cooldownId: null,
  from: null,
  to: null,
};
const BY_TASK = 'project_id_1_chip_id_1_name_1_qid_1_end_at_-1';
const BY_ENTITY = 'project_id_1_chip_id_1';
const BY_ID = 'project_id_1_task_id_1';

test.each<[string, () => Promise<unknown>, string]>([
  ['chips', () => store.chips('p1', ['C1']), BY_ENTITY],
  ['ids of qubits', () => store.entityIds('QUBIT', scope), BY_ENTITY],
  ['qubits', () => store.entities('QUBIT', scope), BY_ENTITY],
  [
    'current values',
    () => store.currentValues('QUBIT', { ...scope, qids: ['1', '2'], names: ['t1'] }),
    BY_ENTITY,
  ],
  ['latest measurements', () => store.latestMeasurements(query, 1), BY_TASK],
  ['measurements of couplings', () => store.latestMeasurements({ ...query, kind: 'COUPLING' }, 1), BY_TASK],
  ['newest runs', () => store.newestRuns(query, 1), BY_TASK],
  ['best measurements', () => store.bestMeasurements(query, 'LEAST'), BY_TASK],
  ['averages', () => store.averages(query), BY_TASK],
  [
    'recent runs',
    () => store.recentRuns({ ...scope, taskNames: ['CheckT1'], qids: null, status: null }, 2),
    BY_TASK,
  ],
  ['task outputs', () => store.taskOutputs(scope), BY_TASK],
  ['task results by id', () => store.taskResults('p1', ['1@x', '2@x']), BY_ID],
  ['exclusions', () => store.excludedTaskIds('p1', ['1@x', '2@x']), BY_ID],
  [
    'latest task results',
    () => store.latestTaskResults({ ...scope, taskName: 'CheckT1', qids: ['1', '2'] }),
    BY_TASK,
  ],
  [
    'executions',
    () => store.executionSlice({ ...scope, filter: {}, limit: 10, after: null }),
    'project_id_1_chip_id_1_start_at_-1',
  ],
  ['executions by id', () => store.executions('p1', ['1', '2']), 'project_id_1_execution_id_1'],
  [
    'machine notes',
    () => store.machineNoteSlice({ ...scope, filter: {}, limit: 10, after: null }),
    'project_chip_timestamp_idx',
  ],
  ['remarks on results', () => store.taskResultNotes(scope, 10), 'project_id_1_chip_id_1'],
  ['AI reviews', () => store.aiReviews(scope, 10), 'project_id_1_chip_id_1'],
  ['issues', () => store.issuePosts(scope, 10), 'project_id_1'],
  ['cases', () => store.issueKnowledge(scope, 10), 'project_id_1'],
  ['notes on the wiring', () => store.wiringNotes('p1', ['cd1'], 10), 'project_id_1'],
  ['forum posts', () => store.forumPosts(scope, 10), 'project_id_1'],
  [
    'versions of a parameter',
    () => store.parameterVersions({ ...scope, parameter: 't1', qids: ['1', '2'], limit: 3 }),
    'project_id_1_parameter_name_1_qid_1',
  ],
  ['versions by id', () => store.versionsById(scope, ['1', '2']), 'entity_id_1'],
  [
    'newest versions',
    () => store.newestVersions({ ...scope, parameters: ['t1'], qids: ['1', '2'] }),
    'project_id_1_parameter_name_1_qid_1',
  ],
  [
    'origins',
    () => store.provenanceRelations('p1', ['1', '2']),
    'project_id_1_source_type_1_source_id_1_relation_type_1',
  ],
  ['runs by id', () => store.activitiesById(scope, ['1', '2']), 'activity_id_1'],
])('%s are read over an index that QDash databases have', async (_, work, prefix) => {
  const [plan] = await explained(work);
  expect(plan?.index).toMatch(new RegExp(`^${prefix}`));
});

test('a page of results reads little more than itself', async () => {
  const plans = await explained(() =>
    store.taskResultSlices({ ...scope, filter: {}, qids: null, limit: 10, after: null }),
  );
  expect(plans.map(({ index }) => index)).toEqual(Array(2).fill('project_id_1_chip_id_1_start_at_-1'));
  for (const { documents } of plans) expect(documents).toBeLessThanOrEqual(10 + QUBITS);
});
