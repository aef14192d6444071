/**
 * The tables of Postgres as parts of a backup: read from one snapshot, and loaded beside the old ones, which they replace
 * in one transaction. Plain SQL, so that it works with any server and without its tools.
 */
import { Client } from 'pg';
import { connectionSettings, UNLIMITED } from '../../stores/pg/database.ts';
import { StartupError } from '../../base/errors.ts';
import type { FilledPart } from './container.ts';

/** What runs a statement: a connection, or a transaction of the query builder. */
export type Asks = {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Row[] }>;
};

/** Where our migrations make tables; the job queue makes its own, and jobs are queued anew. */
const SCHEMAS = ['public', 'auth'];
/** Of kysely; a restore has its own. */
const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'];
const ROWS_AT_ONCE = 50;

/** Connects without limits of time. The caller ends it. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({
    ...connectionSettings(url, UNLIMITED),
    application_name: 'qpilot backup',
  });
  client.on('error', () => undefined); // the next statement rejects
  await client.connect();
  return client;
}

/** Begins a snapshot that does not change while others write. */
export const beginSnapshot = (client: Client): Promise<unknown> =>
  client.query('begin isolation level repeatable read read only');

/** The rows of all tables. */
export async function* readRows(client: Client): AsyncGenerator<FilledPart> {
  for (const table of await tablesOf(client)) {
    await client.query(`declare rows no scroll cursor for select to_json(t)::text as row from ${table} as t`);
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from rows`);
      if (rows.length === 0) break;
      yield { part: { kind: 'rows', table }, body: Buffer.from(`[${rows.map(({ row }) => row).join(',')}]`) };
    }
    await client.query('close rows');
  }
}

export async function migrationsOf(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** Our tables with their schemas, quoted. */
async function tablesOf(client: Asks): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
       where relkind = 'r' and nspname = any ($1) and relname <> all ($2) order by 1`,
    [SCHEMAS, MIGRATION_TABLES],
  );
  return rows.map(({ name }) => name);
}

/** Names of our tables that have rows. @throws StartupError for a database with tables of somebody else */
export async function filledTables(client: Client): Promise<readonly string[]> {
  const tables = await tablesOf(client);
  const { rows } = await client.query<{ found: string | null }>(
    `select to_regclass('kysely_migration') as found`,
  );
  if (tables.length > 0 && rows[0]?.found === null)
    throw new StartupError(
      `the database of DATABASE_URL has tables (${tables.slice(0, 3).join(', ')}) that QPilot did not make; use a database of its own. Nothing was changed`,
    );
  const filled: string[] = [];
  for (const table of tables) {
    const { rowCount } = await client.query(`select 1 from ${table} limit 1`);
    if (rowCount) filled.push(table);
  }
  return filled;
}

/** Clients of the database besides this one: servers and workers that must not run meanwhile. */
export async function countOthers(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
         and application_name <> 'qpilot backup'`,
  );
  return rows[0]?.count ?? 0;
}

/** Takes triggers and references out of the way of rows that come in any order; the result puts them back, which checks all rows. */
export async function suspendRules(client: Asks): Promise<() => Promise<void>> {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c join pg_namespace n on n.oid = connamespace where contype = 'f' and nspname = any ($1)`,
    [SCHEMAS],
  );
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${name}`);
  const tables = await tablesOf(client);
  for (const table of tables) {
    await client.query(`delete from ${table}`); // what a migration put there is in the backup, too
    await client.query(`alter table ${table} disable trigger user`);
  }
  return async () => {
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    for (const table of tables) await advanceSequences(client, table);
  };
}

/** Loads rows into a table. */
export async function loadRows(client: Asks, table: string, rows: Buffer): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
       where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const names = columns.map(({ name }) => name).join(', ');
  await client.query(
    `insert into ${table} (${names}) overriding system value
       select ${names} from json_populate_recordset(null::${table}, $1::text::json)`,
    [rows.toString()],
  );
}

/** The next number that a sequence of the table gives is after the largest in use. */
async function advanceSequences(client: Asks, table: string): Promise<void> {
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `select * from (
       select quote_ident(attname) as column, pg_get_serial_sequence($1, attname) as sequence from pg_attribute
         where attrelid = to_regclass($1) and attnum > 0 and not attisdropped
     ) as columns where sequence is not null`,
    [table],
  );
  for (const { column, sequence } of rows)
    await client.query(`select setval($1, coalesce((select max(${column}) from ${table}), 0) + 1, false)`, [
      sequence,
    ]);
}

/** Drops everything that our migrations made. */
export async function dropOurs(client: Asks): Promise<void> {
  const { rows } = await client.query<{ kind: string; name: string }>(
    `select 'function' as kind, p.oid::regprocedure::text as name, 1 as place
       from pg_proc p join pg_namespace n on n.oid = pronamespace
       where nspname = any ($1) and prokind = 'f'
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
     union all
     select case relkind when 'r' then 'table' else 'view' end, c.oid::regclass::text, 2
       from pg_class c join pg_namespace n on n.oid = relnamespace
       where nspname = any ($1) and relkind in ('r', 'v')
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by place`,
    [SCHEMAS],
  );
  for (const { kind, name } of rows) await client.query(`drop ${kind} if exists ${name} cascade`);
}
