import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Document } from 'mongodb';
import { openMongo } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => void (mongo = await openMongo()));
afterAll(() => mongo.close());

async function aggregate(documents: readonly Document[], ...pipeline: Document[]): Promise<Document[]> {
  const collection = await mongo.with(...documents);
  return collection.aggregate(pipeline).toArray();
}

/** The accumulator over documents in one group. */
async function accumulated(documents: readonly Document[], accumulator: Document): Promise<unknown> {
  const [group] = await aggregate(
    documents,
    { $sort: { _id: 1 } },
    { $group: { _id: null, value: accumulator } },
  );
  return group?.['value'];
}

describe('$group', () => {
  const sales = [
    { item: 'abc', price: 10, quantity: 2 },
    { item: 'jkl', price: 20, quantity: 1 },
    { item: 'xyz', price: 5, quantity: 10 },
    { item: 'abc', price: 10, quantity: 10 },
  ];

  test('computes per key (manual: $group, example "Group by Item Having")', async () => {
    const groups = await aggregate(
      sales,
      { $group: { _id: '$item', total: { $sum: { $multiply: ['$price', '$quantity'] } } } },
      { $match: { total: { $gte: 50 } } },
      { $sort: { total: -1 } },
    );
    expect(groups).toEqual([
      { _id: 'abc', total: 120 },
      { _id: 'xyz', total: 50 },
    ]);
  });

  test('missing and null are one group, but differ inside a document key', async () => {
    const documents = [{ k: null }, {}, { k: 1 }];
    const sort = { $sort: { n: 1, _id: 1 } };
    expect(await aggregate(documents, { $group: { _id: '$k', n: { $sum: 1 } } }, sort)).toEqual([
      { _id: 1, n: 1 },
      { _id: null, n: 2 },
    ]);
    expect(await aggregate(documents, { $group: { _id: { k: '$k' }, n: { $count: {} } } }, sort)).toEqual([
      { _id: {}, n: 1 },
      { _id: { k: null }, n: 1 },
      { _id: { k: 1 }, n: 1 },
    ]);
  });

  test('sums and averages skip what is no number; nothing gives 0 and null', async () => {
    const documents = [{ v: 1 }, { v: 'x' }, {}, { v: 2.5 }];
    expect(await accumulated(documents, { $sum: '$v' })).toBe(3.5);
    expect(await accumulated(documents, { $avg: '$v' })).toBe(1.75);
    expect(await accumulated([{}], { $sum: '$v' })).toBe(0);
    expect(await accumulated([{}], { $avg: '$v' })).toBeNull();
  });

  test('$min and $max skip null and missing and compare across types', async () => {
    const documents = [{ v: null }, { v: 3 }, { v: 'a' }, {}];
    expect(await accumulated(documents, { $min: '$v' })).toBe(3);
    expect(await accumulated(documents, { $max: '$v' })).toBe('a');
    expect(await accumulated([{}], { $max: '$v' })).toBeNull();
  });

  test('$first and $last give null for missing; $push and $addToSet leave it out', async () => {
    const documents = [{}, { v: 1 }, { v: null }, { v: 1 }, {}];
    expect(await accumulated(documents, { $first: '$v' })).toBeNull();
    expect(await accumulated(documents, { $last: '$v' })).toBeNull();
    expect(await accumulated(documents, { $push: '$v' })).toEqual([1, null, 1]);
    expect(await accumulated(documents, { $addToSet: '$v' })).toEqual([1, null]);
  });

  test('$firstN and $lastN keep null for missing (manual: $firstN, "Null and Missing Values")', async () => {
    const documents = [{ v: 1 }, {}, { v: 3 }, { v: 4 }];
    expect(await accumulated(documents, { $firstN: { input: '$v', n: 2 } })).toEqual([1, null]);
    expect(await accumulated(documents, { $lastN: { input: '$v', n: 9 } })).toEqual([1, null, 3, 4]);
  });

  test('$top, $topN, $bottom, $bottomN sort by themselves (manual: $topN)', async () => {
    const games = [
      { player: 'A', score: 31 },
      { player: 'B', score: 33 },
      { player: 'C', score: 99 },
      { player: 'D', score: 1 },
    ];
    const by = (n?: number) => ({ ...(n && { n }), sortBy: { score: -1 }, output: ['$player', '$score'] });
    expect(await accumulated(games, { $top: by() })).toEqual(['C', 99]);
    expect(await accumulated(games, { $topN: by(3) })).toEqual([
      ['C', 99],
      ['B', 33],
      ['A', 31],
    ]);
    expect(await accumulated(games, { $bottom: by() })).toEqual(['D', 1]);
    expect(await accumulated(games, { $bottomN: by(3) })).toEqual([
      ['B', 33],
      ['A', 31],
      ['D', 1],
    ]);
  });

  test('$stdDevSamp is null below two numbers; $median is a value that is there', async () => {
    const documents = [2, 4, 4, 4, 5, 5, 7, 9].map((v) => ({ v }));
    expect(await accumulated(documents, { $stdDevSamp: '$v' })).toBeCloseTo(2.138, 3);
    expect(await accumulated([{ v: 1 }], { $stdDevSamp: '$v' })).toBeNull();
    expect(await accumulated(documents, { $median: { input: '$v', method: 'approximate' } })).toBe(4);
  });

  test('$mergeObjects lets later documents win', async () => {
    const documents = [{ v: { a: 1, b: 1 } }, { v: null }, { v: { b: 2 } }];
    expect(await accumulated(documents, { $mergeObjects: '$v' })).toEqual({ a: 1, b: 2 });
  });
});

