import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Document } from 'mongodb';
import { openMongo, refusal } from './open-mongo.ts';

let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(async () => {
  mongo = await openMongo();
  await mongo.db.collection('c').insertOne({ a: 1 });
});
afterAll(() => mongo.close());

const command = (body: Document) => refusal(mongo.db.command(body));
const find = (filter: Document) => command({ find: 'c', filter });
const aggregate = (...pipeline: Document[]) => command({ aggregate: 'c', pipeline, cursor: {} });

describe('what is not on the list is refused with its name', () => {
  test.each<[string, () => Promise<{ code: unknown; message: string }>, number, string]>([
    ['a command', () => command({ mapReduce: 'c' }), 59, 'mapReduce'],
    ['an option', () => command({ find: 'c', collation: { locale: 'en' } }), 40415, 'collation'],
    ['a top-level operator', () => find({ $where: 'true' }), 2, '$where'],
    ['a field operator', () => find({ a: { $near: [0, 0] } }), 2, '$near'],
    ['an operator beside a field', () => find({ a: { $gt: 1, b: 2 } }), 2, 'b'],
    ['a stage', () => aggregate({ $out: 'd' }), 40324, '$out'],
    [
      'an accumulator',
      () => aggregate({ $group: { _id: null, v: { $accumulator: {} } } }),
      15952,
      '$accumulator',
    ],
    ['an expression', () => aggregate({ $project: { v: { $function: {} } } }), 168, '$function'],
    ['an expression in a filter', () => find({ $expr: { $rand: {} } }), 168, '$rand'],
    ['a variable', () => aggregate({ $project: { v: '$$NOW' } }), 17276, 'NOW'],
    [
      'a window function',
      () => aggregate({ $setWindowFields: { sortBy: { a: 1 }, output: { v: { $sum: '$a' } } } }),
      9,
      '$sum',
    ],
    [
      'a time zone',
      () =>
        aggregate({ $project: { v: { $dateTrunc: { date: '$a', unit: 'day', timezone: 'Asia/Tokyo' } } } }),
      40485,
      'Asia/Tokyo',
    ],
    ['a regex option', () => find({ a: { $regex: 'x', $options: 'x' } }), 51108, 'x'],
    [
      'a projection operator',
      () => command({ find: 'c', projection: { a: { $elemMatch: { b: 1 } } } }),
      168,
      '$elemMatch',
    ],
    ['a view', () => command({ create: 'v', viewOn: 'c', pipeline: [] }), 40415, 'viewOn'],
    ['a capped collection', () => command({ create: 'v', capped: true, size: 1 }), 40415, 'capped'],
    ['a validator', () => command({ create: 'v', validator: {} }), 40415, 'validator'],
    [
      'a TTL index',
      () => command({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 't', expireAfterSeconds: 1 }] }),
      67,
      'expireAfterSeconds',
    ],
    [
      'a text index',
      () => command({ createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 't' }] }),
      67,
      "'a'",
    ],
    ['a change stream', () => aggregate({ $changeStream: {} }), 40324, '$changeStream'],
  ])('%s', async (_what, refuse, code, name) => {
    const refused = await refuse();
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(name);
  });

  test.each<[string, unknown, number, string]>([
    ['an update operator', { $bit: { a: { and: 1 } } }, 9, '$bit'],
    ['an update pipeline', [{ $set: { a: 1 } }], 9, 'pipeline'],
    ['a positional operator', { $set: { 'a.$[].b': 1 } }, 2, '$[]'],
    ['a modifier of $push', { $push: { v: { $each: [1], $sort: 1 } } }, 2, '$sort'],
  ])('%s', async (_what, u, code, name) => {
    const result = await mongo.db.command({ update: 'c', updates: [{ q: {}, u }] });
    const [error] = result['writeErrors'] as { code: number; errmsg: string }[];
    expect(error?.code).toBe(code);
    expect(error?.errmsg).toContain(name);
  });

  test('transactions and retryable writes, by their transaction number (20)', async () => {
    const insert = {
      insert: 'c',
      documents: [{ a: 1 }],
      txnNumber: 1n,
      startTransaction: true,
      autocommit: false,
    };
    expect((await command(insert)).code).toBe(20);
    expect(await mongo.db.collection('c').countDocuments()).toBe(1);
  });
});

describe('wrong arguments are refused with what would be right', () => {
  test.each<[string, () => Promise<{ code: unknown; message: string }>, number]>([
    ['a cursor that is a double', () => command({ getMore: Number.NaN, collection: 'c' }), 14],
    ['a filter that is none', () => command({ find: 'c', filter: 5 }), 14],
    ['a pipeline that is none', () => command({ aggregate: 'c', pipeline: 5, cursor: {} }), 14],
    ['a stage with two names', () => aggregate({ $match: {}, $limit: 1 }), 40323],
    ['a limit of nothing', () => aggregate({ $limit: 0 }), 15958],
    ['a sort by text', () => command({ find: 'c', sort: { a: 'up' } }), 15975],
    ['$or without branches', () => find({ $or: [] }), 2],
    ['$in without an array', () => find({ a: { $in: 5 } }), 2],
    ['a broken regex', () => find({ a: { $regex: '(' } }), 51091],
    ['mixing inclusion and exclusion', () => aggregate({ $project: { a: 1, b: 0 } }), 31254],
    ['two specifications of one path', () => aggregate({ $project: { 'a.b': 1, a: { b: 1 } } }), 31250],
    ['an operator beside another', () => aggregate({ $project: { v: { $add: [1], $abs: 1 } } }), 15983],
    ['too few operands', () => aggregate({ $project: { v: { $subtract: [1] } } }), 16020],
    ['$group without _id', () => aggregate({ $group: { n: { $sum: 1 } } }), 15955],
    ['$replaceRoot by a number', () => aggregate({ $replaceRoot: { newRoot: '$a' } }), 40228],
    ['an unknown cursor', () => command({ getMore: 77n, collection: 'c' }), 43],
    ['a bad collection name', () => command({ create: 'a$b' }), 73],
  ])('%s', async (_what, refuse, code) => {
    expect((await refuse()).code).toBe(code);
  });

  test('an array as _id (53)', async () => {
    expect((await refusal(mongo.db.collection('c').insertOne({ _id: [1] as never }))).code).toBe(53);
  });
});

test('the list is published in buildInfo', async () => {
  const { allowList } = (await mongo.db.admin().buildInfo()) as { allowList: Record<string, string[]> };
  expect(allowList['stages']).toEqual(expect.arrayContaining(['$group', '$lookup']));
  expect(allowList['commands']).not.toContain('mapReduce');
});
