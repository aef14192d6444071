import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Document, Double, Long, MaxKey, MinKey, ObjectId } from 'mongodb';
import { openMongo } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => void (mongo = await openMongo()));
afterAll(() => mongo.close());

/** Positions of the documents that match. */
async function matching(documents: readonly Document[], filter: Document): Promise<number[]> {
  const collection = await mongo.with(...documents);
  const found = await collection.find(filter).sort({ _id: 1 }).toArray();
  return found.map(({ _id }) => Number(_id));
}

describe('equality', () => {
  test('an array matches by one of its elements or as a whole (manual: Query an Array)', async () => {
    const documents = [
      { tags: ['red', 'blank'] },
      { tags: ['blank', 'red'] },
      { tags: 'red' },
      { tags: [['red']] },
    ];
    expect(await matching(documents, { tags: 'red' })).toEqual([0, 1, 2]);
    expect(await matching(documents, { tags: ['red', 'blank'] })).toEqual([0]);
    expect(await matching(documents, { tags: ['red'] })).toEqual([3]);
  });

  test('null matches null and missing, not empty arrays (manual: Query for Null or Missing Fields)', async () => {
    const documents = [{ item: null }, {}, { item: 0 }, { item: [] }, { item: [null] }];
    expect(await matching(documents, { item: null })).toEqual([0, 1, 4]);
    expect(await matching(documents, { item: { $ne: null } })).toEqual([2, 3]);
    expect(await matching(documents, { item: { $exists: false } })).toEqual([1]);
    expect(await matching(documents, { item: { $type: 'null' } })).toEqual([0, 4]);
    expect(await matching(documents, { item: { $in: [null, 0] } })).toEqual([0, 1, 2, 4]);
  });

  test('an embedded document matches only with the same fields in the same order (manual: Query on Embedded/Nested Documents)', async () => {
    const documents = [
      { size: { h: 14, w: 21 } },
      { size: { w: 21, h: 14 } },
      { size: { h: 14, w: 21, uom: 'cm' } },
    ];
    expect(await matching(documents, { size: { h: 14, w: 21 } })).toEqual([0]);
    expect(await matching(documents, { 'size.h': 14, 'size.w': 21 })).toEqual([0, 1, 2]);
  });

  test('dotted paths go through arrays of documents and by position, not into nested arrays', async () => {
    const documents = [
      { a: [{ b: 1 }, { b: 2 }] },
      { a: { b: 2 } },
      { a: [[{ b: 2 }]] },
      { a: [{ b: [2, 3] }] },
    ];
    expect(await matching(documents, { 'a.b': 2 })).toEqual([0, 1, 3]);
    expect(await matching(documents, { 'a.0.b': 1 })).toEqual([0]);
    expect(await matching(documents, { 'a.0.b': 2 })).toEqual([2, 3]);
  });

  test('a null path does not match an empty array or scalars in an array on its way', async () => {
    const documents = [{ a: [] }, { a: [1] }, { a: [{ b: 1 }, {}] }, { a: 4 }, {}];
    expect(await matching(documents, { 'a.b': null })).toEqual([2, 3, 4]);
  });

  test('numbers are equal across their types, and strings are not numbers', async () => {
    const documents = [{ n: 1 }, { n: new Double(1) }, { n: Long.fromNumber(1) }, { n: '1' }, { n: true }];
    expect(await matching(documents, { n: 1 })).toEqual([0, 1, 2]);
  });

  test('longs beyond 2^53 stay apart from their neighbours', async () => {
    const documents = [
      { n: Long.fromString('9007199254740993') },
      { n: Long.fromString('9007199254740992') },
    ];
    expect(await matching(documents, { n: Long.fromString('9007199254740993') })).toEqual([0]);
    expect(await matching(documents, { n: 2 ** 53 })).toEqual([1]);
  });
});

