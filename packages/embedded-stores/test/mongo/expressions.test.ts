import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Collection, type Document, Double, Int32, Long, ObjectId } from 'mongodb';
import { openMongo } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
let collection: Collection<Document>;

const stored = {
  n: 7,
  half: 0.5,
  s: 'Text',
  at: new Date('2024-05-17T13:45:30.250Z'),
  v: [3, 1, 2],
  docs: [{ x: 1 }, { x: 5 }, {}],
  o: { a: 1, b: 2 },
  nil: null,
};

beforeAll(async () => {
  mongo = await openMongo();
  collection = await mongo.with(stored);
});
afterAll(() => mongo.close());

/** The value of an expression over the stored document; undefined if it is missing. */
async function value(expression: unknown, options = {}): Promise<unknown> {
  const [result] = await collection
    .aggregate([{ $project: { _id: 0, value: expression } }], options)
    .toArray();
  return result?.['value'];
}

const typed = { promoteValues: false };

describe('arithmetic', () => {
  test('keeps int, widens to long and double (manual: $add, $multiply)', async () => {
    expect(await value({ $add: ['$n', 1] }, typed)).toStrictEqual(new Int32(8));
    expect(await value({ $multiply: [2 ** 30, 4] }, typed)).toStrictEqual(Long.fromNumber(2 ** 32));
    expect(await value({ $subtract: ['$n', 0.5] }, typed)).toStrictEqual(new Double(6.5));
    expect(await value({ $abs: { $literal: -3 } })).toBe(3);
  });

  test('division is always a double and never by zero', async () => {
    expect(await value({ $divide: [8, 4] }, typed)).toStrictEqual(new Double(2));
    await expect(value({ $divide: ['$n', 0] })).rejects.toMatchObject({ code: 2 });
  });

  test('null and missing operands make null', async () => {
    expect(await value({ $add: ['$n', '$nil'] })).toBeNull();
    expect(await value({ $multiply: ['$n', '$nope'] })).toBeNull();
    await expect(value({ $add: ['$n', '$s'] })).rejects.toMatchObject({ code: 14 });
  });

  test('dates plus milliseconds are dates, the difference of dates is milliseconds', async () => {
    expect(await value({ $add: ['$at', 1000] })).toEqual(new Date('2024-05-17T13:45:31.250Z'));
    expect(await value({ $subtract: ['$at', new Date('2024-05-17T13:45:30Z')] })).toBe(250);
    expect(await value({ $subtract: ['$at', 250] })).toEqual(new Date('2024-05-17T13:45:30Z'));
  });

  test('$sum, $avg, $min, $max take arguments or one array', async () => {
    expect(await value({ $sum: '$v' })).toBe(6);
    expect(await value({ $avg: ['$n', '$half', '$s'] })).toBe(3.75);
    expect(await value({ $min: '$v' })).toBe(1);
    expect(await value({ $max: ['$n', '$nil', '$half'] })).toBe(7);
    expect(await value({ $max: '$nope' })).toBeNull();
  });
});

describe('comparison and conditions', () => {
  test('compares across types, missing smallest', async () => {
    expect(await value({ $gt: ['$s', '$n'] })).toBe(true);
    expect(await value({ $lt: ['$nope', null] })).toBe(true);
    expect(await value({ $eq: ['$nope', null] })).toBe(false);
    expect(await value({ $cmp: [1, { $literal: 2 }] })).toBe(-1);
    expect(await value({ $ne: ['$n', 7] })).toBe(false);
    expect(await value({ $gte: ['$n', 7] })).toBe(true);
    expect(await value({ $lte: ['$n', 6] })).toBe(false);
  });

  test('truth: 0, null and missing are false, empty strings are true (manual: $and)', async () => {
    expect(await value({ $and: ['$n', { $literal: '' }] })).toBe(true);
    expect(await value({ $or: ['$nil', '$nope', { $literal: 0 }] })).toBe(false);
    expect(await value({ $not: ['$nope'] })).toBe(true);
  });

  test('$cond and $switch evaluate only the branch they take', async () => {
    expect(await value({ $cond: [true, 'yes', { $divide: [1, 0] }] })).toBe('yes');
    // As JSON, because a linter takes a field called "then" for a promise.
    const { cond, branches } = JSON.parse(`{
      "cond": { "if": "$nil", "then": 1, "else": 2 },
      "branches": [
        { "case": { "$lt": ["$n", 5] }, "then": "low" },
        { "case": { "$lt": ["$n", 9] }, "then": "mid" }
      ]
    }`) as { cond: Document; branches: Document[] };
    expect(await value({ $cond: cond })).toBe(2);
    expect(await value({ $switch: { branches, default: 'high' } })).toBe('mid');
    await expect(value({ $switch: { branches: branches.slice(0, 1) } })).rejects.toMatchObject({
      code: 40066,
    });
  });

  test('$ifNull takes the first that is there', async () => {
    expect(await value({ $ifNull: ['$nope', '$nil', 'fallback'] })).toBe('fallback');
    expect(await value({ $ifNull: ['$nope', '$nil'] })).toBeNull();
  });
});