describe('projections', () => {
  const stored = { a: 1, b: { c: 2, d: 3 }, v: [{ x: 1, y: 2 }, 5, { x: 3 }] };

  test('an inclusion keeps document order and looks into arrays (manual: $project)', async () => {
    const [result] = await aggregate([stored], { $project: { v: { x: 1 }, 'b.d': 1 } });
    expect(JSON.stringify(result)).toBe('{"_id":0,"b":{"d":3},"v":[{"x":1},{"x":3}]}');
  });

  test('an exclusion drops fields, and _id may be dropped from both', async () => {
    expect(await aggregate([stored], { $project: { 'v.y': 0, b: 0 } })).toEqual([
      { _id: 0, a: 1, v: [{ x: 1 }, 5, { x: 3 }] },
    ]);
    expect(await aggregate([stored], { $project: { _id: 0, a: 1 } })).toEqual([{ a: 1 }]);
    expect(await aggregate([stored], { $unset: ['v', 'b.c'] })).toEqual([{ _id: 0, a: 1, b: { d: 3 } }]);
  });

  test('computed fields come last, and missing ones not at all', async () => {
    const [result] = await aggregate([stored], {
      $project: { sum: { $add: ['$a', '$b.c'] }, gone: '$nope', a: 1 },
    });
    expect(JSON.stringify(result)).toBe('{"_id":0,"a":1,"sum":3}');
  });

  test('$addFields sets nested fields and keeps the others', async () => {
    expect(
      await aggregate([{ a: { b: 1 } }], { $addFields: { 'a.c': '$a.b', d: { e: { $literal: '$x' } } } }),
    ).toEqual([{ _id: 0, a: { b: 1, c: 1 }, d: { e: '$x' } }]);
  });

  test('find projects like $project', async () => {
    const collection = await mongo.with(stored);
    expect(await collection.findOne({}, { projection: { 'b.c': 1, _id: 0 } })).toEqual({ b: { c: 2 } });
    const kept = await collection.findOne({ a: 1 }, { projection: { v: 1, a: true, none: 1 } });
    expect(Object.keys(kept ?? {})).toEqual(['_id', 'a', 'v']);
    expect(await collection.findOne({ a: 1 }, { projection: { _id: 0, a: 1 } })).toEqual({ a: 1 });
    expect(await collection.findOne({}, { projection: { v: 0 } })).toEqual({
      _id: 0,
      a: 1,
      b: { c: 2, d: 3 },
    });
    expect(await collection.findOne({}, { projection: { _id: 0, twice: { $add: ['$a', '$a'] } } })).toEqual({
      twice: 2,
    });
  });

  test('$replaceRoot and $replaceWith put an embedded document on top', async () => {
    expect(await aggregate([stored], { $replaceRoot: { newRoot: '$b' } })).toEqual([{ c: 2, d: 3 }]);
    expect(await aggregate([stored], { $replaceWith: { $mergeObjects: [{ z: 1 }, '$b'] } })).toEqual([
      { z: 1, c: 2, d: 3 },
    ]);
  });
});

