import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal128, Double, Long, type Document, type UpdateFilter } from 'mongodb';
import { openMongo, refusal } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => void (mongo = await openMongo()));
afterAll(() => mongo.close());

const decimal = (digits: string) => Decimal128.fromString(digits);

/** Coefficients of more than 34 digits, which count as zero (IEEE 754: non-canonical). */
const LONG = new Decimal128(Buffer.from('ffffffffffffffffffffffffffff4130', 'hex'));
const LONGER = new Decimal128(Buffer.from('0000000000000000010000000000006c', 'hex'));

/** In ascending order; those of one line are equal. */
const NUMBERS: readonly (readonly unknown[])[] = [
  [decimal('NaN'), NaN],
  [decimal('-Infinity'), -Infinity],
  [decimal('-1E+6000')],
  [-1.5, decimal('-1.50')],
  [decimal('-1E-6000')],
  [decimal('0E-6000'), decimal('-0'), LONG, LONGER, 0],
  [decimal('1E-6000')],
  [decimal('0.1')],
  [0.1],
  [decimal('1.499999999999999999999999999999999')],
  [decimal('1.5'), decimal('1.500'), 1.5],
  [decimal('1.500000000000000000000000000000001')],
  [decimal('12'), decimal('1.2E+1'), Long.fromNumber(12), 12],
  [decimal('9007199254740992.5')],
  [Long.fromString('9007199254740993'), decimal('9007199254740993')],
  [decimal('1E+6000')],
  [decimal('Infinity'), Infinity],
];

/** A document for each number; `line` is its place in the order. */
const rows = NUMBERS.flatMap((equal, line) => equal.map((v) => ({ line, v })));
const linesOf = (documents: readonly Document[]) => documents.map(({ line }) => Number(line));
const INDEXES = [undefined, { v: 1 }, { v: -1 }, { v: 1, line: -1 }, { v: -1, line: 1 }] as const;

describe.each(INDEXES)('with an index %p', (index) => {
  let collection: Awaited<ReturnType<typeof mongo.with>>;
  beforeAll(async () => {
    collection = await mongo.with(...rows);
    if (index) await collection.createIndex(index);
  });

  test('numbers of all types sort by their exact values', async () => {
    const inOrder = linesOf(rows);
    expect(linesOf(await collection.find().sort({ v: 1 }).toArray())).toEqual(inOrder);
    expect(linesOf(await collection.find().sort({ v: -1 }).toArray())).toEqual(inOrder.toReversed());
  });

  test('equality, $in and ranges find the numbers that they name, and no neighbours', async () => {
    const found = async (v: unknown) => linesOf(await collection.find({ v }).sort({ line: 1 }).toArray());
    for (const [line, equal] of NUMBERS.entries()) {
      const isNaNLine = line === 0;
      for (const value of equal) {
        const [before, same, after] = [-1, 0, 1].map((side) =>
          linesOf(rows).filter((each) => Math.sign(each - line) === side && (each > 0 || isNaNLine)),
        );
        expect(await found(value)).toEqual(same);
        expect(await found({ $in: [value, 'x'] })).toEqual(same);
        expect(await found({ $lt: value })).toEqual(isNaNLine ? [] : before);
        expect(await found({ $gt: value })).toEqual(isNaNLine ? [] : after);
        expect(await found({ $lte: value })).toEqual([...(isNaNLine ? [] : (before ?? [])), ...(same ?? [])]);
        expect(await found({ $gte: value })).toEqual([...(same ?? []), ...(isNaNLine ? [] : (after ?? []))]);
      }
    }
  });

  test('groups and distinct values are the different numbers', async () => {
    const groups = await collection
      .aggregate([{ $group: { _id: '$v', lines: { $addToSet: '$line' } } }, { $sort: { _id: 1 } }])
      .toArray();
    expect(groups.map(({ lines }) => lines as number[])).toEqual(NUMBERS.map((_equal, line) => [line]));
    expect(await collection.distinct('v')).toHaveLength(NUMBERS.length);
  });

  test('a value that an index binds leaves its neighbours out', async () => {
    const bound = (v: unknown) =>
      collection.aggregate([{ $match: { v } }, { $group: { _id: '$line' } }]).toArray();
    expect(await bound(1.5)).toEqual([{ _id: 10 }]);
    expect(await bound(decimal('0.1'))).toEqual([{ _id: 7 }]);
  });
});

