import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Binary, BSONRegExp, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'mongodb';
import { openMongo } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => void (mongo = await openMongo()));
afterAll(() => mongo.close());

test('types sort as the manual lists them (Comparison/Sort Order), indexed or not', async () => {
  const ascending = [
    new MinKey(),
    [],
    null,
    NaN,
    -Infinity,
    -3,
    Decimal128.fromString('-2.5'),
    new Double(-0.5),
    Long.fromString('9007199254740993'),
    Infinity,
    '',
    'a',
    'ab',
    '\u{ff61}',
    '\u{1f600}',
    {},
    { a: 1 },
    { a: 1, b: 0 },
    { b: 0 },
    new Binary(Buffer.from('b')),
    new Binary(Buffer.from('aa')),
    new ObjectId('000000000000000000000001'),
    false,
    true,
    new Date(-5),
    new Date(5),
    new Timestamp({ t: 1, i: 1 }),
    new BSONRegExp('a', ''),
    new MaxKey(),
  ];
  const collection = await mongo.with(...ascending.map((v) => ({ v })).reverse());
  const last = ascending.length - 1;
  const order = async (direction: 1 | -1) =>
    (await collection.find().sort({ v: direction }).toArray()).map(({ _id }) => last - Number(_id));
  const positions = ascending.map((_value, i) => i);
  expect(await order(1)).toEqual(positions);
  expect(await order(-1)).toEqual(positions.toReversed());
  await collection.createIndex({ v: 1 });
  expect(await order(1)).toEqual(positions);
});

test('an array sorts by its smallest element upwards and by its greatest downwards', async () => {
  const collection = await mongo.with({ v: [5, 1] }, { v: 3 }, { v: [2, 9] });
  const order = async (direction: 1 | -1) =>
    (await collection.find().sort({ v: direction }).toArray()).map(({ _id }) => _id);
  expect(await order(1)).toEqual([0, 2, 1]);
  expect(await order(-1)).toEqual([2, 0, 1]);
});

test('a missing field sorts like null, and later fields break ties', async () => {
  const collection = await mongo.with({ v: 1, w: 1 }, { w: 2 }, { v: null, w: 1 }, { v: 1, w: 0 });
  const sorted = await collection.find().sort({ v: 1, w: -1 }).toArray();
  expect(sorted.map(({ _id }) => _id)).toEqual([1, 2, 0, 3]);
});

test('skip and limit count in sort order, over several pages', async () => {
  const collection = await mongo.with(...Array.from({ length: 300 }, (_unused, i) => ({ v: 299 - i })));
  const page = await collection.find().sort({ v: 1 }).skip(10).limit(250).batchSize(50).toArray();
  expect(page.map(({ v }) => v)).toEqual(Array.from({ length: 250 }, (_unused, i) => i + 10));
});
