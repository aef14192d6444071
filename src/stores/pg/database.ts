/**
 * Conversations in Postgres: sessions, turns, messages, the event log and the bodies it refers to. The other
 * files are free functions that take the handle first; one that must run in a transaction takes a `Tx`. Rows
 * never leave this folder. It is independent of agents, GraphQL and calibration data.
 */
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  type Transaction,
} from 'kysely';
import { Pool } from 'pg';
import type { Logger } from '../../base/log.ts';
import { tracedStatements } from '../../base/tracing/trace-databases.ts';
import type { Tracing } from '../../base/tracing/tracing.ts';
import type { Database } from './tables.ts';
import { typedFailure } from './unavailable.ts';

/** A handle for single statements or for starting a transaction. */
export type Db = Kysely<Database>;

/** A handle inside a transaction. */
export type Tx = Transaction<Database>;

/** An open pool of connections. The caller closes it; `close` waits for running statements. */
export type OpenDatabase = {
  readonly db: Db;
  /** The same connections without the query builder, for the prepared statements of the event log. */
  readonly pool: Pool;
  close(): Promise<void>;
};

/**
 * Opens a pool; connections are made on demand, and waited for at most `connectMs`. `url` is a connection string as `pg`
 * reads it.
 */
export function openDatabase(
  url: string,
  options: { log: Logger; connections?: number; connectMs?: number; tracing?: Tracing },
): OpenDatabase {
  const pool = new Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: options.connectMs ?? 5_000,
  });
  // A connection that breaks between statements emits `error`, which ends the process if it is not handled. The pool
  // replaces the connection; a transaction on it fails at its next statement.
  const onLost = (error: Error): void => options.log.warn({ err: error }, 'lost a connection to Postgres');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: withTypedFailures(pool) }),
    ...(options.tracing?.isOn && { log: tracedStatements(options.tracing) }),
  });
  return { db, pool, close: () => db.destroy() };
}

/** The row of a statement that always returns exactly one. */
export async function readOne<Row>(statement: RawBuilder<Row>, db: Db): Promise<Row> {
  const { rows } = await statement.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres returned no row where there is always one');
  return row;
}

/** The pool, with SERVICE_BUSY and STORE_AWAY in place of what `pg` throws when Postgres cannot be asked. */
function withTypedFailures(pool: Pool): PostgresPool {
  const typed = (error: unknown): never => {
    throw typedFailure(error);
  };
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch(typed);
      const ask = client.query.bind(client) as (...args: unknown[]) => unknown;
      const query = (...args: unknown[]): unknown => {
        const result = ask(...args);
        return result instanceof Promise ? result.catch(typed) : result; // a cursor is no promise
      };
      return { query, release: (error) => client.release(error) } as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}