describe('a stored decimal', () => {
  test('comes back as it was written', async () => {
    const document = {
      v: decimal('1.500'),
      list: [decimal('-0E+3')],
      o: { big: decimal('1E+6000') },
      LONG,
    };
    const collection = await mongo.with(document);
    expect(await collection.findOne({})).toEqual({ _id: 0, ...document });
    expect(await collection.findOne({}, { projection: { _id: 0, 'o.big': 1 } })).toEqual({ o: document.o });
    await collection.updateOne({}, { $set: { v: decimal('2.0'), w: decimal('3') } });
    expect(await collection.findOne({})).toMatchObject({ v: decimal('2.0'), w: decimal('3') });
  });

  test('is of type "decimal", 19 and "number"', async () => {
    const collection = await mongo.with({ v: decimal('1') }, { v: 1 }, { v: '1' });
    const ids = async (type: unknown) =>
      (await collection.find({ v: { $type: type as 'decimal' } }).toArray()).map(({ _id }) => Number(_id));
    expect(await ids('decimal')).toEqual([0]);
    expect(await ids(19)).toEqual([0]);
    expect(await ids('number')).toEqual([0, 1]);
  });

  test('is what a unique index has already as an int or with other zeros', async () => {
    const collection = await mongo.with({ v: 1 }, { v: decimal('1.1') });
    await collection.createIndex({ v: 1 }, { unique: true });
    expect((await refusal(collection.insertOne({ v: decimal('1.0') }))).code).toBe(11000);
    expect((await refusal(collection.insertOne({ v: decimal('1.10') }))).code).toBe(11000);
    await collection.insertOne({ v: 1.1 });
    await collection.updateOne({ v: decimal('1.1') }, { $set: { v: decimal('1.1000000000000001') } });
    expect(await collection.countDocuments({ v: { $gt: 1.1 } })).toBe(1);
  });
});

/** Both over fields of one document, and by accumulators over these documents. */
const measured = [{ v: decimal('1.10') }, { v: 0.5 }, { v: decimal('2') }, { v: 'x' }];

async function accumulated(documents: readonly Document[], accumulator: Document): Promise<unknown> {
  const collection = await mongo.with(...documents);
  const [group] = await collection
    .aggregate([{ $sort: { _id: 1 } }, { $group: { _id: null, value: accumulator } }])
    .toArray();
  return group?.['value'];
}

async function evaluated(expression: Document, options = {}): Promise<unknown> {
  const collection = await mongo.with({ v: decimal('1.50'), zero: decimal('0.00') });
  const [row] = await collection.aggregate([{ $project: { _id: 0, value: expression } }], options).toArray();
  return row?.['value'];
}

