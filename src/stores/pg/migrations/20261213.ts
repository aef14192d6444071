import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Results that a session keeps are stored compressed, like those of tools; what is stored already stays as it is. */
async function keptResults(db: Kysely<never>): Promise<void> {
  for (const statement of [
    // zstd; a result has one of the two columns. Stored as it is, since Postgres cannot compress it further.
    `alter table session_data add column body_zstd bytea, alter column body drop not null`,
    `alter table session_data alter column body_zstd set storage external`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261213: Readonly<Record<string, Migration>> = {
  '20261213-1-kept-results': { up: keptResults },
};
