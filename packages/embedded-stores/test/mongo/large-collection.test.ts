import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Collection, type Document } from 'mongodb';
import { openMongo, refusal } from './open-mongo.ts';

const QUBITS = 100;
const RESULTS = 200;
let mongo: Awaited<ReturnType<typeof openMongo>>;
let results: Collection<Document>;

beforeAll(async () => {
  mongo = await openMongo({ checkQueries: false });
  results = mongo.db.collection('results');
  await results.createIndex({ chip: 1, qid: 1, at: -1 });
  await results.createIndex({ key: 1 }, { unique: true });
  const documents = Array.from({ length: QUBITS * RESULTS }, (_unused, i) => ({
    chip: 'A',
    qid: String(i % QUBITS),
    at: new Date(1_700_000_000_000 + i),
    key: `k${i}`,
  }));
  await results.insertMany(documents);
});
afterAll(() => mongo.close());

async function examined(query: { explain(verbosity: string): Promise<Document> }): Promise<unknown> {
  const { executionStats } = await query.explain('executionStats');
  return (executionStats as Document)['totalDocsExamined'];
}

test('among 20,000 documents one is found by its key without reading another', async () => {
  expect(await results.findOne({ key: 'k12345' })).toMatchObject({ qid: '45' });
  expect(await examined(results.find({ key: 'k12345' }))).toBe(1);
});

test('the latest of each of 100 qubits takes 100 documents out of 20,000', async () => {
  const latest = [
    { $match: { chip: 'A' } },
    { $sort: { qid: 1, at: -1 } },
    { $group: { _id: '$qid', key: { $first: '$key' } } },
  ];
  const keys = (await results.aggregate(latest).toArray()).map(({ key }) => Number(String(key).slice(1)));
  expect(keys.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: QUBITS }, (_unused, i) => QUBITS * (RESULTS - 1) + i),
  );
  expect(await examined(results.aggregate(latest))).toBe(QUBITS);
});

test('all documents come through many pages, each once', async () => {
  const ids = new Set<string>();
  for await (const { key } of results.find({}, { projection: { key: 1, _id: 0 } }).batchSize(3000))
    ids.add(String(key));
  expect(ids.size).toBe(QUBITS * RESULTS);
});

test('5,000 keys of an $in are found over the index, and no other document is read', async () => {
  const keys = Array.from({ length: 5000 }, (_unused, i) => `k${(i * 4099) % (QUBITS * RESULTS)}`);
  const query = () => results.find({ key: { $in: [...keys, 'k-1', 'none'] } });
  const found = (await query().batchSize(10_000).toArray()).map(({ key }) => String(key));
  expect(found.toSorted()).toEqual(keys.toSorted());
  expect(await examined(query())).toBe(keys.length);
  expect(JSON.stringify(await query().explain('queryPlanner'))).toContain('"indexName":"key_1"');
});

test.each([1, -1] as const)('many ranges come in index order (%i) without a sort', async (direction) => {
  const qids = Array.from({ length: 60 }, (_unused, i) => String((i * 7) % QUBITS));
  const query = results
    .find({ chip: 'A', qid: { $in: qids } })
    .sort({ chip: direction, qid: direction, at: direction === 1 ? -1 : 1 });
  const found = (await query.batchSize(5000).toArray()).map(({ key }) => Number(String(key).slice(1)));
  const ascending = qids
    .toSorted()
    .flatMap((qid) =>
      Array.from({ length: RESULTS }, (_unused, i) => Number(qid) + QUBITS * (RESULTS - 1 - i)),
    );
  expect(found).toEqual(direction === 1 ? ascending : ascending.toReversed());
  expect(JSON.stringify(await query.explain('queryPlanner'))).not.toContain('SORT');
});

test('a scan ends once it has taken longer than maxTimeMS (50), and the next command is not limited', async () => {
  const slow = { $expr: { $eq: [{ $toString: '$at' }, 'never'] } };
  expect((await refusal(results.find(slow, { maxTimeMS: 1 }).toArray())).code).toBe(50);
  const grouped = results.aggregate([{ $match: slow }, { $count: 'n' }], { maxTimeMS: 1 });
  expect((await refusal(grouped.toArray())).code).toBe(50);
  expect(await results.find(slow).toArray()).toEqual([]);
  expect(await results.find({ key: 'k7' }, { maxTimeMS: 60_000 }).toArray()).toHaveLength(1);
});
