/** Whether a role of Postgres may only read: what it may do, functions of a SELECT may do. */
import type { Client } from 'pg';
import { InvalidInputError } from '../../base/errors.ts';

/** Built-in roles that read or write outside of the tables. */
const MIGHTY = [
  'pg_write_all_data',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_execute_server_program',
];

const POWERS = `
  select
    (select rolsuper from pg_roles where rolname = current_user) as superuser,
    (select min(rolname) from pg_roles where rolname = any($1) and pg_has_role(oid, 'MEMBER')) as mighty,
    (select min(c.oid::regclass::text) from pg_class c
      where c.relkind in ('r', 'p', 'f')
        and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        and c.relpersistence <> 't'
        and has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) as writable`;

type Powers = {
  readonly superuser: boolean;
  readonly mighty: string | null;
  readonly writable: string | null;
};

const READER = `CREATE ROLE qpilot_reader LOGIN PASSWORD '...'; GRANT USAGE ON SCHEMA public TO qpilot_reader; GRANT SELECT ON ALL TABLES IN SCHEMA public TO qpilot_reader`;

/**
 * `name` is the datasource's.
 * @throws InvalidInputError with the statements that create a role which may only read
 */
export async function refuseWritingRole(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<Powers>(POWERS, [MIGHTY]);
  const power = rows[0] ? powerOf(rows[0]) : null;
  if (power === null) return;
  throw InvalidInputError.at(
    ['datasource'],
    `${name} is not queried: its account ${power}. Whoever runs this server must give it one that may only read: ${READER}`,
  );
}

function powerOf({ superuser, mighty, writable }: Powers): string | null {
  if (superuser) return 'is a superuser';
  if (mighty !== null) return `has the role ${mighty}`;
  return writable === null ? null : `may write to the table ${writable}`;
}
