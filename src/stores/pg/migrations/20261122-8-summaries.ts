import { type Kysely, sql } from 'kysely';

/** Summaries that stand for the older turns of a branch, and how far off a turn's estimate of tokens was. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table summaries (
    id uuid primary key,
    session_id uuid not null references sessions,
    project_id text not null,
    viewer_id text not null,
    through_turn_id uuid not null unique, -- the newest turn that it stands for; the older ones are those before it
    message_count integer not null,
    text text not null,
    model text not null,
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create index summaries_of_session on summaries (session_id)`.execute(db);
  await sql`alter table turns
    add column tokens_per_estimate real -- tokens that the provider counted for each one that was guessed`.execute(
    db,
  );
}
