import { type Kysely, sql } from 'kysely';

/** What stays of a deleted session: that it was deleted, and what its turns count for in the limits of their day. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table deleted_sessions (
    id uuid primary key,
    project_id text not null,
    viewer_id text not null,
    deleted_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create table deleted_turns (
    viewer_id text not null,
    created_at timestamptz(3) not null,
    total_tokens integer not null
  )`.execute(db);
  await sql`create index deleted_turns_of_viewer on deleted_turns (viewer_id, created_at)`.execute(db);
  // Without these a deletion would read every row of every session.
  for (const table of ['messages', 'tool_calls', 'charts', 'tables']) {
    await sql`create index ${sql.ref(`${table}_of_session`)} on ${sql.table(table)} (session_id)`.execute(db);
  }
}
