import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal128, Long, MongoClient, type Db } from 'mongodb';
import { Client } from 'pg';
import { MAX_ROWS } from '../../src/sources/databases/datasource.ts';
import { createDatasources, type Datasources } from '../../src/sources/databases/datasources.ts';
import { refuseWritingUser } from '../../src/sources/databases/mongo-user.ts';
import { createSqlSource } from '../../src/sources/databases/sql-source.ts';
import {
  createTestDatabase,
  createTestMongo,
  readerOf,
  type TestDatabase,
  type TestMongo,
} from '../support/databases.ts';

const { signal } = new AbortController();
const SECRET = 'hunter2-planted';

let database: TestDatabase;
let mongo: TestMongo;
let folder: string;
let sources: Datasources;

beforeAll(async () => {
  [database, mongo] = await Promise.all([createTestDatabase(), createTestMongo()]);
  folder = await mkdtemp(join(tmpdir(), 'qpilot-dataset-'));
  await writeFile(join(folder, 'fridge.csv'), 'at,mk\n2026-05-19,11.2\n');
  await onDatabase(
    'CREATE TABLE fridge AS SELECT n AS id, 10 + n * 0.1 AS temperature_mk FROM generate_series(1, 900) n',
  );
  const client = await MongoClient.connect(mongo.uri);
  const runs = Array.from({ length: 20 }, (_, n) => ({
    qid: String(n % 4),
    t1: 40 + n,
    at: new Date(n * 1000),
  }));
  const db = client.db(mongo.dbName);
  await db.collection<object>('runs').insertMany(runs);
  const wide = Array.from({ length: 20 }, () => ({ text: 'x'.repeat(150_000) }));
  await db.collection<object>('wide').insertMany(wide);
  await db.collection('numbers').insertOne({
    decimal: Decimal128.fromString('48.50'),
    none: Decimal128.fromString('NaN'),
    list: [Long.fromNumber(7), { great: Long.MAX_VALUE }],
  });
  await client.close();
  const uri = new URL(mongo.uri);
  uri.pathname = `/${mongo.dbName}`;
  const shared = { readOnly: true };
  sources = createDatasources(
    [
      { id: 'fridge', name: 'Fridge log', type: 'sql', uri: 'DATASOURCE_FRIDGE', ...shared },
      { id: 'runs', name: 'Old runs', type: 'mongodb', uri: 'DATASOURCE_RUNS', ...shared },
      { id: 'csv', name: 'Fridge CSV', type: 'dataset', uri: 'DATASOURCE_CSV', ...shared },
      { id: 'gone-sql', name: 'Gone SQL', type: 'sql', uri: 'DATASOURCE_GONE_SQL', ...shared },
      { id: 'gone-mongo', name: 'Gone Mongo', type: 'mongodb', uri: 'DATASOURCE_GONE_MONGO', ...shared },
      { id: 'locked', name: 'Locked SQL', type: 'sql', uri: 'DATASOURCE_LOCKED', ...shared },
    ],
    {
      DATASOURCE_FRIDGE: await readerOf(database.url),
      DATASOURCE_RUNS: uri.href,
      DATASOURCE_CSV: pathToFileURL(join(folder, 'fridge.csv')).href,
      DATASOURCE_GONE_SQL: `postgres://reader:${SECRET}@127.0.0.1:9/secret-name`,
      DATASOURCE_GONE_MONGO: `mongodb://reader:${SECRET}@127.0.0.1:9/secret-name?serverSelectionTimeoutMS=300`,
      DATASOURCE_LOCKED: lockedUrl(),
    },
  );
});

afterAll(async () => {
  await Promise.all([database.drop(), mongo.drop(), rm(folder, { recursive: true, force: true })]);
});

/** The same server under a role that it does not have. */
function lockedUrl(): string {
  const url = new URL(database.url);
  url.username = 'nobody-secret-name';
  url.password = SECRET;
  return url.href;
}