describe('comparison', () => {
  test('holds within one type only (manual: Comparison/Sort Order, type bracketing)', async () => {
    const documents = [{ v: 5 }, { v: '5' }, { v: new Date(5) }, { v: null }, {}, { v: [1, 9] }, { v: true }];
    expect(await matching(documents, { v: { $gt: 4 } })).toEqual([0, 5]);
    expect(await matching(documents, { v: { $lt: 'a' } })).toEqual([1]);
    expect(await matching(documents, { v: { $gte: null } })).toEqual([3, 4]);
    expect(await matching(documents, { v: { $lte: new Date(9) } })).toEqual([2]);
    expect(await matching(documents, { v: { $gte: false } })).toEqual([6]);
  });

  test('an array may meet two bounds by two elements', async () => {
    const documents = [{ v: [1, 10] }, { v: [5] }, { v: [1] }];
    expect(await matching(documents, { v: { $gt: 4, $lt: 6 } })).toEqual([0, 1]);
    expect(await matching(documents, { v: { $elemMatch: { $gt: 4, $lt: 6 } } })).toEqual([1]);
  });

  test('NaN equals itself and is in no open range', async () => {
    const documents = [{ v: NaN }, { v: 1 }];
    expect(await matching(documents, { v: NaN })).toEqual([0]);
    expect(await matching(documents, { v: { $lt: 5 } })).toEqual([1]);
    expect(await matching(documents, { v: { $lte: NaN } })).toEqual([0]);
  });

  test('MinKey and MaxKey compare with every type', async () => {
    const documents = [{ v: 1 }, { v: 'x' }, { v: new MaxKey() }];
    expect(await matching(documents, { v: { $gt: new MinKey() } })).toEqual([0, 1, 2]);
    expect(await matching(documents, { v: { $lt: new MaxKey() } })).toEqual([0, 1]);
  });

  test('$ne and $nin are the negation of the whole match, also for arrays and missing fields', async () => {
    const documents = [{ v: [1, 2] }, { v: 3 }, {}];
    expect(await matching(documents, { v: { $ne: 1 } })).toEqual([1, 2]);
    expect(await matching(documents, { v: { $nin: [2, 3] } })).toEqual([2]);
    expect(await matching(documents, { v: { $not: { $gt: 2 } } })).toEqual([0, 2]);
  });
});

describe('other operators', () => {
  test('$type sees array elements and the array itself (manual: $type, arrays)', async () => {
    const documents = [{ v: [1, 'a'] }, { v: 'a' }, { v: new ObjectId() }, { v: 1.5 }];
    expect(await matching(documents, { v: { $type: 'array' } })).toEqual([0]);
    expect(await matching(documents, { v: { $type: 'string' } })).toEqual([0, 1]);
    expect(await matching(documents, { v: { $type: ['objectId', 1] } })).toEqual([2, 3]);
    expect(await matching(documents, { v: { $type: 'number' } })).toEqual([0, 3]);
  });

  test('$elemMatch asks one element for all conditions (manual: $elemMatch, array of embedded documents)', async () => {
    const documents = [
      {
        results: [
          { product: 'abc', score: 10 },
          { product: 'xyz', score: 5 },
        ],
      },
      {
        results: [
          { product: 'abc', score: 8 },
          { product: 'xyz', score: 7 },
        ],
      },
      {
        results: [
          { product: 'abc', score: 7 },
          { product: 'xyz', score: 8 },
        ],
      },
    ];
    expect(
      await matching(documents, { results: { $elemMatch: { product: 'xyz', score: { $gte: 8 } } } }),
    ).toEqual([2]);
  });

  test('$all and $size look at whole arrays', async () => {
    const documents = [{ v: ['a', 'b', 'c'] }, { v: ['a'] }, { v: 'a' }, { v: [] }];
    expect(await matching(documents, { v: { $all: ['a', 'b'] } })).toEqual([0]);
    expect(await matching(documents, { v: { $all: ['a'] } })).toEqual([0, 1, 2]);
    expect(await matching(documents, { v: { $all: [] } })).toEqual([]);
    expect(await matching(documents, { v: { $size: 1 } })).toEqual([1]);
    expect(await matching(documents, { v: { $size: 0 } })).toEqual([3]);
  });

  test('$regex matches strings and elements, with i, and within $in and $not', async () => {
    const documents = [{ v: 'Qubit' }, { v: ['x', 'qutrit'] }, { v: 5 }];
    expect(await matching(documents, { v: /^qu/i })).toEqual([0, 1]);
    expect(await matching(documents, { v: { $regex: '^Qu' } })).toEqual([0]);
    expect(await matching(documents, { v: { $regex: 'BIT', $options: 'i' } })).toEqual([0]);
    expect(await matching(documents, { v: { $in: [/trit$/, 5] } })).toEqual([1, 2]);
    expect(await matching(documents, { v: { $not: /^qu/i } })).toEqual([2]);
  });

  test('$and, $or, $nor combine filters, $expr compares fields', async () => {
    const documents = [
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: 3, b: 3 },
    ];
    expect(await matching(documents, { $or: [{ a: 1 }, { b: 3 }] })).toEqual([0, 2]);
    expect(await matching(documents, { $nor: [{ a: 1 }, { b: 3 }] })).toEqual([1]);
    expect(await matching(documents, { $and: [{ a: { $gt: 1 } }, { b: { $lt: 3 } }] })).toEqual([1]);
    expect(await matching(documents, { $expr: { $gt: ['$a', '$b'] } })).toEqual([1]);
  });

  test('fields may be called like properties of every JavaScript object', async () => {
    const documents: Document[] = [{ constructor: 1 }, {}];
    expect(await matching(documents, { constructor: { $exists: true } })).toEqual([0]);
    expect(await matching(documents, { toString: null })).toEqual([0, 1]);
  });
});
