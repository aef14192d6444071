import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Values that are known to be bad, and are not shown among what needs attention until then. */
async function mutes(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `create table mutes (
        project_id text not null, chip_id text not null,
        part_id text not null, -- '7' or '4-1'
        parameter text not null, -- '': all of the part
        reason text not null, muted_by text not null,
        muted_at timestamptz not null, until timestamptz not null,
        primary key (project_id, chip_id, part_id, parameter))`,
    )
    .execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261220: Readonly<Record<string, Migration>> = {
  '20261220-1-mutes': { up: mutes },
};
