import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoresLog } from './log.ts';
import { keepRunning } from './keep-running.ts';
import { type MongoOptions, startMongo } from './mongo/start.ts';
import { countOtherClients } from './postgres/probe.ts';
import { type PostgresOptions, startPostgres } from './postgres/start.ts';
import { makePrivateFolder, socketFolder } from './socket-folder.ts';
import type { StoreAddresses } from './stores-file.ts';

const MONGO_SOCKET = 'mongo.sock';

/** The servers that this process runs. */
export type RunningStores = { readonly addresses: StoreAddresses; readonly stop: () => Promise<void> };

/** Options of {@link runStores}. */
export type RunOptions = {
  readonly needsPostgres: boolean;
  readonly needsMongo: boolean;
  readonly log: StoresLog;
  readonly signal?: AbortSignal | undefined;
};

type Step = () => Promise<void>;

/**
 * Starts the needed servers in `dataDir`; the address of one that is not needed is null. The caller holds the lock of
 * the stores. If one cannot start, those already started are stopped.
 * @param dataDir absolute
 */
export async function runStores(dataDir: string, options: RunOptions): Promise<RunningStores> {
  const undo: Step[] = [];
  try {
    const mongoUri = options.needsMongo ? await runMongo(dataDir, options, undo) : null;
    const postgresUrl = options.needsPostgres ? await runPostgres(dataDir, options, undo) : null;
    return { addresses: { postgresUrl, mongoUri }, stop: () => undoAll(undo) };
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
}

async function runMongo(dataDir: string, { log }: RunOptions, undo: Step[]): Promise<string> {
  const sockets = socketFolder(join(dataDir, 'mongo'), MONGO_SOCKET);
  await makePrivateFolder(sockets);
  undo.push(() => rm(sockets, { recursive: true, force: true }));
  await mkdir(join(dataDir, 'mongo'), { recursive: true, mode: 0o700 });
  const options: MongoOptions = {
    file: join(dataDir, 'mongo', 'data.sqlite'),
    socketPath: join(sockets, MONGO_SOCKET),
    log: (level, message) => log[level]({ source: 'mongo' }, message),
  };
  const mongo = await keepRunning(() => startMongo(options), {
    what: 'the embedded MongoDB',
    log,
  });
  undo.push(mongo.stop);
  return mongo.first.uri;
}

async function runPostgres(dataDir: string, { log, signal }: RunOptions, undo: Step[]): Promise<string> {
  const options: PostgresOptions = { dir: join(dataDir, 'postgres'), log, ...(signal && { signal }) };
  const postgres = await keepRunning(
    (restart) => startPostgres(restart ? { ...options, signal: restart } : options),
    {
      what: 'the embedded Postgres',
      log,
    },
  );
  const { url } = postgres.first;
  undo.push(postgres.stop, () => warnSharers(url, log));
  return url;
}

/** The clients of this process are closed by now, so every connection belongs to a process that shares the stores. */
async function warnSharers(postgresUrl: string, log: StoresLog): Promise<void> {
  try {
    const connections = await countOtherClients(postgresUrl);
    if (connections > 0)
      log.warn({ connections }, 'other processes still use the embedded stores, which are stopping');
  } catch (error) {
    log.debug({ err: error }, 'Postgres ended before its other clients could be counted');
  }
}

/** Runs all steps in reverse order, even if one fails. */
async function undoAll(undo: readonly Step[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of undo.toReversed()) {
    await step().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'the embedded stores did not stop cleanly');
}
