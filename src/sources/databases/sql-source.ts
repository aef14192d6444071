/**
 * A Postgres database that is only read. A statement runs as the query of a cursor, sent by the extended
 * protocol, in a READ ONLY transaction: Postgres itself then refuses a second statement, everything that is
 * no SELECT, and every write, also one hidden in a WITH. Functions may do what the role of the address may do,
 * so a role that may do more than read is refused.
 */
import { Socket } from 'node:net';
import { Client, DatabaseError } from 'pg';
import { InvalidInputError } from '../../base/errors.ts';
import { QUERY_MS, ROWS_AT_ONCE, boundedRows, type SourceRows } from './datasource.ts';
import { refuseWritingRole } from './sql-role.ts';

/** A database that answers SELECTs. */
export type SqlSource = {
  /**
   * @throws InvalidInputError with the database's own words for a statement that it refuses, and where it does not
   * answer.
   */
  query(statement: string, signal: AbortSignal): Promise<SourceRows>;
};

const MAX_STATEMENT = 20_000;
const CONNECT_MS = 5_000;
/** For the answer to arrive after the database's own time-out. */
const GRACE_MS = 1_000;
/** Most bytes that a database may send for one query, catalogues included: a single row can hold gigabytes. */
const MAX_BYTES = 16_000_000;

/** `uri` as `pg` reads it; each query has a connection of its own, so that nothing of one is there for the next. */
export const createSqlSource = (name: string, uri: string): SqlSource => ({
  async query(statement, signal) {
    if (statement.length > MAX_STATEMENT) {
      throw invalid(`has ${statement.length} characters; at most ${MAX_STATEMENT} are taken`);
    }
    signal.throwIfAborted();
    const socket = new Socket();
    const client = new Client({
      connectionString: uri,
      stream: () => socket,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS + GRACE_MS,
      application_name: 'qpilot-datasource',
    });
    // A broken connection also emits an event; without a listener that would end the process.
    client.on('error', () => undefined);
    const stop = (): void => void client.end().catch(() => undefined);
    signal.addEventListener('abort', stop);
    let isTooLarge = false;
    socket.on('data', () => {
      if (socket.bytesRead <= MAX_BYTES) return;
      isTooLarge = true;
      socket.destroy();
    });
    try {
      await client.connect();
      await refuseWritingRole(client, name);
      return await select(client, statement);
    } catch (error) {
      signal.throwIfAborted();
      if (isTooLarge) throw tooLarge(name);
      throw publicError(error, name);
    } finally {
      signal.removeEventListener('abort', stop);
      await client.end().catch(() => undefined);
    }
  },
});

async function select(client: Client, statement: string): Promise<SourceRows> {
  await client.query('BEGIN TRANSACTION READ ONLY');
  await client.query(`SET LOCAL statement_timeout = ${QUERY_MS}`);
  const text = `DECLARE qpilot_rows NO SCROLL CURSOR FOR ${statement}`;
  // A named statement uses the extended protocol, which accepts one statement at a time.
  await client.query({ name: 'qpilot_rows', text });
  const rows = await boundedRows(fetched(client));
  await client.query('ROLLBACK');
  return rows;
}

async function* fetched(client: Client): AsyncGenerator<Record<string, unknown>, void> {
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`FETCH ${ROWS_AT_ONCE} FROM qpilot_rows`);
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

const tooLarge = (name: string): InvalidInputError =>
  invalid(
    `is answered by more than ${MAX_BYTES / 1_000_000} MB of ${name}: select fewer or shorter columns, for example left(text, 1000)`,
  );

/** Errors of a statement help to fix it; errors of a connection may contain address and user, and are hidden. */
function publicError(error: unknown, name: string): InvalidInputError {
  if (error instanceof InvalidInputError) return error;
  const isOfStatement = error instanceof DatabaseError && !/^(?:08|28|3D|53|57P)/u.test(error.code ?? '');
  if (isOfStatement) {
    return invalid(`${name} rejected it: ${error.message}. Send a single SELECT; access is read-only`);
  }
  return invalid(`${name} is not responding; try again in a later round, or mention it in the report`);
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at(['statement'], message);
