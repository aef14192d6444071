import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openMongo } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => void (mongo = await openMongo({ checkQueries: false, shuffleSeed: 7 })));
afterAll(() => mongo.close());

test('with a seed, only what a query orders comes in order', async () => {
  const rows = await mongo.with(...Array.from({ length: 30 }, (_unused, i) => ({ pair: Math.floor(i / 2) })));
  await rows.createIndex({ pair: 1 });
  const ids = async (sort: Record<string, 1>) =>
    (await rows.find({}, { sort }).toArray()).map(({ _id }) => Number(_id));
  const ordered = Array.from({ length: 30 }, (_unused, i) => i);

  expect(await ids({ _id: 1 })).toEqual(ordered);
  const unsorted = await ids({});
  expect(unsorted).not.toEqual(ordered);
  expect(await ids({})).not.toEqual(unsorted);
  expect(unsorted.toSorted((a, b) => a - b)).toEqual(ordered);

  const ties = await ids({ pair: 1 });
  expect(ties).not.toEqual(ordered);
  expect(ties.map((id) => Math.floor(id / 2))).toEqual(ordered.map((id) => Math.floor(id / 2)));

  const groups = await rows.aggregate([{ $group: { _id: '$pair' } }]).toArray();
  expect(groups.map(({ _id }) => Number(_id))).not.toEqual(ordered.slice(0, 15));
});
