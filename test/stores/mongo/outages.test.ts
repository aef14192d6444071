import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { MongoBulkWriteError, MongoNetworkError, MongoServerError, type BulkWriteResult } from 'mongodb';
import { CalibrationAwayError, CalibrationSlowError, DiskFullError } from '../../../src/base/errors.ts';
import { Patience, withinBudget } from '../../../src/base/read-budget.ts';
import { reportingOutages } from '../../../src/stores/mongo/outages.ts';

let server: Server | null = null;
afterEach(
  () => new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve()))),
);

/** The error that Node.js gives for a write into a connection that the other side has reset. */
async function brokenWrite(): Promise<unknown> {
  const listening = createServer((socket: Socket) => socket.resetAndDestroy());
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.on('error', resolve);
    socket.on('connect', () => socket.write(Buffer.alloc(1_000_000)));
  });
}

/** As the driver makes it. */
function manyWritesFailed(by: ConstructorParameters<typeof MongoBulkWriteError>[0]): MongoBulkWriteError {
  return new MongoBulkWriteError(by, {} as BulkWriteResult);
}

test('a socket that breaks while the driver writes means that MongoDB is away', async () => {
  const broken = await brokenWrite();
  expect(broken).toMatchObject({ code: expect.stringMatching(/^(?:EPIPE|ECONNRESET)$/u) });
  const { read } = reportingOutages({ read: () => Promise.reject(broken as Error) });
  await expect(read()).rejects.toBeInstanceOf(CalibrationAwayError);
  await expect(read()).rejects.toMatchObject({ cause: broken });
});

test.each([
  [new MongoNetworkError('unexpected error writing to socket'), CalibrationAwayError],
  [new CalibrationAwayError(), CalibrationAwayError],
  [new MongoServerError({ message: 'operation exceeded time limit', code: 50 }), CalibrationSlowError],
  [new MongoServerError({ message: 'the disk is full', code: 14_031 }), DiskFullError],
  [manyWritesFailed(new MongoNetworkError('connection 3 closed')), CalibrationAwayError],
  [manyWritesFailed({ message: 'the disk is full', code: 14_031 }), DiskFullError],
  [manyWritesFailed({ message: 'duplicate key', code: 11_000 }), MongoBulkWriteError],
  [Object.assign(new Error('no such file'), { code: 'ENOENT' }), Error],
  [new TypeError('a fault of ours'), TypeError],
])('%s is reported as what it is', async (error, kind) => {
  const { read } = reportingOutages({ read: () => Promise.reject(error) });
  const reported: unknown = await read().catch((reason: unknown) => reason);
  expect(reported).toBeInstanceOf(kind);
  if (kind === Error || kind === TypeError) expect(reported).toBe(error);
});

/** A read that fails so often before it works. */
function failing(times: number) {
  let calls = 0;
  const read = (): Promise<string> => {
    calls += 1;
    return calls > times ? Promise.resolve('read') : Promise.reject(new MongoNetworkError('closed'));
  };
  return { ...reportingOutages({ read }), calls: () => calls };
}
const { signal } = new AbortController();

test('work with patience waits for MongoDB, says so once, and reads what it wanted', async () => {
  let told = 0;
  const patience = new Patience(60_000, () => (told += 1));
  const store = failing(2);
  const work = () => withinBudget(signal, 60_000, () => store.read()); // as a tool within its turn
  expect(await withinBudget(signal, Infinity, work, patience)).toBe('read');
  expect([store.calls(), told]).toEqual([3, 1]);
});

test('patience ends, with the turn or the time of the tool, too; without it a read fails at once', async () => {
  const stopping = new AbortController();
  const stopped = withinBudget(
    stopping.signal,
    Infinity,
    () => failing(Infinity).read(),
    new Patience(60_000, () => stopping.abort(new Error('cancelled'))),
  );
  await expect(stopped).rejects.toThrow('cancelled');
  for (const [patienceMs, toolMs] of [
    [0, 60_000],
    [60_000, 0],
  ] as const) {
    const store = failing(Infinity);
    const read = withinBudget(signal, toolMs, () => store.read(), new Patience(patienceMs, () => undefined));
    await expect(read).rejects.toBeInstanceOf(CalibrationAwayError);
    expect(store.calls()).toBe(1);
  }
  const store = failing(1);
  await expect(store.read()).rejects.toBeInstanceOf(CalibrationAwayError);
  expect(store.calls()).toBe(1);
});
