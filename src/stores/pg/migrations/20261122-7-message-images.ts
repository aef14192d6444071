import { type Kysely, sql } from 'kysely';

/** Pictures that come with questions. An edited question has copies of its own, so that a branch can be read alone. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table message_images (
    id uuid primary key,
    session_id uuid not null references sessions,
    message_id uuid not null,
    project_id text not null,
    viewer_id text not null,
    position integer not null, -- from 0, in the order in which they were sent
    media_type text not null,
    width integer not null,
    height integer not null,
    body bytea not null,
    digest text not null, -- SHA-256 of the body
    unique (message_id, position)
  )`.execute(db);
  // Pictures are compressed already.
  await sql`alter table message_images alter column body set storage external`.execute(db);
  await sql`create index message_images_of_session on message_images (session_id)`.execute(db);
}