describe('accumulators', () => {
  test('$min, $max, $first, $last, $push and $addToSet keep the decimals that they meet', async () => {
    const numbers = measured.slice(0, 3);
    expect(await accumulated(numbers, { $min: '$v' })).toBe(0.5);
    expect(await accumulated(numbers, { $max: '$v' })).toEqual(decimal('2'));
    expect(await accumulated(numbers, { $first: '$v' })).toEqual(decimal('1.10'));
    expect(await accumulated(numbers, { $last: '$v' })).toEqual(decimal('2'));
    expect(await accumulated(measured, { $push: '$v' })).toEqual(measured.map(({ v }) => v));
    expect(await accumulated([{ v: 2 }, ...measured.slice(2, 3)], { $addToSet: '$v' })).toEqual([2]);
    const top = { $top: { sortBy: { v: -1 }, output: '$v' } };
    expect(await accumulated(numbers, top)).toEqual(decimal('2'));
  });

  test.each<[unknown[], string]>([
    [[decimal('1.10'), 0.5, decimal('2'), 'x'], '1.20'],
    [[decimal('40'), Long.fromNumber(42)], '41'],
    [[decimal('1'), 0, 0], '0.3333333333333333333333333333333333'],
    [[decimal('-2'), 0, 0], '-0.6666666666666666666666666666666667'],
    [[decimal('1E+6000'), decimal('1E-6000')], '5.000000000000000000000000000000000E+5999'],
    [[decimal('9000000000000000000000000000000001'), decimal('1E-60')], '4500000000000000000000000000000001'],
    [[decimal('0'), 0], '0'],
    [[decimal('NaN'), 1], 'NaN'],
    [[decimal('Infinity'), decimal('1')], 'Infinity'],
  ])('the $avg of %p is the decimal %s (manual: $avg, result type)', async (values, mean) => {
    const documents = values.map((v) => ({ v }));
    expect(await accumulated(documents, { $avg: '$v' })).toMatchObject({ bytes: decimal(mean).bytes });
  });

  test('$avg is the same in whatever order doubles and decimals are read, but for the last digits', async () => {
    const collection = await mongo.with({ v: 0.1, n: 1 }, { v: 0.2, n: 3 }, { v: 0.6, n: 2 });
    await collection.insertOne({ v: decimal('0.1'), n: 4 });
    await collection.createIndex({ n: 1 });
    const [group] = await collection
      .aggregate([{ $match: { n: { $gt: 0 } } }, { $group: { _id: null, mean: { $avg: '$v' } } }])
      .toArray();
    expect(Number(group?.['mean'])).toBeCloseTo(0.25, 12);
  });

  test('$stdDevSamp and $median are doubles, as for all numbers (manual: $stdDevSamp, $median)', async () => {
    const numbers = [{ v: decimal('1') }, { v: 2 }, { v: decimal('3') }];
    expect(await accumulated(numbers, { $stdDevSamp: '$v' })).toBe(1);
    expect(await accumulated(numbers, { $median: { input: '$v', method: 'approximate' } })).toBe(2);
  });
});

describe('expressions', () => {
  const typed = { promoteValues: false };

  test('tell what a decimal is', async () => {
    expect(await evaluated({ $isNumber: '$v' })).toBe(true);
    expect(await evaluated({ $type: '$v' })).toBe('decimal');
    expect(await evaluated({ $eq: ['$v', new Double(1.5)] })).toBe(true);
    expect(await evaluated({ $cmp: ['$v', decimal('1.5000001')] })).toBe(-1);
    expect(await evaluated({ $max: ['$v', 1] })).toEqual(decimal('1.50'));
    expect(await evaluated({ $and: ['$v'] })).toBe(true);
    expect(await evaluated({ $and: ['$zero'] })).toBe(false);
    expect(await evaluated({ $and: [decimal('1E-6000')] })).toBe(true);
  });

  test('convert it to text, doubles and dates', async () => {
    expect(await evaluated({ $toString: '$v' })).toBe('1.50');
    expect(await evaluated({ $toDouble: '$v' }, typed)).toStrictEqual(new Double(1.5));
    expect(await evaluated({ $toDouble: decimal('0.1') }, typed)).toStrictEqual(new Double(0.1));
    expect(await evaluated({ $toDouble: decimal('-Infinity') }, typed)).toStrictEqual(new Double(-Infinity));
    expect(await evaluated({ $toDate: decimal('1000') })).toEqual(new Date(1000));
  });

  test.each([
    ['$toDouble', '1E+400'],
    ['$toDouble', '-1E-400'],
    ['$toDate', 'NaN'],
    ['$toDate', '1E+400'],
  ])('%s of %s is refused (241)', async (operator, digits) => {
    await expect(evaluated({ [operator]: decimal(digits) })).rejects.toMatchObject({ code: 241 });
  });
});

