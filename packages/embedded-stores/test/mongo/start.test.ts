import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { StoresError } from '../../src/stores-error.ts';
import { startMongo } from '../../src/mongo/start.ts';
import { crashingOwner } from './mongo-owner.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'mongo-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

async function withClient<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

test('documents, indexes and the multikey mark are there after a restart', async () => {
  const options = { file: at('data.sqlite'), socketPath: at('run/m.sock'), checkQueries: true };
  const first = await startMongo(options);
  await withClient(first.uri, async (client) => {
    await client.db('d').collection('c').createIndex({ v: 1 });
    await client
      .db('d')
      .collection('c')
      .insertMany([{ v: [1, 9] }, { v: 5 }]);
  });
  expect(statSync(at('run')).mode & 0o777).toBe(0o700);
  await Promise.all([first.stop(), first.stop()]);
  expect(await first.exited).toBeUndefined();
  const second = await startMongo(options);
  await withClient(second.uri, async (client) => {
    const collection = client.db('d').collection('c');
    expect(await collection.countDocuments({ v: { $gt: 2, $lt: 8 } })).toBe(2);
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_', 'v_1']);
  });
  await second.stop();
});

test('a second server on the same file or socket is refused, and the first goes on', async () => {
  const file = at('data.sqlite');
  const first = await startMongo({ file, socketPath: at('a.sock') });
  await expect(startMongo({ file, socketPath: at('b.sock') })).rejects.toThrow(
    /data\.sqlite is in use by another process/,
  );
  const other = startMongo({ file: at('other.sqlite'), socketPath: at('a.sock') });
  await expect(other).rejects.toThrow(/another process already listens/);
  await withClient(first.uri, async (client) => {
    expect(await client.db('d').command({ ping: 1 })).toMatchObject({ ok: 1 });
  });
  await first.stop();
});

test.each([
  ['a path of more than 107 bytes', () => at(`${'x'.repeat(120)}.sock`), /107|103/],
  ['a folder that others can read', () => (chmodSync(folder, 0o755), at('m.sock')), /must be private/],
  ['a file where the socket belongs', () => (writeFileSync(at('m.sock'), ''), at('m.sock')), /not a socket/],
])('%s is refused', async (_what, socketPath, message) => {
  const started = startMongo({ file: ':memory:', socketPath: socketPath() });
  await expect(started).rejects.toThrow(StoresError);
  await expect(started).rejects.toThrow(message);
});

test('a file that is no database is refused', async () => {
  writeFileSync(
    at('data.sqlite'),
    'this is a text that is long enough to be no SQLite header at all'.repeat(10),
  );
  const started = startMongo({ file: at('data.sqlite'), socketPath: at('m.sock') });
  await expect(started).rejects.toThrow(StoresError);
});

test('after kill -9 while inserting, every acknowledged batch is there whole, and the stale socket is replaced', async () => {
  const options = { file: at('data.sqlite'), socketPath: at('m.sock') };
  const acknowledged = await crashingOwner(options, { batchSize: 20, killAfterBatches: 15 });
  expect(acknowledged).toBeGreaterThanOrEqual(15);
  const mongo = await startMongo({ ...options, checkQueries: true });
  await withClient(mongo.uri, async (client) => {
    const collection = client.db('d').collection('c');
    const batches = await collection
      .aggregate([{ $group: { _id: '$batch', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
      .toArray();
    expect(batches.length).toBeGreaterThanOrEqual(acknowledged);
    expect(batches.every(({ n }) => n === 20)).toBe(true);
    expect(batches.map(({ _id }) => Number(_id))).toEqual(batches.map((_batch, i) => i));
    expect(await collection.countDocuments({ batch: { $gte: 0 } })).toBe(batches.length * 20);
    expect(await collection.estimatedDocumentCount()).toBe(batches.length * 20);
  });
  await mongo.stop();
});

/** Bytes on disk, those of the write-ahead log included. */
const bytesOf = (file: string): number =>
  [file, `${file}-wal`].reduce(
    (sum, each) => sum + (statSync(each, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
const MB = 1_000_000;

test('the file shrinks after documents are deleted, and after a collection is dropped', async () => {
  const file = at('data.sqlite');
  const server = await startMongo({ file, socketPath: at('m.sock') });
  await withClient(server.uri, async (client) => {
    const db = client.db('d');
    const fill = (name: string) =>
      db
        .collection(name)
        .insertMany(Array.from({ length: 3_000 }, (_unused, i) => ({ i, text: 'x'.repeat(8_000) })));
    const shrunk = async () => {
      while (bytesOf(file) > 8 * MB) await db.command({ ping: 1 });
    };
    await fill('a');
    expect(bytesOf(file)).toBeGreaterThan(20 * MB);
    await db.collection('a').deleteMany({ i: { $gte: 100 } });
    await shrunk();
    expect(await db.collection('a').countDocuments({})).toBe(100);
    await fill('b');
    expect(bytesOf(file)).toBeGreaterThan(20 * MB);
    await db.collection('b').drop();
    await shrunk();
    expect(await db.collection('a').countDocuments({ text: /^x+$/ })).toBe(100);
  });
  await server.stop();
});

test('a file of an earlier version with much free space is written anew', async () => {
  const file = at('data.sqlite');
  const older = new DatabaseSync(file);
  older.exec('PRAGMA journal_mode=WAL; CREATE TABLE d1 (id INTEGER PRIMARY KEY, document BLOB NOT NULL);');
  const insert = older.prepare('INSERT INTO d1 (document) VALUES (zeroblob(1000000))');
  for (let i = 0; i < 20; i++) insert.run();
  older.exec('DELETE FROM d1 WHERE id > 1');
  older.close();
  expect(bytesOf(file)).toBeGreaterThan(20 * MB);
  const server = await startMongo({ file, socketPath: at('m.sock') });
  expect(bytesOf(file)).toBeLessThan(2 * MB);
  await server.stop();
});
