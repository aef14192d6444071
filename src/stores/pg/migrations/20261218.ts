import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Token buckets that all servers share. Not logged: after a crash of PostgreSQL all are full again. */
async function rateBuckets(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create unlogged table rate_buckets (
      viewer_id text not null, name text not null, tokens float8 not null, at timestamptz not null,
      primary key (viewer_id, name))`,
    // Takes up to `wanted` whole tokens of a bucket of `size` that fills by `per_second`, else none: {"granted",
    // "waitMs": until `needed` are in it}.
    `create function take_tokens(
      of_viewer text, of_name text, size float8, per_second float8, needed float8, wanted float8)
      returns json language plpgsql as $$
      declare available float8; granted float8;
      begin
        insert into rate_buckets values (of_viewer, of_name, size, clock_timestamp()) on conflict do nothing;
        select least(size, tokens + greatest(0, extract(epoch from clock_timestamp() - at)) * per_second)
        into available from rate_buckets where viewer_id = of_viewer and name = of_name for update;
        granted := case when available < needed then 0 else floor(least(wanted, available)) end;
        update rate_buckets set tokens = available - granted, at = clock_timestamp()
        where viewer_id = of_viewer and name = of_name;
        return json_build_object('granted', granted,
          'waitMs', case when granted > 0 then 0 else ceil(1000 * (needed - available) / per_second) end);
      end $$`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261218: Readonly<Record<string, Migration>> = {
  '20261218-1-rate-buckets': { up: rateBuckets },
};
