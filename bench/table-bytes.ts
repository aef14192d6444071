import { sql } from 'kysely';
import type { Db } from '../src/stores/pg/database.ts';

/** Bytes of one table of QPilot's own. Heap, long values and indexes, measured after a VACUUM. */
export type TableBytes = {
  readonly heap: number;
  readonly long: number;
  readonly indexes: number;
  /** Values as they are stored, compressed or not, without headers, by column. */
  readonly columns: Readonly<Record<string, number>>;
  readonly updates: number;
  /** Updates that wrote no index. */
  readonly hotUpdates: number;
};

/** What the database holds now, by table, after a VACUUM. */
export async function measureTables(db: Db): Promise<ReadonlyMap<string, TableBytes>> {
  await sql`vacuum`.execute(db);
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<Omit<TableBytes, 'columns'> & { readonly name: string }>`
    select pg_class.relname as name, pg_relation_size(relid)::float8 as heap, pg_indexes_size(relid)::float8 as indexes,
      coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0)::float8 as long,
      n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as "hotUpdates"
    from pg_stat_user_tables join pg_class on pg_class.oid = relid
    where schemaname = current_schema() order by 1
  `.execute(db);
  const measured = new Map<string, TableBytes>();
  for (const { name, ...sizes } of rows) {
    measured.set(name, { ...sizes, columns: await columnBytes(db, name) });
  }
  return measured;
}

async function columnBytes(db: Db, table: string): Promise<Readonly<Record<string, number>>> {
  const { rows: columns } = await sql<{ readonly name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
  `.execute(db);
  const sums = columns.map(
    ({ name }) => sql`coalesce(sum(pg_column_size(${sql.ref(name)})), 0)::float8 as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(sums)} from ${sql.table(table)}
  `.execute(db);
  return rows[0] ?? {};
}

/** Bytes that were written to the log of changes so far. */
export async function writtenBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ readonly bytes: number }>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes
  `.execute(db);
  return rows[0]?.bytes ?? 0;
}
