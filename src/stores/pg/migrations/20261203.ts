import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Counts what was started for each viewer, so that a transaction finds at its commit that another one was faster. Its row
 * is locked by the message that commits alone: no process can freeze in between.
 */
async function viewerStarts(db: Kysely<never>): Promise<void> {
  await sql`create table viewer_starts (viewer_id text primary key, count bigint not null)`.execute(db);
  await sql`
    create function count_start() returns void language plpgsql as $$
    begin
      insert into viewer_starts as known values (current_setting('qpilot.viewer'), 1)
        on conflict (viewer_id) do update set count = known.count + 1
        where known.count = current_setting('qpilot.starts')::bigint;
      if not found then
        raise exception 'another transaction started something for the viewer' using errcode = '40001';
      end if;
    end $$
  `.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261203: Readonly<Record<string, Migration>> = {
  '20261203-1-viewer-starts': { up: viewerStarts },
};
