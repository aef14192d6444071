import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Document, Double, Long, MongoBulkWriteError, type UpdateFilter } from 'mongodb';
import { openMongo, refusal } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => void (mongo = await openMongo()));
afterAll(() => mongo.close());

/** The document after the update, without `_id`. */
async function updated(document: Document, update: Document): Promise<Document> {
  const collection = await mongo.with(document);
  await collection.updateOne({ _id: 0 as never }, update as UpdateFilter<Document>);
  const found = await collection.findOne({});
  const { _id, ...rest } = found ?? {};
  return rest;
}

async function refused(document: Document, update: Document) {
  const collection = await mongo.with(document);
  const result = await refusal(collection.updateOne({}, update as UpdateFilter<Document>));
  expect(await collection.findOne({})).toEqual({ _id: 0, ...document });
  return result;
}

describe('operators', () => {
  test('$set makes documents on the way and pads arrays with null (manual: $set)', async () => {
    expect(await updated({ a: 1 }, { $set: { 'b.c': 2, a: 5 } })).toEqual({ a: 5, b: { c: 2 } });
    expect(await updated({ v: [1] }, { $set: { 'v.3': 4 } })).toEqual({ v: [1, null, null, 4] });
    expect(await updated({ v: [{ x: 1 }] }, { $set: { 'v.0.x': 2 } })).toEqual({ v: [{ x: 2 }] });
    expect(await updated({}, { $set: { '0.x': 1 } })).toEqual({ 0: { x: 1 } });
  });

  test('new fields come in lexicographic order (manual: Update Operators, behaviour since 5.0)', async () => {
    expect(Object.keys(await updated({}, { $set: { z: 1, b: 1, m: 1 } }))).toEqual(['b', 'm', 'z']);
  });

  test('a scalar on the way is PathNotViable (28)', async () => {
    expect((await refused({ a: 5 }, { $set: { 'a.b': 1 } })).code).toBe(28);
    expect((await refused({ a: [1] }, { $set: { 'a.b': 1 } })).code).toBe(28);
    expect((await refused({ a: null }, { $inc: { 'a.b': 1 } })).code).toBe(28);
  });

  test('$unset removes fields and leaves null in arrays', async () => {
    expect(
      await updated({ a: { b: 1, c: 2 }, v: [1, 2] }, { $unset: { 'a.b': '', 'v.0': '', x: '' } }),
    ).toEqual({
      a: { c: 2 },
      v: [null, 2],
    });
  });

  test('$inc starts from nothing, widens int to long, refuses strings (14)', async () => {
    expect(await updated({ n: 1 }, { $inc: { n: 2, m: -1, d: 0.5 } })).toEqual({ n: 3, m: -1, d: 0.5 });
    expect(await updated({ n: 2 ** 31 - 1 }, { $inc: { n: 1 } })).toEqual({ n: 2 ** 31 });
    expect((await refused({ n: 'x' }, { $inc: { n: 1 } })).code).toBe(14);
    expect((await refused({ n: null }, { $inc: { n: 1 } })).code).toBe(14);
    expect((await refused({ n: 1 }, { $inc: { n: 'x' as never } })).code).toBe(14);
  });

  test('$inc beyond 64 bits is refused, not rounded', async () => {
    const collection = await mongo.with({ n: Long.MAX_VALUE });
    expect((await refusal(collection.updateOne({}, { $inc: { n: 1 } }))).code).toBe(2);
  });

  test('types of numbers that an update does not touch stay', async () => {
    const collection = await mongo.with({ d: new Double(1), l: Long.fromNumber(1), i: 1 });
    await collection.updateOne({}, { $set: { x: 1 } });
    const found = await collection.findOne({
      d: { $type: 'double' },
      l: { $type: 'long' },
      i: { $type: 'int' },
    });
    expect(found).toMatchObject({ _id: 0, x: 1 });
  });

  test('$min and $max compare across types and set missing fields', async () => {
    const start = { low: 200, high: 800 };
    expect(await updated(start, { $min: { low: 150, n: 1 }, $max: { high: 700 } })).toEqual({
      low: 150,
      high: 800,
      n: 1,
    });
    expect(await updated({ v: 5 }, { $max: { v: 'text' } })).toEqual({ v: 'text' });
  });

  test('$push appends one or $each, and $slice keeps one end', async () => {
    expect(await updated({}, { $push: { v: 1 } })).toEqual({ v: [1] });
    expect(await updated({ v: [1] }, { $push: { v: [2, 3] } })).toEqual({ v: [1, [2, 3]] });
    expect(await updated({ v: [40, 60] }, { $push: { v: { $each: [80, 78], $slice: -3 } } })).toEqual({
      v: [60, 80, 78],
    });
    expect(await updated({ v: [89, 90] }, { $push: { v: { $each: [100], $slice: 2 } } })).toEqual({
      v: [89, 90],
    });
    expect((await refused({ v: 1 }, { $push: { v: 2 } })).code).toBe(2);
  });

  test('$addToSet adds what is not there, embedded documents by field order', async () => {
    expect(await updated({ v: [1, { a: 1, b: 2 }] }, { $addToSet: { v: { $each: [1, 2, 2] } } })).toEqual({
      v: [1, { a: 1, b: 2 }, 2],
    });
    const swapped = await updated({ v: [{ a: 1, b: 2 }] }, { $addToSet: { v: { b: 2, a: 1 } } });
    expect(swapped['v']).toHaveLength(2);
  });

  test('$pull removes by value, by condition, and by filter on documents (manual: $pull)', async () => {
    expect(await updated({ v: [1, 5, 6, 'x'] }, { $pull: { v: { $gte: 5 } } })).toEqual({
      v: [1, 'x'],
    });
    expect(await updated({ v: ['a', 'b'] }, { $pull: { v: { $in: ['a', 'c'] } } })).toEqual({
      v: ['b'],
    });
    const results = [
      { item: 'A', score: 5 },
      { item: 'B', score: 8, comment: 'x' },
    ];
    expect(await updated({ results }, { $pull: { results: { score: 8, item: 'B' } } })).toEqual({
      results: [results[0]],
    });
    expect(await updated({ a: 1 }, { $pull: { v: 1 } })).toEqual({ a: 1 });
  });

  test('$rename moves a value, also into a document', async () => {
    expect(await updated({ a: 1, b: { c: 2 } }, { $rename: { a: 'b.d', x: 'y' } })).toEqual({
      b: { c: 2, d: 1 },
    });
  });

  test('two changes of one path conflict (40), also a path and its part', async () => {
    expect((await refused({ a: 1 }, { $set: { a: 2 }, $inc: { a: 1 } })).code).toBe(40);
    expect((await refused({ a: {} }, { $set: { a: {}, 'a.b': 1 } })).code).toBe(40);
    expect((await refused({ a: 1 }, { $rename: { a: 'b' }, $set: { b: 1 } })).code).toBe(40);
  });

  test('_id is immutable (66)', async () => {
    expect((await refused({ a: 1 }, { $set: { _id: 9 } })).code).toBe(66);
    expect((await refused({ a: 1 }, { $unset: { _id: '' } })).code).toBe(66);
  });
});

