import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deserialize, type Document, serialize } from 'bson';
import { until } from '@qpilot/test-support';
import { openMongo } from './open-mongo.ts';

const logged: string[] = [];
let mongo: Awaited<ReturnType<typeof openMongo>>;
beforeAll(
  async () =>
    void (mongo = await openMongo({
      checkQueries: false,
      log: (_level, message) => void logged.push(message),
    })),
);
afterAll(() => mongo.close());

const MORE_TO_COME = 2;
const CHECKSUM_PRESENT = 1;

function message(opCode: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + body.length, 0);
  header.writeInt32LE(7, 4);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, body]);
}

function opMsg(document: Document, flags = 0, ...more: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(flags, 0);
  return message(2013, head, Buffer.from(serialize(document)), ...more);
}

function sequence(name: string, ...documents: readonly Document[]): Buffer {
  const content = Buffer.concat([
    Buffer.from(`${name}\0`),
    ...documents.map((document) => Buffer.from(serialize(document))),
  ]);
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeInt32LE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

/** A bare connection: what it received, and whether the server closed it. */
function open() {
  const socket: Socket = connect(mongo.socketPath);
  const state = { received: Buffer.alloc(0), closed: false };
  socket.on('data', (chunk) => void (state.received = Buffer.concat([state.received, chunk])));
  socket.on('close', () => void (state.closed = true));
  socket.on('error', () => undefined);
  return {
    socket,
    state,
    reply: async (): Promise<Document> => {
      await until(
        () => state.received.length >= 16 && state.received.length >= state.received.readInt32LE(0),
      );
      const size = state.received.readInt32LE(0);
      const reply = state.received.subarray(0, size);
      state.received = state.received.subarray(size);
      return deserialize(reply.subarray(reply.readInt32LE(12) === 2013 ? 21 : 36));
    },
  };
}

const ping = { ping: 1, $db: 'test' };

test('an old driver shakes hands by OP_QUERY', async () => {
  const { socket, reply } = open();
  const query = Buffer.concat([
    Buffer.alloc(4),
    Buffer.from('admin.$cmd\0'),
    Buffer.alloc(8),
    Buffer.from(serialize({ isMaster: 1 })),
  ]);
  socket.write(message(2004, query));
  expect(await reply()).toMatchObject({ ismaster: true, maxWireVersion: 21, ok: 1 });
  socket.destroy();
});

test('messages may come in pieces, and several in one', async () => {
  const { socket, reply } = open();
  const bytes = Buffer.concat([opMsg(ping), opMsg({ nope: 1, $db: 'test' }), opMsg(ping)]);
  for (let i = 0; i < bytes.length; i += 7) socket.write(bytes.subarray(i, i + 7));
  expect(await reply()).toMatchObject({ ok: 1 });
  expect(await reply()).toMatchObject({ ok: 0, code: 59, codeName: 'CommandNotFound' });
  expect(await reply()).toMatchObject({ ok: 1 });
  socket.destroy();
});

test('a checksum is skipped, a document sequence is read, and moreToCome gets no reply', async () => {
  const { socket, reply } = open();
  const insert = { insert: 'wire', $db: 'test' };
  socket.write(opMsg(insert, MORE_TO_COME, sequence('documents', { _id: 1 }, { _id: 2 })));
  socket.write(opMsg({ ...insert, documents: [{ _id: 3 }] }, CHECKSUM_PRESENT, Buffer.alloc(4)));
  expect(await reply()).toMatchObject({ n: 1, ok: 1 });
  expect(await mongo.db.collection('wire').countDocuments()).toBe(3);
  socket.destroy();
});

const brokenBson = Buffer.from(serialize({ ping: 1, text: 'hello', $db: 'test' }));
brokenBson.writeInt32LE(5000, brokenBson.indexOf('text') + 5);
const notUtf8 = Buffer.from(serialize({ ping: 1, text: 'hello', $db: 'test' }));
notUtf8[notUtf8.indexOf('hello')] = 0xff;

test.each<[string, Buffer]>([
  ['a message longer than 48 MB', Buffer.from([0, 0, 0, 4, ...Array.from({ length: 12 }, () => 0)])],
  ['a message shorter than its header', Buffer.from([5, ...Array.from({ length: 15 }, () => 0)])],
  ['an unknown opcode', message(2012, Buffer.alloc(9))],
  ['unknown required flags', opMsg(ping, 4)],
  ['no body', message(2013, Buffer.alloc(4))],
  ['a section that reaches too far', message(2013, Buffer.alloc(5), Buffer.from([0xff, 0xff, 0, 0, 0]))],
  ['BSON whose lengths are wrong', message(2013, Buffer.alloc(5), brokenBson)],
  ['text that is not UTF-8', message(2013, Buffer.alloc(5), notUtf8)],
])('%s closes that connection alone, with a logged reason', async (_what, bytes) => {
  const before = logged.length;
  const { socket, state } = open();
  socket.write(bytes);
  await until(() => state.closed);
  expect(logged.slice(before).join()).toContain('connection closed');
  expect(await mongo.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test('a client that leaves without waiting for its answer disturbs nobody', async () => {
  const { socket, state } = open();
  socket.write(opMsg({ find: 'wire', filter: {}, $db: 'test' }));
  socket.destroy();
  await until(() => state.closed);
  expect(await mongo.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
});

const openCursors = async () =>
  ((await mongo.db.command({ serverStatus: 1 })) as { metrics: { cursor: { open: { total: number } } } })
    .metrics.cursor.open.total;

test('cursors end when they are read up, closed, or lose their collection or session', async () => {
  const collection = await mongo.with(...Array.from({ length: 10 }, (_unused, v) => ({ v })));
  const start = async () => {
    const cursor = collection.find().batchSize(3);
    await cursor.next();
    return cursor;
  };
  const readUp = await start();
  expect(await openCursors()).toBe(1);
  expect(await readUp.toArray()).toHaveLength(9);
  expect(await openCursors()).toBe(0);
  await (await start()).close();
  expect(await openCursors()).toBe(0);
  const session = mongo.client.startSession();
  await collection.find({}, { session, batchSize: 3 }).next();
  expect(await openCursors()).toBe(1);
  await session.endSession();
  const orphan = await start();
  await collection.drop();
  await expect(orphan.toArray()).rejects.toMatchObject({ code: 43 });
});

test('a cursor goes on over documents that are written while it is open', async () => {
  const collection = await mongo.with(...Array.from({ length: 200 }, (_unused, v) => ({ v })));
  await collection.createIndex({ v: 1 });
  const seen: number[] = [];
  for await (const { v } of collection.find().sort({ v: 1 }).batchSize(10)) {
    seen.push(v as number);
    if (v === 5) await collection.deleteMany({ v: { $gte: 150 } });
  }
  expect(seen).toEqual(Array.from({ length: 150 }, (_unused, v) => v));
});

test('a result of many megabytes comes in several replies', async () => {
  const text = 'x'.repeat(1_000_000);
  const collection = await mongo.with(...Array.from({ length: 20 }, () => ({ text })));
  const lengths = (await collection.find().toArray()).map((document) => (document['text'] as string).length);
  expect(lengths).toEqual(Array.from({ length: 20 }, () => 1_000_000));
});

test('a document of more than 16 MB is refused (10334)', async () => {
  const big = 'x'.repeat(8_500_000);
  const collection = await mongo.with({ big });
  await expect(collection.updateOne({}, { $set: { more: big } })).rejects.toMatchObject({ code: 10334 });
});