describe('stages', () => {
  test('$unwind makes one document of each element (manual: $unwind)', async () => {
    const documents = [{ v: ['S', 'M'] }, { v: [] }, { v: 'L' }, {}, { v: null }];
    expect(await aggregate(documents, { $unwind: '$v' })).toEqual([
      { _id: 0, v: 'S' },
      { _id: 0, v: 'M' },
      { _id: 2, v: 'L' },
    ]);
    const options = { path: '$v', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' };
    expect(await aggregate(documents, { $unwind: options })).toEqual([
      { _id: 0, v: 'S', i: 0 },
      { _id: 0, v: 'M', i: 1 },
      { _id: 1, i: null },
      { _id: 2, v: 'L', i: null },
      { _id: 3, i: null },
      { _id: 4, v: null, i: null },
    ]);
  });

  test('$facet runs pipelines over one input, $count and $sortByCount count', async () => {
    const documents = [{ k: 'a' }, { k: 'b' }, { k: 'a' }];
    const [result] = await aggregate(documents, {
      $facet: {
        total: [{ $count: 'n' }],
        byKey: [{ $sortByCount: '$k' }],
        none: [{ $match: { k: 'z' } }, { $count: 'n' }],
      },
    });
    expect(result).toEqual({
      total: [{ n: 3 }],
      byKey: [
        { _id: 'a', count: 2 },
        { _id: 'b', count: 1 },
      ],
      none: [],
    });
  });

  test('$lookup joins by equality, also with null and arrays (manual: $lookup)', async () => {
    const foreign = await mongo.with({ sku: 'almonds' }, { sku: 'bread' }, { sku: null }, {});
    const documents = [{ item: 'almonds' }, { item: ['bread', 'almonds'] }, {}];
    const joined = await aggregate(documents, {
      $lookup: { from: foreign.collectionName, localField: 'item', foreignField: 'sku', as: 'found' },
    });
    const ids = joined.map(({ found }) => (found as Document[]).map(({ _id }) => Number(_id)));
    expect(ids).toEqual([[0], [0, 1], [2, 3]]);
  });

  test('$lookup runs a pipeline with variables of the outer document', async () => {
    const foreign = await mongo.with({ stock: 1 }, { stock: 5 }, { stock: 9 });
    const joined = await aggregate([{ ordered: 4 }, { ordered: 9 }], {
      $lookup: {
        from: foreign.collectionName,
        let: { needed: '$ordered' },
        pipeline: [{ $match: { $expr: { $gte: ['$stock', '$$needed'] } } }, { $project: { _id: 0 } }],
        as: 'found',
      },
    });
    expect(joined.map(({ found }) => found as Document[])).toEqual([
      [{ stock: 5 }, { stock: 9 }],
      [{ stock: 9 }],
    ]);
  });

  test('$setWindowFields numbers and ranks within partitions (manual: $documentNumber, $rank)', async () => {
    const documents = [
      { k: 'a', v: 5 },
      { k: 'b', v: 1 },
      { k: 'a', v: 7 },
      { k: 'a', v: 5 },
    ];
    const output = { number: { $documentNumber: {} }, rank: { $rank: {} }, dense: { $denseRank: {} } };
    const ranked = await aggregate(
      documents,
      { $setWindowFields: { partitionBy: '$k', sortBy: { v: 1 }, output } },
      { $sort: { k: 1, number: 1 } },
      { $project: { _id: 0, v: 1, number: 1, rank: 1, dense: 1 } },
    );
    expect(ranked).toEqual([
      { v: 5, number: 1, rank: 1, dense: 1 },
      { v: 5, number: 2, rank: 1, dense: 1 },
      { v: 7, number: 3, rank: 3, dense: 2 },
      { v: 1, number: 1, rank: 1, dense: 1 },
    ]);
  });

  test('a collection that is not there is empty, but its pipeline is checked', async () => {
    const missing = mongo.db.collection('missing');
    expect(await missing.aggregate([{ $group: { _id: null, n: { $sum: 1 } } }]).toArray()).toEqual([]);
    await expect(missing.aggregate([{ $nope: 1 }]).toArray()).rejects.toMatchObject({ code: 40324 });
  });

  test('countDocuments, estimatedDocumentCount and distinct agree with the documents', async () => {
    const collection = await mongo.with({ v: [1, 2] }, { v: 2 }, { v: 'x' }, {});
    expect(await collection.countDocuments({ v: 2 })).toBe(2);
    expect(await collection.countDocuments({ v: 9 })).toBe(0);
    expect(await collection.countDocuments({}, { skip: 1, limit: 2 })).toBe(2);
    expect(await collection.estimatedDocumentCount()).toBe(4);
    expect(await collection.distinct('v')).toEqual([1, 2, 'x']);
    expect(await collection.distinct('v', { v: 2 })).toEqual([1, 2]);
  });
});
