import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Collection, type Document } from 'mongodb';
import { openMongo, refusal } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => void (mongo = await openMongo()));
afterAll(() => mongo.close());

type Explained = {
  readonly stage: string;
  readonly index: string | undefined;
  readonly docs: number;
  readonly returned: number;
};

/** Which index a query uses and how many documents it reads. */
async function explained(query: { explain(verbosity: string): Promise<Document> }): Promise<Explained> {
  const { queryPlanner, executionStats } = await query.explain('executionStats');
  const { winningPlan } = queryPlanner as { winningPlan: Document };
  const scan = (winningPlan['inputStage'] ?? winningPlan) as Document;
  const { totalDocsExamined, nReturned } = executionStats as { totalDocsExamined: number; nReturned: number };
  return {
    stage: winningPlan['stage'] === 'SORT' ? 'SORT' : String(scan['stage']),
    index: scan['indexName'] as string | undefined,
    docs: totalDocsExamined,
    returned: nReturned,
  };
}

describe('the planner', () => {
  const QUBITS = 20;
  const RESULTS = 50;
  let results: Collection<Document>;

  beforeAll(async () => {
    const documents = Array.from({ length: QUBITS * RESULTS }, (_unused, i) => ({
      chip: 'A',
      name: i % 3 === 0 ? 't1' : 't2',
      qid: String(i % QUBITS),
      at: new Date(1_700_000_000_000 + ((i * 7919) % 1000) * 60_000),
      status: i % 5 === 0 ? 'failed' : 'completed',
    }));
    results = await mongo.with(...documents);
    await results.createIndexes([
      { key: { chip: 1, name: 1, qid: 1, at: -1 }, name: 'latest' },
      { key: { chip: 1, at: -1 }, name: 'recent' },
    ]);
  });

  test('reads by equality, range and order without sorting', async () => {
    const query = () => results.find({ chip: 'A', name: 't1', qid: '3' }).sort({ at: -1 }).limit(5);
    expect(await explained(query())).toEqual({ stage: 'IXSCAN', index: 'latest', docs: 5, returned: 5 });
    expect(await explained(results.find({ chip: 'A' }).sort({ at: 1 }).limit(3))).toMatchObject({
      index: 'recent',
      docs: 3,
    });
    const window = { chip: 'A', at: { $gte: new Date(1_700_000_000_000), $lt: new Date(1_700_000_600_000) } };
    const windowed = await explained(results.find(window));
    expect(windowed.index).toBe('recent');
    // The excluded bound is read, and refused by the filter.
    expect(windowed.docs).toBeLessThanOrEqual(windowed.returned + 1);
    expect(await results.countDocuments(window)).toBe(windowed.returned);
  });

  test('reads $in on a prefix as points', async () => {
    const some = await explained(
      results.find({ chip: 'A', name: { $in: ['t1', 't2'] }, qid: { $in: ['1', '2'] } }),
    );
    expect(some).toMatchObject({ index: 'latest', docs: 2 * RESULTS, returned: 2 * RESULTS });
  });

  test('sorts in memory where no index has the order', async () => {
    expect((await explained(results.find({ chip: 'A' }).sort({ status: 1, _id: 1 }))).stage).toBe('SORT');
    expect((await explained(results.find({ status: 'failed' }))).stage).toBe('COLLSCAN');
  });

  const OF_TASK = { $match: { chip: 'A', name: 't1' } };
  const FIRST = { $group: { _id: '$qid', status: { $first: '$status' } } };
  const LATEST = { $sort: { qid: 1, at: -1 } } as const;

  test('the first of each value of one field is found by jumping from value to value', async () => {
    const pipeline = [OF_TASK, LATEST, FIRST];
    expect(await explained(results.aggregate(pipeline))).toEqual({
      stage: 'DISTINCT_SCAN',
      index: 'latest',
      docs: QUBITS,
      returned: QUBITS,
    });
    const values = await explained(results.aggregate([OF_TASK, { $group: { _id: '$qid' } }]));
    expect(values).toMatchObject({ stage: 'DISTINCT_SCAN', docs: 0, returned: QUBITS });
  });

  // Each of these reads every entry in MongoDB 6.0 and 7.0 as well: get_executor.cpp, document_source_group.cpp.
  test.each<[string, Document[]]>([
    ['two fields', [OF_TASK, LATEST, { $group: { _id: { n: '$name', q: '$qid' }, at: { $first: '$at' } } }]],
    ['$firstN', [OF_TASK, LATEST, { $group: { _id: '$qid', at: { $firstN: { input: '$at', n: 1 } } } }]],
    ['$top', [OF_TASK, { $group: { _id: '$qid', at: { $top: { sortBy: { at: -1 }, output: '$at' } } } }]],
    ['another accumulator', [OF_TASK, LATEST, { $group: { _id: '$qid', n: { $sum: 1 } } }]],
    [
      'a condition that the index lacks',
      [{ $match: { ...OF_TASK.$match, status: 'failed' } }, LATEST, FIRST],
    ],
    ['two values before the field', [{ $match: { chip: 'A', name: { $in: ['t1', 't2'] } } }, LATEST, FIRST]],
    ['a field before it that is not bound', [{ $match: { chip: 'A' } }, FIRST]],
    ['an order that the index lacks', [OF_TASK, { $sort: { at: -1 } }, FIRST]],
  ])('%s cannot be skipped over', async (_what, pipeline) => {
    expect((await explained(results.aggregate(pipeline))).stage).not.toBe('DISTINCT_SCAN');
  });

  test('what is not later than a time, of any type, is read from that time on', async () => {
    const later = new Date(1_700_000_000_000 + 900 * 60_000);
    const query = results
      .find({ chip: 'A', at: { $not: { $gt: later } } })
      .sort({ at: -1 })
      .limit(3);
    expect(await explained(query)).toMatchObject({ index: 'recent', docs: 3, returned: 3 });
  });

  test('$lookup and $unionWith read over indexes, and explain counts what they read', async () => {
    const ofTask = (name: string): Document[] => [
      { $match: { chip: 'A', name } },
      { $group: { _id: '$qid' } },
      {
        $lookup: {
          from: results.collectionName,
          localField: '_id',
          foreignField: 'qid',
          pipeline: [{ $match: { chip: 'A', name } }, { $sort: { at: -1 } }, { $limit: 2 }],
          as: 'newest',
        },
      },
    ];
    const both = [...ofTask('t1'), { $unionWith: { coll: results.collectionName, pipeline: ofTask('t2') } }];
    const rows = await results.aggregate(both).toArray();
    expect(rows).toHaveLength(2 * QUBITS);
    expect(rows.every(({ newest }) => (newest as Document[]).length === 2)).toBe(true);
    expect((await explained(results.aggregate(both))).docs).toBe(2 * QUBITS * 2);
  });

  test('a hint chooses the index, an unknown one is refused (2)', async () => {
    expect(await explained(results.find({ chip: 'A', name: 't1' }).hint('recent'))).toMatchObject({
      index: 'recent',
    });
    expect(await explained(results.find({ status: 'x' }).hint({ chip: 1, at: -1 }))).toMatchObject({
      index: 'recent',
    });
    expect((await refusal(results.find({}).hint('nope').toArray())).code).toBe(2);
  });
});

