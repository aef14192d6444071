/**
 * Real PostgreSQL from npm's platform packages, started and supervised by this process. The application sees
 * nothing but its connection string.
 */
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { StoresError } from '../stores-error.ts';
import type { StoresLog } from '../log.ts';
import { tryFileLock } from '../file-lock.ts';
import { findBinaries } from './binaries.ts';
import { openCluster } from './cluster.ts';
import { type Endpoint, socketEndpoint } from './endpoint.ts';
import { tcpEndpoint } from './endpoint-tcp.ts';
import { guardPostgres } from './guard.ts';
import { stopLeftovers } from './leftovers.ts';
import { ClusterInUseError, runServer, type Server, type ServerOptions } from './server.ts';

const DATABASE = 'qpilot';

/** A running embedded server; the caller of {@link startPostgres} stops it. */
export type EmbeddedPostgres = {
  /** Connection string of the database `qpilot`. */
  readonly url: string;
  readonly pid: number;
  /**
   * Resolves once Postgres is gone: with `undefined` after `stop()`, else with an error that describes how it
   * ended.
   */
  readonly exited: Promise<Error | undefined>;
  /** Fast shutdown; resolves when the process is gone and the folder is free. Idempotent. */
  readonly stop: () => Promise<void>;
};

/** Options of {@link startPostgres}. */
export type PostgresOptions = {
  /** Folder of the cluster and its lock; created if missing. */
  readonly dir: string;
  /** `false` may lose acknowledged rows when the machine (not just the process) fails: for tests. */
  readonly fsync?: boolean;
  readonly log?: StoresLog;
  readonly signal?: AbortSignal;
};

/**
 * Starts PostgreSQL on `dir`; creates the cluster and the database `qpilot` if they are missing.
 *
 * Acknowledged data survives kill -9; a server that outlived its killed owner is stopped first.
 * @throws StoresError if a living owner uses the folder, or Postgres cannot run here
 */
export async function startPostgres({
  dir,
  fsync = true,
  log,
  signal,
}: PostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(dir, { recursive: true });
  const home = await realpath(dir);
  const lock = tryFileLock(join(home, 'lock'));
  if (!lock)
    throw new StoresError(
      `Another process runs the embedded Postgres on ${home}; stop it, or use its address.`,
    );
  const endpoint = process.platform === 'win32' ? await tcpEndpoint(home) : socketEndpoint(home);
  const free = async (): Promise<void> => {
    await endpoint.close();
    lock.release();
  };
  const server = await startServer(home, endpoint, { fsync, log, signal }).catch(async (error: unknown) => {
    await free();
    throw error;
  });
  const dismissGuard = guardPostgres(server.pid, server.cluster);
  const exited = server.exited.then(async (error) => {
    await dismissGuard();
    await free();
    return error;
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await exited;
  };
  await createDatabase(endpoint).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url: endpoint.url(DATABASE), pid: server.pid, exited, stop };
}

type StartOptions = { fsync: boolean; log: StoresLog | undefined; signal: AbortSignal | undefined };

async function startServer(
  home: string,
  endpoint: Endpoint,
  { fsync, log, signal }: StartOptions,
): Promise<Server> {
  const binaries = await findBinaries();
  const cluster = await openCluster(home, { binaries, endpoint, fsync, signal });
  await endpoint.prepare(cluster.identity);
  const options: ServerOptions = {
    postgres: binaries.postgres,
    cluster,
    settings: { ...endpoint.settings, ...serverSettings(fsync) },
    onLog: (line) => log?.debug({ source: 'postgres' }, line),
    signal,
  };
  try {
    return await runServer(options);
  } catch (error) {
    if (!(error instanceof ClusterInUseError)) throw error;
    log?.warn('a Postgres outlived its owner; stopping it');
    await stopLeftovers(cluster.folder, signal);
    return runServer(options);
  }
}

/** For one small server: a few dozen connections, a database that fits into the page cache. */
function serverSettings(fsync: boolean): Readonly<Record<string, string>> {
  const onOff = fsync ? 'on' : 'off';
  return {
    max_connections: '100',
    shared_buffers: '64MB',
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
  };
}

async function createDatabase(endpoint: Endpoint): Promise<void> {
  const client = new Client({ connectionString: endpoint.url('postgres') });
  client.on('error', () => undefined); // a broken connection also fails the query
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