describe('this server does not calculate with decimals', () => {
  const REFUSED = { code: 2, message: expect.stringContaining('does not calculate') as unknown };

  test.each<Document>([
    { $add: ['$v', 1] },
    { $add: [new Date(0), '$v'] },
    { $subtract: [1, '$v'] },
    { $subtract: [new Date(0), '$v'] },
    { $multiply: ['$v'] },
    { $divide: ['$v', 2] },
    { $divide: [2, '$v'] },
    { $abs: '$v' },
    { $sum: ['$v', 1] },
    { $avg: ['$v'] },
  ])('%j is refused', async (expression) => {
    await expect(evaluated(expression)).rejects.toMatchObject(REFUSED);
  });

  test('$sum of a group is refused', async () => {
    await expect(accumulated(measured, { $sum: '$v' })).rejects.toMatchObject(REFUSED);
    expect(await accumulated(measured, { $sum: 1 })).toBe(4);
  });

  test.each([
    ['of a decimal', { v: decimal('1.5') }, 1],
    ['by a decimal', { v: 1 }, decimal('1.5')],
    ['by a decimal where there is nothing', { w: 1 }, decimal('1.5')],
  ])('$inc %s is refused and changes nothing', async (_what, document, by) => {
    const collection = await mongo.with(document);
    const update = { $inc: { v: by } } as UpdateFilter<Document>;
    await expect(collection.updateOne({}, update)).rejects.toMatchObject(REFUSED);
    expect(await collection.findOne({})).toEqual({ _id: 0, ...document });
  });

  test('$min and $max of an update compare it', async () => {
    const collection = await mongo.with({ low: decimal('1.5'), high: 1.5 });
    const more = decimal('1.50000000000000000001');
    await collection.updateOne({}, { $min: { low: more }, $max: { high: more } });
    expect(await collection.findOne({})).toEqual({ _id: 0, low: decimal('1.5'), high: more });
  });
});

describe('as an argument, a decimal', () => {
  const run = async (command: Document) => mongo.db.command({ ...command });
  beforeAll(async () => {
    await mongo.db.collection('c').insertMany([1, 2, 3].map((a) => ({ a, list: [a, a] })));
  });
  const batch = async (command: Document) =>
    ((await run(command))['cursor'] as { firstBatch: Document[] }).firstBatch;

  test('is the whole number that it equals', async () => {
    const [one, two] = [decimal('1.0'), decimal('2E0')];
    const found = await batch({ find: 'c', sort: { a: decimal('-1') }, skip: one, limit: one });
    expect(found.map(({ a }) => Number(a))).toEqual([2]);
    expect(await batch({ find: 'c', batchSize: two })).toHaveLength(2);
    const stages = [{ $sort: { a: one } }, { $skip: one }, { $limit: one }, { $project: { _id: 0, a: one } }];
    expect(await batch({ aggregate: 'c', pipeline: stages, cursor: { batchSize: two } })).toEqual([{ a: 2 }]);
    expect(await batch({ find: 'c', filter: { list: { $size: two } } })).toHaveLength(3);
    const last = { $lastN: { input: '$a', n: two } };
    const lastTwo = [{ $sort: { a: 1 } }, { $group: { _id: null, last } }];
    expect(await batch({ aggregate: 'c', pipeline: lastTwo, cursor: {} })).toEqual([
      { _id: null, last: [2, 3] },
    ]);
    await run({ createIndexes: 'c', indexes: [{ key: { a: decimal('-1') }, name: 'a' }] });
    expect(await batch({ find: 'c', filter: { a: 2 }, hint: 'a' })).toHaveLength(1);
  });

  test.each<[string, (not: Decimal128) => Document, number]>([
    ['a limit', (limit) => ({ find: 'c', limit }), 14],
    ['a page', (batchSize) => ({ find: 'c', batchSize }), 14],
    ['a direction', (a) => ({ find: 'c', sort: { a } }), 15975],
    ['a direction of an index', (a) => ({ createIndexes: 'c', indexes: [{ key: { a }, name: 'x' }] }), 67],
    ['$limit', ($limit) => ({ aggregate: 'c', pipeline: [{ $limit }], cursor: {} }), 15958],
    ['$size', ($size) => ({ find: 'c', filter: { list: { $size } } }), 2],
    ['a type', ($type) => ({ find: 'c', filter: { a: { $type } } }), 2],
    ['a time limit', (maxTimeMS) => ({ find: 'c', maxTimeMS }), 14],
    ['a cursor', (getMore) => ({ getMore, collection: 'c' }), 14],
    [
      'a position in an array',
      (at) => ({
        aggregate: 'c',
        pipeline: [{ $project: { v: { $arrayElemAt: ['$list', at] } } }],
        cursor: {},
      }),
      28690,
    ],
  ])('that is no whole number is refused as %s', async (_what, command, code) => {
    for (const digits of ['1.0000000000000000000000001', 'NaN', '1E+6000', '-Infinity']) {
      expect((await refusal(run(command(decimal(digits))))).code).toBe(code);
    }
  });
});
