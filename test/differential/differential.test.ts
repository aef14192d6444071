import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from '@qpilot/embedded-stores';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Document, Long, MongoClient, type ObjectId } from 'mongodb';
import { compare, type Server, serverOf } from './compare.ts';
import { type RecordedCommand, startRecorder } from './record.ts';

let commands: readonly RecordedCommand[];
let servers: readonly [Server, Server];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'differential-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const start = async (name: string) => {
    const socketPath = join(folder, `${name}.sock`);
    const mongo = await startMongo({ file: ':memory:', socketPath });
    closing.push(() => mongo.stop());
    return { socketPath, uri: mongo.uri };
  };
  const connect = async (uri: string) => {
    const client = await MongoClient.connect(uri);
    closing.push(() => client.close());
    return client;
  };
  const recorder = await startRecorder((await start('recorded')).socketPath, join(folder, 'proxy.sock'));
  closing.push(() => recorder.close());
  await send(await connect(recorder.uri));
  ({ commands } = recorder);
  const [ours, theirs] = [await connect((await start('a')).uri), await connect((await start('b')).uri)];
  servers = [serverOf(ours, ours.startSession()), serverOf(theirs, theirs.startSession())];
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Writes, pages, sorts, groups and refusals. */
async function send(client: MongoClient): Promise<void> {
  const rows = client
    .db('qpilot_test_differential')
    .collection<Document & { _id: number | ObjectId }>('rows');
  await rows.createIndex({ n: 1 }, { unique: true });
  await rows.insertMany(
    Array.from({ length: 300 }, (_unused, i) => ({
      _id: i,
      n: i,
      tie: i % 3,
      long: Long.fromNumber(i),
      at: new Date(i),
    })),
  );
  await rows.insertOne({ _id: 300, n: 7 }).catch(() => undefined);
  await rows.updateMany({ n: { $lt: 10 } }, { $inc: { n: 1000 } });
  await rows.deleteMany({ n: { $gt: 1005 } });
  await rows.find({}, { sort: { n: 1 }, batchSize: 50 }).toArray();
  await rows.find({}, { sort: { tie: 1 }, limit: 5 }).toArray();
  await rows.aggregate([{ $group: { _id: '$tie', sum: { $sum: { $divide: ['$n', 3] } } } }]).toArray();
  await rows.distinct('tie');
  await rows
    .aggregate([{ $unknown: 1 }])
    .toArray()
    .catch(() => undefined);
}

test('commands keep their types on the way through the recorder', () => {
  const insert = commands.find(({ command }) => 'insert' in command)?.command;
  expect(insert?.['documents']).toHaveLength(300);
  expect(insert?.['documents'][5]).toMatchObject({ long: Long.fromNumber(5), at: new Date(5) });
  expect(insert).not.toHaveProperty('lsid');
});

test('two servers of one kind differ nowhere', async () => {
  const { compared, differences } = await compare(commands, ...servers);
  expect(differences).toEqual([]);
  expect(compared).toBe(10);
});

/** A server that answers commands of one name otherwise. */
const planted =
  (server: Server, name: string, change: (answer: Document) => Document): Server =>
  async (database, command) => {
    const answer = await server(database, command);
    return name in command ? change(answer) : answer;
  };

test.each<[string, string, (answer: Document) => Document]>([
  ['a document is missing', 'find', ({ documents }) => ({ documents: documents.slice(1) })],
  [
    'sorted documents come in another order',
    'find',
    ({ documents }) => ({ documents: documents.toReversed() }),
  ],
  [
    'a sum is another',
    'aggregate',
    ({ documents, ...rest }) => ({
      ...rest,
      documents: documents?.map((row: Document) => ({ ...row, sum: 1 })),
    }),
  ],
  ['a number has another type', 'distinct', () => ({ values: [Long.ZERO, Long.ONE, Long.fromNumber(2)] })],
  ['what one refuses is done', 'insert', () => ({ n: 1, ok: 1 })],
  ['a refusal has another code', 'aggregate', (answer) => ('code' in answer ? { code: 1 } : answer)],
  ['fewer were changed', 'update', () => ({ n: 10, nModified: 9, ok: 1 })],
])('a difference is found: %s', async (_what, name, change) => {
  const { differences } = await compare(commands, servers[0], planted(servers[1], name, change));
  expect(differences.length).toBeGreaterThan(0);
  for (const { command } of differences) expect(command).toContain(`{"${name}":`);
});

test('documents of another order count as the same where nothing orders them, and as tied where a limit cuts', async () => {
  const other: Server = async (database, command) => {
    const { documents, ...rest } = await servers[1](database, command);
    if (command['limit']) return { documents: documents.map((row: Document) => ({ ...row, n: 0 })) };
    return { ...rest, ...(documents && { documents: command['find'] ? documents : documents.toReversed() }) };
  };
  expect(await compare(commands, servers[0], other)).toEqual({ compared: 10, tied: 1, differences: [] });
});
