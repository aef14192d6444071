/** A search of a whole project, whose chips have different qubits. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { searchTerms } from '../../src/domain/text/search-words.ts';
import { findRecords } from '../../src/services/search/search-records.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  t1Result,
  viewer,
  type QdashDatabase,
} from '../support/qdash-database.ts';

let qdash: QdashDatabase;

beforeAll(async () => {
  qdash = await openQdashDatabase();
  const { db } = qdash;
  await db
    .collection('chip')
    .insertMany([
      chipDocument('large', { installed_at: new Date('2026-01-01') }),
      chipDocument('small', { installed_at: new Date('2026-02-01') }),
      chipDocument('bare', { installed_at: new Date('2026-02-02') }),
    ]);
  const t1 = { t1: parameter(40) };
  await db
    .collection('qubit')
    .insertMany([
      ...['0', '27'].map((qid) => entityDocument('large', qid, t1)),
      ...['0', '1'].map((qid) => entityDocument('small', qid, t1)),
    ]);
  await db.collection('coupling').insertOne(entityDocument('large', '0-27', {}));
  const result = (chipId: string, qid: string, taskId: string, message: string) =>
    t1Result(chipId, qid, '2026-02-24T00:00:00Z', 40, { task_id: taskId, message });
  await db
    .collection('task_result_history')
    .insertMany([
      result('large', '27', 'on Q27', 'tls seen'),
      result('large', '0', 'on another', 'tls seen'),
      result('large', '0-27', 'on the coupling', 'tls seen'),
      result('small', '1', 'names it', 'tls as on Q27 of the other chip, also on Q0-Q27'),
      result('small', '1', 'names nothing', 'tls seen'),
    ]);
});
afterAll(() => qdash.close());

const found = async (words: string): Promise<readonly string[]> => {
  const { hits } = await findRecords(qdash.services, viewer, searchTerms(words), {});
  return hits.map(({ key }) => key).toSorted();
};

test.each([
  ['tls Q27', ['names it', 'on Q27']],
  ['tls q027', ['names it', 'on Q27']],
  ['tls q0-q27', ['names it', 'on the coupling']],
  ['tls q0', ['on another']],
  ['tls q99', []],
  ['tls q1', ['names it', 'names nothing']],
])('%s is found on each chip that has it, whatever the others lack', async (words, taskIds) => {
  expect(await found(words)).toEqual(expect.arrayContaining(taskIds));
  if (taskIds.length === 0) expect(await found(words)).toEqual([]);
});