describe('arrays and documents', () => {
  test('a path through an array gives an array of what is there', async () => {
    expect(await value('$docs.x')).toEqual([1, 5]);
    expect(await value('$s.x')).toBeUndefined();
  });

  test('elements by position, also from the end; beyond it they are missing', async () => {
    expect(await value({ $arrayElemAt: ['$v', 0] })).toBe(3);
    expect(await value({ $arrayElemAt: ['$v', -1] })).toBe(2);
    expect(await value({ $arrayElemAt: ['$v', 9] })).toBeUndefined();
    expect(await value({ $first: '$v' })).toBe(3);
    expect(await value({ $last: '$v' })).toBe(2);
    expect(await value({ $slice: ['$v', 1, 5] })).toEqual([1, 2]);
    expect(await value({ $slice: ['$v', -2] })).toEqual([1, 2]);
  });

  test('$size needs an array (17124), $in looks into one', async () => {
    expect(await value({ $size: '$v' })).toBe(3);
    await expect(value({ $size: '$n' })).rejects.toMatchObject({ code: 17124 });
    expect(await value({ $in: [2, '$v'] })).toBe(true);
    expect(await value({ $isArray: '$v' })).toBe(true);
    expect(await value({ $isNumber: '$s' })).toBe(false);
    expect(await value({ $concatArrays: ['$v', [9]] })).toEqual([3, 1, 2, 9]);
    expect(await value({ $setUnion: ['$v', [1, 4]] })).toEqual(expect.arrayContaining([1, 2, 3, 4]));
  });

  test('$map, $filter and $reduce bind their variables, within each other too', async () => {
    expect(await value({ $map: { input: '$v', as: 'x', in: { $add: ['$$x', '$n'] } } })).toEqual([10, 8, 9]);
    expect(await value({ $filter: { input: '$docs', cond: { $gt: ['$$this.x', 2] } } })).toEqual([{ x: 5 }]);
    expect(await value({ $filter: { input: '$v', cond: true, limit: 2 } })).toEqual([3, 1]);
    expect(
      await value({ $reduce: { input: '$v', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }),
    ).toBe(6);
    const inner = { $map: { input: '$v', as: 'y', in: { $multiply: ['$$x', '$$y'] } } };
    expect(await value({ $map: { input: [1, 2], as: 'x', in: { $sum: inner } } })).toEqual([6, 12]);
    expect(await value({ $let: { vars: { a: '$n', b: 2 }, in: { $subtract: ['$$a', '$$b'] } } })).toBe(5);
  });

  test('documents turn into pairs and back, merge, and give single fields', async () => {
    const pairs = [
      { k: 'a', v: 1 },
      { k: 'b', v: 2 },
    ];
    expect(await value({ $objectToArray: '$o' })).toEqual(pairs);
    expect(await value({ $arrayToObject: { $literal: pairs } })).toEqual(stored.o);
    expect(await value({ $arrayToObject: [[['k', 1]]] })).toEqual({ k: 1 });
    expect(await value({ $mergeObjects: ['$o', '$nil', { b: 9 }] })).toEqual({ a: 1, b: 9 });
    expect(await value({ $getField: { field: 'a', input: '$o' } })).toBe(1);
    expect(await value({ $getField: 'n' })).toBe(7);
    expect(await value({ x: '$n', gone: '$nope', deep: ['$s', '$nope'] })).toEqual({
      x: 7,
      deep: ['Text', null],
    });
  });
});

describe('strings, types and dates', () => {
  test('converts as the manual says ($toString, $toDouble, $toDate)', async () => {
    expect(await value({ $toString: '$n' })).toBe('7');
    expect(await value({ $toString: '$at' })).toBe('2024-05-17T13:45:30.250Z');
    expect(await value({ $toString: new ObjectId('0123456789abcdef01234567') })).toBe(
      '0123456789abcdef01234567',
    );
    expect(await value({ $toDouble: '1.5e3' }, typed)).toStrictEqual(new Double(1500));
    expect(await value({ $toDouble: '$nil' })).toBeNull();
    expect(await value({ $toDate: 0 })).toEqual(new Date(0));
    expect(await value({ $toDate: '2024-05-17' })).toEqual(new Date('2024-05-17T00:00:00Z'));
    await expect(value({ $toDouble: 'five' })).rejects.toMatchObject({ code: 241 });
    await expect(value({ $toDate: 'yesterday' })).rejects.toMatchObject({ code: 241 });
  });

  test('$concat is null with a null, $toLower is empty for it', async () => {
    expect(await value({ $concat: ['a-', '$s'] })).toBe('a-Text');
    expect(await value({ $concat: ['a-', '$nil'] })).toBeNull();
    expect(await value({ $toLower: '$s' })).toBe('text');
    expect(await value({ $toLower: '$nope' })).toBe('');
  });

  test('$type names types, and missing', async () => {
    expect(await value({ $map: { input: [1, 0.5, 'x', true], in: { $type: '$$this' } } })).toEqual([
      'int',
      'double',
      'string',
      'bool',
    ]);
    expect(await value({ $type: '$nope' })).toBe('missing');
  });

  test.each([
    ['minute', '2024-05-17T13:45:00Z'],
    ['hour', '2024-05-17T13:00:00Z'],
    ['day', '2024-05-17T00:00:00Z'],
    ['week', '2024-05-12T00:00:00Z'],
    ['month', '2024-05-01T00:00:00Z'],
    ['year', '2024-01-01T00:00:00Z'],
  ])('$dateTrunc to a %s in UTC, weeks from Sunday', async (unit, start) => {
    expect(await value({ $dateTrunc: { date: '$at', unit } })).toEqual(new Date(start));
  });

  test('$dateToString formats in UTC and has a value for null', async () => {
    expect(await value({ $dateToString: { date: '$at', format: '%Y-%m-%d %H:%M' } })).toBe(
      '2024-05-17 13:45',
    );
    expect(await value({ $dateToString: { date: '$at' } })).toBe('2024-05-17T13:45:30.250Z');
    expect(await value({ $dateToString: { date: '$nil', onNull: '-' } })).toBe('-');
  });
});
