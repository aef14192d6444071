import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { openMongo, refusal } from './open-mongo.ts';

const DOCUMENTS = 40_000;
let mongo: Awaited<ReturnType<typeof openMongo>>;
let other: MongoClient;
let rows: Collection<Document>;

beforeAll(async () => {
  mongo = await openMongo({ checkQueries: false });
  other = await MongoClient.connect(mongo.uri, { maxPoolSize: 1 });
  rows = mongo.db.collection('rows');
  await rows.createIndex({ group: 1 });
  await rows.insertMany(manyRows());
});
afterAll(async () => {
  await other.close();
  await mongo.close();
});

const manyRows = (): Document[] =>
  Array.from({ length: DOCUMENTS }, (_unused, i) => ({ _id: i as never, group: i % 400, text: `row ${i}` }));

const never = { $expr: { $eq: [{ $toString: '$_id' }, 'never'] } };
const small = { from: 'rows', localField: 'group', foreignField: 'group', as: 'others' };

test.each<[string, () => Promise<unknown>, unknown]>([
  ['a find over everything', () => rows.find(never).toArray(), []],
  [
    'a sort of everything',
    async () => (await rows.find({}, { sort: { text: -1 }, batchSize: 99_999 }).toArray()).length,
    DOCUMENTS,
  ],
  ['a count', () => rows.countDocuments({ text: /9$/ }), DOCUMENTS / 10],
  ['a distinct', async () => (await rows.distinct('text')).length, DOCUMENTS],
  [
    'groups',
    async () => (await rows.aggregate([{ $group: { _id: '$text' } }, { $limit: 3 }]).toArray()).length,
    3,
  ],
  [
    'joins',
    async () =>
      (
        await rows
          .aggregate([{ $limit: 400 }, { $lookup: small }, { $unwind: '$others' }, { $count: 'n' }])
          .toArray()
      )[0],
    { n: DOCUMENTS },
  ],
  [
    'an explain',
    async () => (await rows.find(never).explain('executionStats'))['executionStats'],
    { nReturned: 0, totalKeysExamined: 0, totalDocsExamined: DOCUMENTS },
  ],
])('while one connection waits for %s, others are answered', async (_what, long, result) => {
  const [answers, found] = await answersDuring(long());
  expect(answers).toBeGreaterThan(3);
  expect(found).toEqual(result);
});

test('others are answered between the thousands of a large insert', async () => {
  const [answers, { insertedCount }] = await answersDuring(mongo.db.collection('new').insertMany(manyRows()));
  expect(answers).toBeGreaterThan(12);
  expect(insertedCount).toBe(DOCUMENTS);
});

/** How often another connection was answered until `long` ended, and its result. */
async function answersDuring<T>(long: Promise<T>): Promise<[number, T]> {
  let done = false;
  const ended = long.finally(() => (done = true));
  let answers = 0;
  while (!done) {
    expect(
      await other
        .db('test')
        .collection('rows')
        .findOne({ _id: 7 as never }),
    ).toMatchObject({ text: 'row 7' });
    expect(await other.db('admin').command({ hello: 1 })).toMatchObject({ ok: 1 });
    answers++;
  }
  return [answers, await ended];
}

test('writes between two steps of a scan neither repeat nor drop other documents', async () => {
  let done = false;
  const scan = rows
    .find({ text: /^row/ }, { batchSize: 99_999 })
    .toArray()
    .finally(() => (done = true));
  const added = other.db('test').collection('rows');
  for (let i = 0; !done; i++) {
    await added.insertOne({ _id: (-1 - i) as never, text: 'late' });
    await added.deleteOne({ _id: (-1 - i) as never });
  }
  expect((await scan).map(({ _id }) => Number(_id))).toEqual(
    Array.from({ length: DOCUMENTS }, (_unused, i) => i),
  );
});

const openCursors = async (): Promise<number> =>
  Number((await other.db('admin').command({ serverStatus: 1 }))['metrics'].cursor.open.total);
/** A join of everything with everything: it would take hours. */
const endless = [{ $lookup: { from: 'rows', let: {}, pipeline: [{ $match: never }], as: 'none' } }];

test('a scan of a collection that is dropped meanwhile ends with QueryPlanKilled (175)', async () => {
  const doomed = mongo.db.collection('doomed');
  await doomed.insertMany(Array.from({ length: 1_000 }, (_unused, i) => ({ n: i })));
  const refused = refusal(doomed.aggregate(endless).toArray());
  while ((await openCursors()) === 0);
  await other.db('test').collection('doomed').drop();
  expect((await refused).code).toBe(175);
});

test('a large delete gives way, and spares what others have changed since', async () => {
  const doomed = mongo.db.collection('deleted');
  await doomed.createIndex({ text: 1 });
  await doomed.insertMany(Array.from({ length: 20_000 }, (_unused, i) => ({ i, text: `${i}` })));
  const same = other.db('test').collection('deleted');
  let done = false;
  const deleting = doomed.deleteMany({ i: { $gte: 0 } }).finally(() => (done = true));
  let answers = 0;
  while (!done) {
    await same.updateMany({ i: { $gte: 19_990 } }, { $inc: { i: -20_000 } });
    answers++;
  }
  expect(answers).toBeGreaterThan(3);
  expect((await deleting).deletedCount).toBe(19_990);
  expect(
    await doomed
      .find({ text: { $gte: '' } })
      .sort({ text: 1 })
      .toArray(),
  ).toHaveLength(10);
});

test('a scan whose client is gone ends', async () => {
  const leaving = await MongoClient.connect(mongo.uri, { maxPoolSize: 1 });
  const abort = new AbortController();
  const scan = leaving.db('test').collection('rows').aggregate(endless, { signal: abort.signal }).toArray();
  const ended = expect(scan).rejects.toThrow();
  while ((await openCursors()) === 0);
  abort.abort();
  await ended;
  while ((await openCursors()) > 0);
  await leaving.close();
});

test('a scan that pauses still ends at its time limit', async () => {
  expect((await refusal(rows.aggregate(endless, { maxTimeMS: 30 }).toArray())).code).toBe(50);
});
