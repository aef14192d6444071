import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import type { Logger } from '../../base/log.ts';

/** In place of the driver's 30 seconds and none, unless the address names others. */
const TIMES = {
  serverSelectionTimeoutMS: 5_000,
  // Longer than any command of ours should take; reads have shorter budgets.
  socketTimeoutMS: 120_000,
};
/** A check of a server that is away takes so long only where nothing is answered at all. */
const CHECK_S = 30;
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
 * connects anew where a server is away and its check does not end within `checkS` seconds.
 * @throws MongoAPIError if the driver does not understand the address
 */
export function createMongoClient(
  uri: string,
  { log, checkS = CHECK_S, ...options }: { log: Logger; checkS?: number } & MongoClientOptions,
): RunningMongoClient {
  const open = Object.entries(TIMES).filter(
    ([name]) => !uri.toLowerCase().includes(`${name.toLowerCase()}=`),
  );
  const client = new MongoClient(uri, { ...Object.fromEntries(open), ...options });
  const away = new Set<string>();
  client.on('serverDescriptionChanged', ({ address, newDescription }) => {
    if (newDescription.type === 'Unknown') away.add(address);
    else away.delete(address);
  });
  /** Seconds that the running check of each address has taken, counted while this process runs: it may be frozen. */
  const checks = new Map<string, number>();
  const ended = (address: string): void => void checks.delete(address);
  client.on('serverHeartbeatStarted', ({ connectionId }) => checks.set(connectionId, 0));
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => ended(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => ended(connectionId));
  client.on('serverClosed', ({ address }) => ended(address));

  let isClosed = false;
  const reconnect = async (): Promise<void> => {
    checks.clear();
    await client.close().catch(() => undefined);
    // A try that fails leaves nothing that would go on trying.
    while (!isClosed && !(await client.connect().catch(() => null))) await sleep(PAUSE_MS);
  };
  let reconnecting: Promise<void> | null = null;
  const count = setInterval(() => {
    let isStuck = false;
    for (const [address, seconds] of checks) {
      if (!away.has(address)) continue;
      checks.set(address, seconds + 1);
      isStuck ||= seconds + 1 >= checkS;
    }
    if (!isStuck || reconnecting !== null) return;
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
