import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { CalibrationAwayError, CalibrationSlowError } from '../../../src/base/errors.ts';
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
  [Object.assign(new Error('no such file'), { code: 'ENOENT' }), Error],
  [new TypeError('a fault of ours'), TypeError],
])('%s is reported as what it is', async (error, kind) => {
  const { read } = reportingOutages({ read: () => Promise.reject(error) });
  const reported: unknown = await read().catch((reason: unknown) => reason);
  expect(reported).toBeInstanceOf(kind);
  if (kind === Error || kind === TypeError) expect(reported).toBe(error);
});