async function onDatabase(statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('an SQL datasource', () => {
  const ask = (statement: string) => sources.sql('fridge')!.query(statement, signal);

  test('answers one SELECT, also one that ends with a comment', async () => {
    const { rows, hasMore } = await ask('SELECT id, temperature_mk FROM fridge ORDER BY id LIMIT 2 -- first');
    expect(rows).toEqual([
      { id: 1, temperature_mk: '10.1' },
      { id: 2, temperature_mk: '10.2' },
    ]);
    expect(hasMore).toBe(false);
  });

  test('gives a bounded number of rows and characters, and says that there are more', async () => {
    const many = await ask('SELECT * FROM fridge');
    expect([many.rows.length, many.hasMore]).toEqual([MAX_ROWS, true]);
    const long = await ask(`SELECT repeat('x', 300000) AS text FROM fridge`);
    expect([long.rows.length, long.hasMore]).toEqual([3, true]);
  });

  test('stops reading where rows are huge', async () => {
    await expect(ask(`SELECT repeat('x', 60000000) AS text FROM fridge`)).rejects.toThrow(
      'answered by more than 16 MB of Fridge log: select fewer or shorter columns',
    );
  });

  test.each([
    ['a superuser', 'ALTER ROLE mighty SUPERUSER', 'is a superuser'],
    ['a role that may write', 'GRANT INSERT ON fridge TO mighty', 'may write to the table fridge'],
    [
      'a role that may read files',
      'GRANT pg_read_server_files TO mighty',
      'has the role pg_read_server_files',
    ],
  ])('is not asked with the account of %s', async (_whose, grant, why) => {
    const role = `qpilot_test_${randomUUID().slice(0, 8)}`;
    await onDatabase(`CREATE ROLE "${role}" LOGIN PASSWORD 'x'`);
    await onDatabase(grant.replace('mighty', `"${role}"`));
    const address = new URL(database.url);
    address.username = role;
    address.password = 'x';
    try {
      await expect(createSqlSource('Mighty log', address.href).query('SELECT 1', signal)).rejects.toThrow(
        new RegExp(`Mighty log is not queried: its account ${why}\\. .*CREATE ROLE`, 'u'),
      );
    } finally {
      await onDatabase(`DROP OWNED BY "${role}"`);
      await onDatabase(`DROP ROLE "${role}"`);
    }
  });

  test.each([
    ['a write', 'UPDATE fridge SET temperature_mk = 0'],
    ['a removal', 'DROP TABLE fridge'],
    ['a second statement', 'SELECT 1; DROP TABLE fridge'],
    ['the end of the transaction first', 'SELECT 1; COMMIT; DROP TABLE fridge'],
    ['a write inside a WITH', 'WITH gone AS (DELETE FROM fridge RETURNING *) SELECT * FROM gone'],
    ['a copy to a program', "COPY fridge TO PROGRAM 'cat > /tmp/fridge'"],
    ['a block of code', "DO $$ BEGIN EXECUTE 'DROP TABLE fridge'; END $$"],
    ['a table made by SELECT', 'SELECT * INTO stolen FROM fridge'],
    ['a lock', 'SELECT * FROM fridge FOR UPDATE'],
    ['leaving READ ONLY', "SELECT set_config('transaction_read_only', 'off', false)"],
    ['a new sequence value', "SELECT setval('session_events_seq', 1)"],
    ['a large object', "SELECT lo_from_bytea(0, 'x')"],
  ])('refuses %s, and nothing is changed', async (_what, statement) => {
    await expect(ask(statement)).rejects.toThrow('Fridge log rejected it');
    const [row] = await onDatabase('SELECT count(*) AS count, min(temperature_mk) AS least FROM fridge');
    expect(row).toEqual({ count: '900', least: '10.1' });
  });

  test('is stopped by whoever asked', async () => {
    const asked = sources.sql('fridge')!.query('SELECT pg_sleep(60)', AbortSignal.timeout(200));
    await expect(asked).rejects.toThrow('aborted due to timeout');
  });
});

describe('a MongoDB datasource', () => {
  const source = () => sources.mongodb('runs')!;
  const find = (filter: string, more: object = {}) =>
    source().find(
      { collection: 'runs', filter, projection: '{"_id": 0}', sort: '{"t1": -1}', limit: null, ...more },
      signal,
    );
  const aggregate = (pipeline: object, collection = 'runs') =>
    source().aggregate(collection, JSON.stringify(pipeline), signal);

  /** A user as a server with access control describes it. */
  const userWith = (actions: readonly string[]) => {
    const authenticatedUserPrivileges = [{ resource: { db: 'lab', collection: '' }, actions }];
    return {
      command: async () => ({
        authInfo: { authenticatedUsers: [{ user: 'u' }], authenticatedUserPrivileges },
      }),
    } as unknown as Db;
  };

  test('is not asked as a user who may write', async () => {
    await refuseWritingUser(userWith(['find', 'listCollections', 'collStats']), 'Runs');
    await expect(refuseWritingUser(userWith(['find', 'insert']), 'Runs')).rejects.toThrow(
      /Runs is not queried: its account may insert\. .*createUser/u,
    );
  });

  test('stops reading where documents are huge', async () => {
    const wide = await source().aggregate('wide', '[]', signal);
    expect([wide.rows.length, wide.hasMore]).toEqual([6, true]);
  });

  test('finds and aggregates', async () => {
    const newest = await find('{"qid": "3", "at": {"$gte": {"$date": "1970-01-01T00:00:10Z"}}}', {
      limit: 1,
    });
    expect(newest).toEqual({
      rows: [{ qid: '3', t1: 59, at: '1970-01-01T00:00:19.000Z' }],
      hasMore: true,
    });
    const counted = await aggregate([{ $group: { _id: '$qid', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]);
    expect(counted.rows[0]).toEqual({ _id: '0', n: 5 });
  });

  test('gives decimals and longs as numbers, and a long that no double holds as its digits', async () => {
    const { rows } = await aggregate([{ $project: { _id: 0 } }], 'numbers');
    expect(rows).toEqual([{ decimal: 48.5, none: null, list: [7, { great: '9223372036854775807' }] }]);
  });

  test.each([
    ['$out', [{ $out: 'stolen' }]],
    ['$merge', [{ $merge: { into: 'stolen' } }]],
    ['$currentOp', [{ $currentOp: {} }]],
    ['$collStats', [{ $collStats: {} }]],
    ['$unionWith', [{ $unionWith: 'system.users' }]],
    ['$out', [{ $facet: { a: [{ $out: 'stolen' }] } }]],
    ['$merge', [{ $lookup: { from: 'runs', as: 'x', pipeline: [{ $merge: 'stolen' }] } }]],
    ['$out', [{ $match: {}, $out: 'stolen' }]],
    ['in from', [{ $lookup: { from: { db: 'admin', coll: 'x' }, as: 'x' } }]],
    ['$function', [{ $project: { x: { $function: { body: 'return 1', args: [], lang: 'js' } } } }]],
    ['$accumulator', [{ $group: { _id: 1, x: { $accumulator: {} } } }]],
    ['a JSON list', { $match: {} }],
  ])('refuses an aggregation with %s before it is sent', async (named, pipeline) => {
    await expect(aggregate(pipeline)).rejects.toThrow(named);
  });

  test.each([
    ['{"$where": "sleep(1e6)"}', '$where'],
    ['{"$or": [{"a": {"$where": "1"}}]}', '$where'],
    ['{"x": {"$code": "sleep(1)"}}', '$code'],
    ['[]', 'a JSON object'],
    ['{qid: 1', 'is not JSON'],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'nested'],
  ])('refuses the filter %s', async (filter, why) => {
    await expect(find(filter)).rejects.toThrow(why);
  });
});

describe('addresses and credentials', () => {
  test('stand in no listing and in no error', async () => {
    const said = [JSON.stringify(sources.all)];
    for (const ask of [
      () => sources.sql('gone-sql')!.query('SELECT 1', signal),
      () => sources.sql('locked')!.query('SELECT 1', signal),
      () => sources.mongodb('gone-mongo')!.aggregate('runs', '[]', signal),
    ]) {
      const error = await ask().then(
        () => null,
        (reason: unknown) => reason as Error,
      );
      expect(error?.message).toContain('is not responding');
      said.push(inspect(error));
    }
    for (const planted of [SECRET, 'secret-name', '127.0.0.1', folder, new URL(database.url).host]) {
      expect(said.join('\n')).not.toContain(planted);
    }
  });

  test('a CSV file is read by its id, and only by it', async () => {
    expect(await sources.dataset('csv')).toBe('at,mk\n2026-05-19,11.2\n');
    expect(await sources.dataset('fridge')).toBeNull();
    expect(sources.sql('csv')).toBeNull();
  });

  test('that are missing or of another type keep the server from starting, without being told', () => {
    const fridge = {
      id: 'fridge',
      name: 'Fridge',
      type: 'sql',
      uri: 'DATASOURCE_FRIDGE',
      readOnly: true,
    } as const;
    expect(() => createDatasources([fridge], {})).toThrow('DATASOURCE_FRIDGE is not set');
    const wrong = { DATASOURCE_FRIDGE: `mongodb://u:${SECRET}@host/db` };
    expect(() => createDatasources([fridge], wrong)).toThrow('must begin with postgres://');
    expect(() => createDatasources([fridge], wrong)).not.toThrow(SECRET);
  });
});
