/**
 * Conversations in Postgres: sessions, turns, messages, the event log and the bodies it refers to. The other
 * files are free functions that take the handle first; one that must run in a transaction takes a `Tx`. Rows
 * never leave this folder. It is independent of agents, GraphQL and calibration data.
 */
import {
  Kysely,
  PostgresDialect,
  sql,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  type Transaction,
} from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { DiskFullError, StoreAwayError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { tracedStatements } from '../../base/tracing/trace-databases.ts';
import type { Tracing } from '../../base/tracing/tracing.ts';
import { currentAct, recordOf } from './audited-act.ts';
import type { Database } from './tables.ts';
import { isOutdated, NO_ANSWER, retryWhileUnavailable, typedFailure, wasRolledBack } from './unavailable.ts';

/** A handle for single statements or for starting a transaction. */
export type Db = Kysely<Database>;

/** A handle inside a transaction. */
export type Tx = Transaction<Database>;

/** An open pool of connections. The caller closes it; `close` waits for running statements. */
export type OpenDatabase = {
  readonly db: Db;
  /** The same connections without the query builder, for the prepared statements of the event log. */
  readonly pool: Pool;
  /** Whether Postgres lately found its disk full. */
  readonly isDiskFull: () => boolean;
  close(): Promise<void>;
};

/** Bounds on what one connection may do, in milliseconds. Postgres itself enforces them unless said; 0 is none. */
export type ConnectionLimits = {
  /** Longest wait for a lock. Shorter than `idleMs`: what waits behind a frozen process never gets its locks. */
  readonly lockMs: number;
  /** Longest pause within a transaction; then it is rolled back, so that a frozen process holds no lock for longer. */
  readonly idleMs: number;
  readonly statementMs: number;
  /** Longest wait for an answer, which we enforce: afterwards the network or the machine of Postgres is gone. */
  readonly answerMs: number;
};

const LIMITS: ConnectionLimits = { lockMs: 1_000, idleMs: 2_000, statementMs: 20_000, answerMs: 25_000 };
/** For work that may wait and take long, such as migrations. */
export const UNLIMITED: ConnectionLimits = { lockMs: 0, idleMs: 0, statementMs: 0, answerMs: 0 };

/** Postgres finds a client whose machine is gone, and frees what it held, after some ten seconds. */
const SERVER_KEEPALIVE =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000';

/** How every connection to Postgres is made; `options` are settings of its own (`-c name=value`). */
export function connectionSettings(
  url: string,
  { lockMs, idleMs, statementMs, answerMs }: ConnectionLimits,
  options = '',
) {
  return {
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    options: `${SERVER_KEEPALIVE} ${options}`.trim(),
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    statement_timeout: statementMs,
    query_timeout: answerMs,
  };
}

/** How a pool is opened. */
export type DatabaseOptions = {
  readonly log: Logger;
  readonly connections?: number;
  readonly connectMs?: number;
  readonly limits?: ConnectionLimits;
  readonly tracing?: Tracing;
};

/**
 * Opens a pool; connections are made on demand, and waited for at most `connectMs`. `url` is a connection string as `pg`
 * reads it.
 */
export function openDatabase(
  url: string,
  { log, connections = 10, connectMs = 5_000, limits = LIMITS, tracing }: DatabaseOptions,
): OpenDatabase {
  const pool = new Pool({
    ...connectionSettings(url, limits),
    max: connections,
    connectionTimeoutMillis: connectMs,
  });
  // A connection that breaks between statements emits `error`, which ends the process if it is not handled. The pool
  // replaces the connection; a transaction on it fails at its next statement.
  const onLost = (error: Error): void => log.warn({ err: error }, 'lost a connection to Postgres');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  let fullAt = Number.NEGATIVE_INFINITY;
  const onFailure = (error: unknown): void => {
    if (error instanceof DiskFullError) fullAt = performance.now();
  };
  pool.query = withTypedFailures(pool.query.bind(pool) as Ask, onFailure) as typeof pool.query;
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: typedPool(pool, onFailure) }),
    ...(tracing?.isOn && { log: tracedStatements(tracing) }),
  });
  const isDiskFull = (): boolean => performance.now() - fullAt < FULL_MS;
  return { db, pool, isDiskFull, close: () => db.destroy() };
}

