import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import type { Db, MongoClient } from 'mongodb';
import { CalibrationAwayError } from '../../../src/base/errors.ts';
import { createLogger } from '../../../src/base/log.ts';
import { withinBudget } from '../../../src/base/read-budget.ts';
import { sharedNext } from '../../../src/base/shared-next.ts';
import { boundedDb } from '../../../src/stores/mongo/bounded-db.ts';
import { createMongoClient, type RunningMongoClient } from '../../../src/stores/mongo/mongo-client.ts';
import { reportingOutages } from '../../../src/stores/mongo/outages.ts';
import { startOwnMongo, type TestMongo } from '../../support/databases.ts';

let mongo: TestMongo;
let running: RunningMongoClient | null = null;
let wire: Awaited<ReturnType<typeof startWire>> | null = null;

beforeEach(async () => {
  mongo = await startOwnMongo();
});
afterEach(async () => {
  await running?.close();
  running = null;
  await wire?.close();
  wire = null;
  await mongo.drop();
});

/** A wire to the server, which can be cut without a word: what is sent then gets no answer. */
async function startWire(uri: string) {
  const folder = await mkdtemp(join(tmpdir(), 'wire-'));
  const target = decodeURIComponent(/%2F[^/]+/u.exec(uri)?.[0] ?? '');
  const sockets = new Set<Socket>();
  let isCut = false;
  const unanswered = Promise.withResolvers<void>();
  const server: Server = createServer((near) => {
    const far = connect(target);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.on('data', (data) => (isCut ? unanswered.resolve() : far.write(data)));
    near.on('close', () => far.destroy());
    far.on('data', (data) => isCut || near.write(data)).on('close', () => near.destroy());
  });
  const path = join(folder, 'w.sock');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    uri: `mongodb://${encodeURIComponent(path)}/?directConnection=true`,
    cut: () => void (isCut = true),
    mend: () => void (isCut = false),
    /** Resolves once something was sent that gets no answer. */
    unanswered: unanswered.promise,
    /** Ends all connections. */
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      this.drop();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

const AWAY = new CalibrationAwayError().code;
/** Code and cause of the error that a read ends with. */
const endOf = (read: Promise<unknown>): Promise<unknown> =>
  read.catch(({ code, cause }: CalibrationAwayError) => [code, cause]);

const readsOf = (db: Db) =>
  reportingOutages({
    find: () => db.collection('chip').find({}).toArray(),
    aggregate: () => db.collection('chip').aggregate([]).toArray(),
    clock: () => db.command({ hello: 1 }),
    collections: () => db.listCollections({}, { nameOnly: true }).toArray(),
  });

test('no read waits for ever for a server that says nothing, and the next ones are answered', async () => {
  wire = await startWire(mongo.uri);
  running = createMongoClient(wire.uri, { log: createLogger('silent'), connectTimeoutMS: 5_000 });
  await running.client.connect();
  const reads = readsOf(boundedDb(running.client.db('test'), 50));
  await reads.find();
  wire.cut();
  // By their own limit: what the driver itself finds out later would be their cause.
  const open = new AbortController().signal;
  const inPage = Object.values(reads).map((read) => () => withinBudget(open, Infinity, read));
  const ends = await Promise.all([...Object.values(reads), ...inPage].map((read) => endOf(read())));
  expect(ends).toEqual(ends.map(() => [AWAY, undefined]));
  wire.mend();
  // Connections that the driver began to open meanwhile have a limit of their own.
  await until(() => reads.find().catch(() => null), { what: 'an answer', timeoutMs: 30_000 });
  for (const read of Object.values(reads)) expect(await read()).toBeDefined();
});

test('a shared read that is not answered does not hold up who asks later', async () => {
  wire = await startWire(mongo.uri);
  running = createMongoClient(wire.uri, { log: createLogger('silent'), connectTimeoutMS: 5_000 });
  await running.client.connect();
  const shared = sharedNext(readsOf(boundedDb(running.client.db('test'), 50)).find);
  wire.cut();
  const [first, second] = [shared(), shared()];
  expect(await endOf(first)).toEqual([AWAY, undefined]);
  wire.mend();
  expect(await second).toEqual([]);
});

/** The driver's parts behind a connection, which its types do not show. */
type Internals = {
  readonly topology: { readonly s: { readonly servers: ReadonlyMap<string, DriverServer> } };
};
type DriverServer = {
  readonly monitor: {
    readonly connection: { readonly socket: Socket };
    readonly s: { readonly state: string };
  };
  requestCheck(): void;
};

const serverOf = (client: MongoClient): DriverServer => {
  const [server] = (client as unknown as Internals).topology.s.servers.values();
  if (!server) throw new Error('the driver knows no server');
  return server;
};

/**
 * As when a server ends right before the next check, and in the middle of a read: the socket of the check is gone, and the
 * driver has not heard of it; then the read fails. The server is back at once.
 */
async function stuckClient(checkS: number) {
  wire = await startWire(mongo.uri);
  const options = {
    log: createLogger('silent'),
    checkS,
    heartbeatFrequencyMS: 500,
    minHeartbeatFrequencyMS: 1,
    serverSelectionTimeoutMS: 500,
  };
  running = createMongoClient(wire.uri, options as Parameters<typeof createMongoClient>[1]);
  const { client } = running;
  await client.connect();
  const read = () => client.db('test').collection('chip').find().toArray();
  await read();
  const stuck = serverOf(client);
  await until(() => stuck.monitor.s.state === 'idle', { what: 'a pause between two checks' });
  stuck.monitor.connection.socket.destroy();
  stuck.requestCheck();
  expect(stuck.monitor.s.state).toBe('monitoring');
  wire.cut();
  const failing = read();
  await wire.unanswered;
  wire.drop();
  wire.mend();
  await expect(failing).rejects.toThrow('closed');
  return { client, stuck, read };
}

test('a driver whose check of the server never ends connects anew', async () => {
  const { client, stuck, read } = await stuckClient(2);
  await expect(read()).rejects.toThrow();
  await until(() => serverOf(client) !== stuck, { what: 'another connection', timeoutMs: 20_000 });
  expect(await until(() => read().catch(() => null), { what: 'an answer', timeoutMs: 20_000 })).toEqual([]);
});

test('a client that connects anew can be closed meanwhile', async () => {
  const { client, read } = await stuckClient(1);
  await new Promise((resolve) => client.once('topologyClosed', resolve));
  await running?.close();
  await expect(read()).rejects.toThrow('must be connected');
});