describe('kinds of indexes', () => {
  test('a unique one names key pattern and value of a duplicate (11000)', async () => {
    const collection = await mongo.with({ a: 1, b: 'x' });
    await collection.createIndex({ a: 1, b: -1 }, { unique: true });
    await expect(collection.insertOne({ a: 1, b: 'x' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { a: 1, b: -1 },
      keyValue: { a: 1, b: 'x' },
    });
    await collection.insertOne({ a: 1, b: 'y' });
    await expect(collection.updateOne({ b: 'y' }, { $set: { b: 'x' } })).rejects.toMatchObject({
      code: 11000,
    });
    expect(await collection.countDocuments({ b: 'x' })).toBe(1);
  });

  test('a unique one takes one document without the field, unless it is sparse (manual: Unique Indexes)', async () => {
    const strict = await mongo.with({ x: 1 });
    await strict.createIndex({ a: 1 }, { unique: true });
    await expect(strict.insertOne({ x: 2 })).rejects.toMatchObject({ code: 11000 });
    const sparse = await mongo.with({ x: 1 });
    await sparse.createIndex({ a: 1 }, { unique: true, sparse: true });
    await sparse.insertMany([{ x: 2 }, { a: 1 }]);
    await expect(sparse.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
  });

  test('a unique one cannot be made over duplicates, and leaves nothing behind', async () => {
    const collection = await mongo.with({ a: 1 }, { a: 1 });
    await expect(collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });

  test('a sparse one is left alone by queries and sorts that want documents without the field', async () => {
    const collection = await mongo.with({ a: 1 }, {}, { a: null });
    await collection.createIndex({ a: 1 }, { sparse: true });
    expect(await collection.find().sort({ a: 1 }).toArray()).toHaveLength(3);
    expect(await collection.countDocuments({ a: null })).toBe(2);
    expect((await explained(collection.find({ a: 1 }))).index).toBe('a_1');
    expect((await explained(collection.find({ a: null }))).stage).toBe('COLLSCAN');
  });

  test('a partial one serves filters that imply it (manual: Partial Indexes, query coverage)', async () => {
    const collection = await mongo.with({ a: 1, open: true }, { a: 1, open: false }, { a: 2 });
    await collection.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { open: true } });
    await collection.insertOne({ a: 1, open: false });
    await expect(collection.insertOne({ a: 1, open: true })).rejects.toMatchObject({ code: 11000 });
    expect((await explained(collection.find({ a: 1, open: true }))).index).toBe('a_1');
    expect((await explained(collection.find({ a: 1 }))).stage).toBe('COLLSCAN');
  });

  test('an array is indexed element by element and found once', async () => {
    const collection = await mongo.with({ v: [1, 2, 2] }, { v: 2 }, { v: [] }, { v: [9] });
    await collection.createIndex({ v: 1 });
    const query = () => collection.find({ v: { $in: [1, 2] } });
    expect(new Set((await query().toArray()).map(({ _id }) => Number(_id)))).toEqual(new Set([0, 1]));
    expect(await query().toArray()).toHaveLength(2);
    expect((await explained(query())).index).toBe('v_1');
    await collection.updateOne({ _id: 0 as never }, { $pull: { v: 2 as never } });
    expect(await collection.countDocuments({ v: 2 })).toBe(1);
  });

  test('two arrays in one index are refused (171), and the document is not stored', async () => {
    const collection = await mongo.with({ a: 1, b: 1 });
    await collection.createIndex({ a: 1, b: 1 });
    expect((await refusal(collection.insertOne({ a: [1], b: [2] }))).code).toBe(171);
    expect(await collection.countDocuments()).toBe(1);
  });
});

describe('index commands', () => {
  test('making the same index again changes nothing; another under its name or keys conflicts', async () => {
    const collection = await mongo.with({ a: 1 });
    await collection.createIndex({ a: 1 });
    await collection.createIndex({ a: 1 });
    expect(await collection.indexes()).toHaveLength(2);
    expect((await refusal(collection.createIndex({ b: 1 }, { name: 'a_1' }))).code).toBe(86);
    expect((await refusal(collection.createIndex({ a: 1 }, { name: 'other' }))).code).toBe(85);
  });

  test('indexes are dropped by name, by keys or all, never _id_', async () => {
    const collection = await mongo.with({ a: 1 });
    await collection.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }]);
    await collection.dropIndex('a_1');
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_', 'b_1', 'c_1']);
    await collection.dropIndexes();
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    expect((await refusal(collection.dropIndex('nope'))).code).toBe(27);
    expect((await refusal(collection.dropIndex('_id_'))).code).toBe(72);
  });

  test('collections and databases are listed and dropped', async () => {
    const db = mongo.client.db('other');
    await db.createCollection('made');
    await db.collection('filled').insertOne({ a: 1 });
    expect((await refusal(db.createCollection('made'))).code).toBe(48);
    expect((await db.listCollections().toArray()).map(({ name }) => name).sort()).toEqual(['filled', 'made']);
    expect(await db.listCollections({ name: 'made' }, { nameOnly: true }).toArray()).toEqual([
      { name: 'made', type: 'collection' },
    ]);
    expect((await mongo.client.db().admin().listDatabases()).databases.map(({ name }) => name)).toContain(
      'other',
    );
    expect(await db.collection('made').drop()).toBe(true);
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
    expect((await refusal(db.collection('made').indexes())).code).toBe(26);
  });
});