/** How long a full disk is remembered, in milliseconds. */
const FULL_MS = 30_000;
/** How long a transaction that gave way to others is tried again, in milliseconds. */
const GIVE_WAY_MS = 10_000;

/**
 * Runs a transaction; repeats it where Postgres rolled it back for the sake of others, or because this process stood
 * still in the middle of it. `work` may therefore run more than once, but only one run of it takes effect. The act that
 * the request performs is recorded with it.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const act = currentAct();
  const run = async (tx: Tx): Promise<T> => {
    const result = await work(tx);
    await recordOf(act)?.execute(tx);
    return result;
  };
  const result = await retryWhileUnavailable(() => db.transaction().execute(run), GIVE_WAY_MS, wasRolledBack);
  if (act !== null) act.pending = null;
  return result;
}

/** The row of a statement that always returns exactly one. */
export async function readOne<Row>(statement: RawBuilder<Row>, db: Db): Promise<Row> {
  const { rows } = await statement.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres returned no row where there is always one');
  return row;
}

const PREPARED_MARK = '/* prepared */';
/**
 * Begins a statement that every turn runs, so that each connection parses and plans it once. Its text must be one of few, and
 * its plan must fit any values.
 */
export const PREPARED = sql.raw(PREPARED_MARK);

/** Names of prepared statements by their texts. */
const statementNames = new Map<string, string>();
let statements = 0;

/** The arguments of `query`, with a name for a statement that begins with {@link PREPARED}. */
function named(args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args;
  if (typeof text !== 'string' || !text.startsWith(PREPARED_MARK)) return args;
  const name = statementNames.get(text) ?? `prepared-${(statements += 1)}`;
  statementNames.set(text, name);
  return [{ name, text, values }];
}

type Ask = (...args: unknown[]) => unknown;

/** `query` of a pool or client, with SERVICE_BUSY, STORE_AWAY and DISK_FULL in place of what `pg` throws. */
const withTypedFailures =
  (ask: Ask, onFailure: (error: unknown) => void): Ask =>
  (...args) => {
    const result = ask(...args);
    if (!(result instanceof Promise)) return result; // of a cursor, or with a callback
    return result.catch((error: unknown) => {
      const typed = typedFailure(error);
      onFailure(typed);
      throw typed;
    });
  };

/** The pool as Kysely uses it. Each client is wrapped once, since Kysely keeps what it knows of it by its identity. */
function typedPool(pool: Pool, onFailure: (error: unknown) => void): PostgresPool {
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw typedFailure(error);
      });
      const known = wrapped.get(client) ?? typedClient(client, onFailure);
      wrapped.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function typedClient(client: PoolClient, onFailure: (error: unknown) => void): PostgresPoolClient {
  let silence: Error | null = null;
  const ask = withTypedFailures(client.query.bind(client) as Ask, (error) => {
    if (error instanceof StoreAwayError && error.cause instanceof Error && error.cause.message === NO_ANSWER)
      silence = error;
    // Under a new name they are prepared anew.
    if (isOutdated(error)) statementNames.clear();
    onFailure(error);
  });
  return {
    // What is sent after a statement without an answer waits behind it, so nothing more is.
    query: ((...args: unknown[]) =>
      silence === null ? ask(...named(args)) : Promise.reject(silence)) as PostgresPoolClient['query'],
    release: (error) => client.release(error || silence || undefined),
    get processID() {
      return (client as { readonly processID?: number }).processID;
    },
  } as PostgresPoolClient;
}
