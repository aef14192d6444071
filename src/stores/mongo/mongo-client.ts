import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type MongoClientOptions, type MongoOptions } from 'mongodb';
import type { Logger } from '../../base/log.ts';

/** Who does not answer within these times is away, unless the address says otherwise. */
const TIMES = {
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 10_000,
  // Longer than any command of ours should take; reads have shorter budgets.
  socketTimeoutMS: 120_000,
};
const PAUSE_MS = 500;

/** The driver's client for as long as a process runs. */
export type RunningMongoClient = {
  readonly client: MongoClient;
  readonly close: () => Promise<void>;
};

/**
 * A client that is not connected yet.
 *
 * The driver (7.9.0) waits for ever until it can write more to a socket that has just ended. If the command was its check
 * of the server, it never checks again, so it sends nothing more to a server that is long back. The client therefore
 * connects anew when a check does not end within `checkS` seconds: by default, the longest that the driver's own limits allow.
 * @throws MongoAPIError if the driver does not understand the address
 */
export function createMongoClient(
  uri: string,
  { log, checkS, ...options }: { log: Logger; checkS?: number } & MongoClientOptions,
): RunningMongoClient {
  const open = Object.entries(TIMES).filter(
    ([name]) => !uri.toLowerCase().includes(`${name.toLowerCase()}=`),
  );
  const client = new MongoClient(uri, { ...Object.fromEntries(open), ...options });
  const longestS = checkS ?? longestCheckS(client.options);
  /** Seconds that the running check of each address has taken, counted while this process runs: it may be frozen. */
  const checks = new Map<string, number>();
  client.on('serverHeartbeatStarted', ({ connectionId }) => checks.set(connectionId, 0));
  const ended = ({ connectionId }: { readonly connectionId: string }) => void checks.delete(connectionId);
  client.on('serverHeartbeatSucceeded', ended).on('serverHeartbeatFailed', ended);
  client.on('serverClosed', ({ address }) => checks.delete(address));

  let isClosed = false;
  const reconnect = async (): Promise<void> => {
    checks.clear();
    await client.close().catch(() => undefined);
    // A try that fails leaves nothing that would go on trying.
    while (!isClosed && !(await client.connect().catch(() => null))) await sleep(PAUSE_MS);
  };
  let reconnecting: Promise<void> | null = null;
  const count = setInterval(() => {
    for (const [address, seconds] of checks) checks.set(address, seconds + 1);
    if (reconnecting !== null || Math.max(0, ...checks.values()) < longestS) return;
    log.warn('the MongoDB driver does not end its check of a server; connecting anew');
    reconnecting = reconnect().finally(() => (reconnecting = null));
  }, 1_000);
  count.unref();
  return {
    client,
    async close() {
      isClosed = true;
      clearInterval(count);
      await client.close();
      await reconnecting;
      await client.close();
    },
  };
}

/** A check waits for news of the server, or connects and asks. */
const longestCheckS = ({ heartbeatFrequencyMS, connectTimeoutMS }: MongoOptions): number =>
  Math.ceil((heartbeatFrequencyMS + 2 * connectTimeoutMS) / 1_000) + 1;