describe('statements', () => {
  test('matched and modified are counted apart', async () => {
    const collection = await mongo.with({ v: 1 }, { v: 2 }, { v: 3 });
    const result = await collection.updateMany({ v: { $lt: 3 } }, { $set: { v: 2 } });
    expect(result).toMatchObject({ matchedCount: 2, modifiedCount: 1 });
  });

  test('a replacement keeps _id and drops the rest', async () => {
    const collection = await mongo.with({ a: 1, b: 2 });
    await collection.replaceOne({ a: 1 }, { c: 3 });
    expect(await collection.find().toArray()).toEqual([{ _id: 0, c: 3 }]);
    expect((await refusal(collection.replaceOne({}, { _id: 7 as never, c: 1 }))).code).toBe(66);
  });

  test('an upsert starts from the equalities of its filter and runs $setOnInsert once', async () => {
    const collection = await mongo.with();
    const upsert = () =>
      collection.updateOne(
        { a: 1, 'b.c': { $eq: 2 }, d: { $gt: 5 }, $and: [{ e: 3 }] },
        { $set: { x: 1 }, $setOnInsert: { y: 2 }, $inc: { n: 1 } },
        { upsert: true },
      );
    const first = await upsert();
    expect(first.upsertedCount).toBe(1);
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({
      a: 1,
      b: { c: 2 },
      e: 3,
      n: 1,
      x: 1,
      y: 2,
    });
  });

  test('an upsert that finds its document updates it, without $setOnInsert', async () => {
    const collection = await mongo.with({ k: 1, n: 1 });
    await collection.updateOne({ k: 1 }, { $inc: { n: 1 }, $setOnInsert: { y: 1 } }, { upsert: true });
    expect(await collection.find().toArray()).toEqual([{ _id: 0, k: 1, n: 2 }]);
  });

  test('an upsert takes _id from its filter', async () => {
    const collection = await mongo.with();
    const result = await collection.replaceOne({ _id: 'me' as never }, { a: 1 }, { upsert: true });
    expect(result.upsertedId).toBe('me');
    expect(await collection.find().toArray()).toEqual([{ _id: 'me', a: 1 }]);
  });

  test('findOneAndUpdate answers with the document before or after, in sort order, projected', async () => {
    const collection = await mongo.with({ v: 1 }, { v: 2 });
    const sort = { v: -1 } as const;
    expect(await collection.findOneAndUpdate({}, { $inc: { v: 10 } }, { sort })).toEqual({ _id: 1, v: 2 });
    const projection = { _id: 0 };
    expect(
      await collection.findOneAndUpdate(
        {},
        { $inc: { v: 10 } },
        { sort, projection, returnDocument: 'after' },
      ),
    ).toEqual({ v: 22 });
    expect(await collection.findOneAndDelete({ v: 1 })).toEqual({ _id: 0, v: 1 });
    expect(await collection.findOneAndUpdate({ v: 99 }, { $set: { v: 1 } })).toBeNull();
    const created = await collection.findOneAndReplace(
      { k: 1 },
      { k: 1 },
      { upsert: true, returnDocument: 'after' },
    );
    expect(created).toMatchObject({ k: 1 });
    expect(await collection.countDocuments()).toBe(2);
  });

  test('deleteOne removes one match, deleteMany all', async () => {
    const collection = await mongo.with({ v: 1 }, { v: 1 }, { v: 1 }, { v: 2 });
    expect((await collection.deleteOne({ v: 1 })).deletedCount).toBe(1);
    expect((await collection.deleteMany({ v: 1 })).deletedCount).toBe(2);
    expect(await collection.countDocuments()).toBe(1);
  });
});

