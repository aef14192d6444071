import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { CalibrationSlowError } from '../../../src/base/errors.ts';
import { withinBudget, withoutBudget } from '../../../src/base/read-budget.ts';
import type { CalibrationStore } from '../../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import { openQdashDatabase, t1Result, type QdashDatabase } from '../../support/qdash-database.ts';

let qdash: QdashDatabase;
let store: CalibrationStore;
let sent: Document[];

beforeAll(async () => {
  qdash = await openQdashDatabase();
  store = createMongoCalibrationStore(qdash.db);
  qdash.client.on('commandStarted', ({ command }) => sent.push(command));
  sent = [];
  const results = Array.from({ length: 300 }, (_, index) =>
    t1Result('C1', String(index % 5), new Date(Date.UTC(2026, 1, 1, 0, index)).toISOString(), 40),
  );
  await qdash.db.collection('task_result_history').insertMany(results);
});
beforeEach(() => void (sent = []));
afterAll(() => qdash.close());

const scope = { projectId: 'p1', chipIds: ['C1'] };
const means = (): Promise<unknown> =>
  store.averages({
    ...scope,
    kind: 'QUBIT',
    parameter: 't1',
    taskNames: ['CheckT1'],
    qids: null,
    cooldownId: null,
    from: null,
    to: null,
  });
const page = async (): Promise<unknown> =>
  (await store.taskResultSlices({ ...scope, filter: {}, qids: null, limit: 5, after: null }))[0];
const never = new AbortController().signal;
const limits = (): unknown[] => sent.map(({ maxTimeMS }): unknown => maxTimeMS);

test('every read of a tool has what is left of its time, and every other read a limit of its own', async () => {
  await withinBudget(never, 9_000, () => Promise.all([means(), page()]));
  expect(limits()).toHaveLength(2);
  for (const limit of limits()) expect(limit).toBeGreaterThan(0);
  for (const limit of limits()) expect(limit).toBeLessThanOrEqual(9_000);
  sent = [];
  await means();
  expect(limits()).toEqual([30_000]);
});

test('a read that takes too long says what to ask instead, and that the same would take as long again', async () => {
  await expect(withinBudget(never, -1, means)).rejects.toThrow(CalibrationSlowError);
  await expect(withinBudget(never, -1, means)).rejects.toThrow(/ask for less: one task or parameter/);
});

test('nothing is asked for somebody who has left, and what was asked before ends', async () => {
  const left = new AbortController();
  const reason = new Error('the turn was cancelled');
  const asked = withinBudget(left.signal, 60_000, means);
  left.abort(reason);
  await expect(asked).rejects.toBe(reason);
  sent = [];
  await expect(withinBudget(left.signal, 60_000, page)).rejects.toBe(reason);
  expect(sent).toEqual([]);
});

test('a read that others wait for, too, outlives the one who asked first', async () => {
  const left = new AbortController();
  const shared = withinBudget(left.signal, 60_000, () => withoutBudget(page));
  left.abort();
  await expect(shared).resolves.toHaveLength(5);
});
