import { type Kysely, sql } from 'kysely';

/** What users think of answers: one row a user and answer, the newest one. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table ratings (
    message_id uuid not null references messages on delete cascade,
    viewer_id text not null,
    rating smallint not null check (rating between 1 and 5),
    kind text,
    comment text,
    corrected_answer text,
    rated_at timestamptz(3) not null default now(),
    primary key (message_id, viewer_id)
  )`.execute(db);
}
