import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A table with its indexes and long values; `schema` null: the one of QPilot's own tables. */
export type TableSize = { readonly schema: string | null; readonly name: string; readonly bytes: number };

/** Every table of the database, from the catalogue of Postgres. */
export async function tableSizes(db: Db): Promise<readonly TableSize[]> {
  const { rows } = await sql<TableSize>`
    select nullif(nspname, current_schema()) as schema, relname as name,
      pg_total_relation_size(pg_class.oid)::float8 as bytes
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and nspname <> 'information_schema' and nspname not like 'pg\\_%'
    order by nspname, relname
  `.execute(db);
  return rows;
}