describe('bulk writes', () => {
  const bulk = [
    { insertOne: { document: { _id: 1 as never, a: 1 } } },
    { insertOne: { document: { _id: 1 as never, a: 2 } } },
    { insertOne: { document: { _id: 2 as never, a: 3 } } },
  ];

  test('an ordered one stops at its first error and keeps what came before', async () => {
    const collection = await mongo.with();
    const error = await collection.bulkWrite(bulk).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MongoBulkWriteError);
    expect(error).toMatchObject({ code: 11000, insertedCount: 1, writeErrors: [{ index: 1 }] });
    expect(await collection.find().toArray()).toEqual([{ _id: 1, a: 1 }]);
  });

  test('an unordered one goes on and names each error by its index', async () => {
    const collection = await mongo.with();
    const error = await collection.bulkWrite(bulk, { ordered: false }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 11000, insertedCount: 2, writeErrors: [{ index: 1 }] });
    expect(await collection.countDocuments()).toBe(2);
  });

  test('a failed statement leaves nothing half done', async () => {
    const collection = await mongo.with({ n: 1 }, { n: 'text' });
    expect((await refusal(collection.updateMany({}, { $inc: { n: 1 } }))).code).toBe(14);
    expect((await collection.find().sort({ _id: 1 }).toArray()).map(({ n }) => n as unknown)).toEqual([
      1,
      'text',
    ]);
  });

  test('w:0 gets no reply and is written all the same', async () => {
    const collection = await mongo.with();
    await collection.insertOne({ _id: 5 as never }, { writeConcern: { w: 0 } });
    await collection.insertOne({ _id: 6 as never });
    const ids = (await collection.find().sort({ _id: 1 }).toArray()).map(({ _id }) => Number(_id));
    expect(ids).toContain(6);
    expect(await collection.countDocuments()).toBe(2);
  });
});
