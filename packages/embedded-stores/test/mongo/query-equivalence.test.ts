import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal128, type Document } from 'mongodb';
import { openMongo } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => void (mongo = await openMongo({ checkQueries: false })));
afterAll(() => mongo.close());

/** No double lies between these and 1.5. */
const decimals = ['1.4999999999999999999', '1.5000000000000000001'].map((digits) =>
  Decimal128.fromString(digits),
);
const scalar = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom<unknown[]>(null, 'x', 'y', 1.5, ...decimals, true, new Date(1e12), new Date(2e12)),
);
const stored = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
);
const documents = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.record({ a: value, b: value, c: value }, { requiredKeys: [] }), {
    minLength: 1,
    maxLength: 30,
  });

const condition = fc.oneof(
  scalar,
  scalar.map(($eq) => ({ $eq })),
  scalar.map(($ne) => ({ $ne })),
  fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), scalar).map(([op, value]) => ({ [op]: value })),
  fc.tuple(scalar, scalar).map(([$gte, $lt]) => ({ $gte, $lt })),
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), scalar)
    .map(([op, value]) => ({ $not: { [op]: value } })),
  fc.array(scalar, { maxLength: 3 }).map(($in) => ({ $in })),
  fc.boolean().map(($exists) => ({ $exists })),
);
const filter = fc.record({ a: condition, b: condition, c: condition }, { requiredKeys: [] });
const direction = fc.constantFrom(1, -1);
const fieldOrder = fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 1 });
const keyPattern = fieldOrder.chain((fields) =>
  fc
    .tuple(...fields.map(() => direction))
    .map((signs) => Object.fromEntries(fields.map((field, i) => [field, signs[i] ?? 1]))),
);
const options = fc.record({ sparse: fc.boolean() }, { requiredKeys: [] });

/** A collection with and one without indexes, with the same documents; false where an index refuses them. */
async function twins(content: readonly Document[], indexes: readonly { key: Document; options: Document }[]) {
  const [plain, indexed] = [await mongo.with(...content), await mongo.with(...content)];
  for (const [i, { key, options: kind }] of indexes.entries()) {
    await indexed
      .createIndex(key as Record<string, 1>, { name: `i${i}`, ...kind })
      .catch((error: { code?: number }) => {
        // Two arrays in one document: MongoDB refuses the index as well.
        if (error.code !== 171) throw error;
      });
  }
  const drop = async () => void (await Promise.all([plain.drop(), indexed.drop()]));
  return { plain, indexed, drop };
}

test('a query answers the same with any indexes as without', async () => {
  const indexes = fc.uniqueArray(fc.record({ key: keyPattern, options }), {
    minLength: 1,
    maxLength: 2,
    selector: ({ key }) => JSON.stringify(key),
  });
  await fc.assert(
    fc.asyncProperty(
      documents(stored),
      indexes,
      filter,
      keyPattern,
      fc.nat(5),
      async (content, kinds, query, sort, skip) => {
        const { plain, indexed, drop } = await twins(content, kinds);
        const order = { ...sort, _id: 1 } as Record<string, 1>;
        const page = { sort: order, skip, limit: 10 };
        expect(await indexed.find(query, page).toArray()).toEqual(await plain.find(query, page).toArray());
        expect(await indexed.countDocuments(query)).toBe(await plain.countDocuments(query));
        expect(await indexed.distinct('a', query)).toEqual(await plain.distinct('a', query));
        await drop();
      },
    ),
    { numRuns: 60 },
  );
});

test('the first of each group is the same with any index as without', async () => {
  const groupKey = fc.constantFrom<unknown[]>('$a', { a: '$a' }, { a: '$a', b: '$b' });
  const content = documents(scalar).map((rows) => rows.map((row, i) => ({ ...row, t: (i * 17) % 31 })));
  await fc.assert(
    fc.asyncProperty(
      content,
      fieldOrder,
      direction,
      filter,
      groupKey,
      async (rows, fields, sign, query, _id) => {
        const key = { ...Object.fromEntries(fields.map((field) => [field, 1])), t: -1 };
        const { plain, indexed, drop } = await twins(rows, [{ key, options: {} }]);
        const pipeline = [
          { $match: query },
          { $sort: { t: sign } },
          { $group: { _id, first: { $first: '$_id' }, firstTwo: { $firstN: { input: '$_id', n: 2 } } } },
          { $sort: { first: 1 } },
        ];
        const naive = new Map<string, number[]>();
        for (const row of await plain
          .find(query)
          .sort({ t: sign as 1 })
          .toArray()) {
          const group = JSON.stringify(
            _id === '$a'
              ? (row['a'] ?? null)
              : typeof _id === 'object' && 'b' in (_id as object)
                ? [row['a'], 'a' in row, row['b'], 'b' in row]
                : [row['a'], 'a' in row],
          );
          naive.set(group, [...(naive.get(group) ?? []), Number(row['_id'])]);
        }
        const expected = [...naive.values()].map((ids) => ids.slice(0, 2)).sort(([x = 0], [y = 0]) => x - y);
        const found = await indexed.aggregate(pipeline).toArray();
        expect(found.map(({ firstTwo }) => firstTwo as number[])).toEqual(expected);
        await drop();
      },
    ),
    { numRuns: 60 },
  );
});

test('the first of each value is the same by jumping from value to value as by reading all', async () => {
  const content = documents(scalar).map((rows) => rows.map((row, i) => ({ ...row, t: (i * 17) % 31 })));
  const key = fc.constantFrom<unknown[]>('$b', { b: '$b' });
  await fc.assert(
    fc.asyncProperty(content, scalar, key, direction, async (rows, a, _id, sign) => {
      const indexes = [{ key: { a: 1, b: 1, t: -1 }, options: {} }];
      const { plain, indexed, drop } = await twins(rows, indexes);
      const pipeline = [
        { $match: { a } },
        { $sort: { a: sign, b: sign, t: -sign } },
        { $group: { _id, first: { $first: '$_id' } } },
        { $sort: { first: 1 } },
      ];
      expect(await indexed.aggregate(pipeline).toArray()).toEqual(await plain.aggregate(pipeline).toArray());
      await drop();
    }),
    { numRuns: 60 },
  );
});

test('sums, counts and extremes of groups are those of a plain loop', async () => {
  const rows = fc.array(
    fc.record({ k: fc.constantFrom('x', 'y', 'z'), v: fc.integer({ min: -1000, max: 1000 }) }),
    {
      minLength: 1,
      maxLength: 40,
    },
  );
  await fc.assert(
    fc.asyncProperty(rows, async (content) => {
      const collection = await mongo.with(...content);
      const groups = await collection
        .aggregate([
          {
            $group: {
              _id: '$k',
              sum: { $sum: '$v' },
              n: { $sum: 1 },
              low: { $min: '$v' },
              high: { $max: '$v' },
              mean: { $avg: '$v' },
            },
          },
          { $sort: { _id: 1 } },
        ])
        .toArray();
      const expected = [...Map.groupBy(content, ({ k }) => k)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([_id, members]) => {
          const values = members.map(({ v }) => v);
          const sum = values.reduce((a, b) => a + b, 0);
          return {
            _id,
            sum,
            n: values.length,
            low: Math.min(...values),
            high: Math.max(...values),
            mean: sum / values.length,
          };
        });
      expect(groups).toEqual(expected);
      await collection.drop();
    }),
    { numRuns: 25 },
  );
});
