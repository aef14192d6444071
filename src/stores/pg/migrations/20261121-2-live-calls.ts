import { type Kysely, sql } from 'kysely';

/** Attempts to ask a live source within the last minute; older rows go with the project's next attempt. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table live_calls (
    project_id text not null,
    chip_id text not null,
    called_at timestamptz not null default clock_timestamp()
  )`.execute(db);
  await sql`create index live_calls_of_project on live_calls (project_id, called_at)`.execute(db);
}
