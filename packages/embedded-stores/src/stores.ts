/**
 * One Postgres and one MongoDB-compatible server in a data folder, run by one process and shared by any number.
 * This file knows their addresses and lifetimes, not their contents.
 */
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoresError } from './stores-error.ts';
import type { StoresLog } from './log.ts';
import { type FileLock, tryFileLock } from './file-lock.ts';
import { answers } from './postgres/probe.ts';
import { runStores } from './run-stores.ts';
import {
  readStoresFile,
  removeStoresFile,
  type StoreAddresses,
  type StoresRecord,
  writeStoresFile,
} from './stores-file.ts';

const POLL_MS = 100;
/** Between looks whether the owner still runs. */
const WATCH_MS = 500;

/** Both stores, ready for clients. */
export type Stores = {
  readonly postgresUrl: string;
  readonly mongoUri: string;
  /** True if this process runs the embedded ones: it opened them first, or took them over from an owner that is gone. */
  readonly owned: boolean;
  /** Stops the servers of this process; close your clients first. Idempotent. */
  readonly stop: () => Promise<void>;
};

/** Options of {@link openStores}. */
export type StoresOptions = {
  /** Created if missing. */
  readonly dataDir: string;
  readonly log: StoresLog;
  /** Connection string of an existing Postgres; none is started then. */
  readonly databaseUrl?: string | null;
  /** Connection string of an existing MongoDB; none is started then. */
  readonly mongodbUri?: string | null;
  /** `share` (default) uses the stores of a living owner if there is one; `own` fails then. */
  readonly mode?: 'own' | 'share';
  /** How long a sharer waits for an owner that is still starting. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
};

/**
 * Opens the stores of a data folder: starts them, or connects to those of another process.
 *
 * A lock that ends with its process decides who owns them. If several processes open at once, exactly one becomes the
 * owner; after an owner was killed, the next process to open takes over.
 * @throws StoresError if they cannot run here, or, with `own`, if another process owns them
 */
export async function openStores(options: StoresOptions): Promise<Stores> {
  const { mode = 'share', patienceMs = 30_000, signal } = options;
  if (options.databaseUrl && options.mongodbUri)
    return notOwned({ postgresUrl: null, mongoUri: null }, options);
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const run = join(dataDir, 'run');
  await mkdir(run, { recursive: true, mode: 0o700 });
  const recordFile = join(run, 'stores.json');
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const lock = tryFileLock(join(run, 'lock'));
    if (lock) return own(lock, dataDir, recordFile, options);
    const record = await readStoresFile(recordFile);
    if (mode === 'own') throw new StoresError(ownedAlready(dataDir, record));
    if (record && (await isAlive(record))) {
      options.log.info(
        { ownerPid: record.pid },
        'using the embedded stores of another process; when it ends, this one or another takes them over',
      );
      return share(record, dataDir, recordFile, options);
    }
    if (performance.now() > deadline) throw new StoresError(noAnswer(dataDir, record));
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function own(
  lock: FileLock,
  dataDir: string,
  recordFile: string,
  options: StoresOptions,
): Promise<Stores> {
  const { log, signal } = options;
  try {
    await removeStoresFile(recordFile); // left by a killed owner
    const { addresses, stop } = await runStores(dataDir, {
      needsPostgres: !options.databaseUrl,
      needsMongo: !options.mongodbUri,
      log,
      signal,
    });
    await writeStoresFile(recordFile, {
      pid: process.pid,
      startedAt: new Date().toISOString(),
      ...addresses,
    });
    let stopped: Promise<void> | undefined;
    const stopOnce = async (): Promise<void> => {
      await removeStoresFile(recordFile);
      await stop().finally(() => lock.release());
    };
    return { ...complete(addresses, options), owned: true, stop: () => (stopped ??= stopOnce()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The stores of another process. When it is gone, the first of those that share them becomes their owner. */
function share(record: StoresRecord, dataDir: string, recordFile: string, options: StoresOptions): Stores {
  const { log } = options;
  const closing = new AbortController();
  let inherited: Stores | undefined;
  const inherit = async (): Promise<void> => {
    for (let owner: number | undefined = record.pid; inherited === undefined;) {
      await sleep(WATCH_MS, undefined, { signal: closing.signal });
      if (owner !== undefined && isRunning(owner)) continue;
      const lock = tryFileLock(join(dataDir, 'run', 'lock'));
      if (lock) {
        log.warn({ ownerPid: owner }, 'the owner of the embedded stores is gone; taking them over');
        inherited = await own(lock, dataDir, recordFile, { ...options, signal: closing.signal }).catch(
          (error: unknown) => {
            closing.signal.throwIfAborted();
            log.error({ err: error }, 'the embedded stores could not be taken over; trying again');
            return undefined;
          },
        );
      } else owner = (await readStoresFile(recordFile))?.pid;
    }
  };
  const inheriting = inherit().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    ...complete(record, options),
    get owned() {
      return inherited !== undefined;
    },
    async stop() {
      closing.abort();
      await inheriting;
      await inherited?.stop();
    },
  };
}

function notOwned(addresses: StoreAddresses, options: StoresOptions): Stores {
  return { ...complete(addresses, options), owned: false, stop: async () => {} };
}

/** The given servers, the embedded ones otherwise. */
function complete(
  { postgresUrl, mongoUri }: StoreAddresses,
  { databaseUrl, mongodbUri }: StoresOptions,
): { postgresUrl: string; mongoUri: string } {
  return {
    postgresUrl: databaseUrl ?? postgresUrl ?? missing('DATABASE_URL'),
    mongoUri: mongodbUri ?? mongoUri ?? missing('MONGODB_URI'),
  };
}

function missing(variable: 'DATABASE_URL' | 'MONGODB_URI'): never {
  throw new StoresError(
    `The process that runs the embedded stores was started with ${variable}, this one without; set it here too`,
  );
}

async function isAlive({ pid, postgresUrl }: StoresRecord): Promise<boolean> {
  return isRunning(pid) && (postgresUrl === null || (await answers(postgresUrl)));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // another user's
  }
}

function ownedAlready(dataDir: string, record: StoresRecord | undefined): string {
  const who = record
    ? `process ${record.pid} since ${record.startedAt}`
    : 'a process that is starting or stopping';
  return (
    `The stores of ${dataDir} are run by ${who}. Stop that process, or use another DATA_DIR; ` +
    'a server ("npm start") on another PORT shares them.'
  );
}

function noAnswer(dataDir: string, record: StoresRecord | undefined): string {
  const who = record ? `Process ${record.pid}` : 'Another process';
  return `${who} holds the stores of ${dataDir}, but they do not answer; end it, then start again.`;
}
