import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Conversations and jobs that other members may read, and what members say about them. */
async function sharing(db: Kysely<never>): Promise<void> {
  for (const statement of [
    // The key of a link has 128 random bits; a new one is made whenever a session is shared by link again.
    `alter table sessions add column visibility text not null default 'PRIVATE', add column share_key text unique,
      add constraint sessions_key_of_link check ((visibility = 'LINK') = (share_key is not null))`,
    `create index sessions_shared on sessions (project_id, kind, updated_at desc, id desc) where visibility <> 'PRIVATE'`,
    `create table session_readers (
      session_id uuid not null references sessions on delete cascade, user_id text not null,
      opened_at timestamptz not null default now(), primary key (session_id, user_id))`,
    `create table comments (
      id uuid primary key, session_id uuid not null references sessions on delete cascade, project_id text not null,
      message_id uuid, -- null: on the job as a whole
      author_id text not null, text text not null, mentions text[] not null,
      created_at timestamptz not null default now())`,
    `create index comments_of_session on comments (session_id, id)`,
    `create index comments_of_author on comments (author_id, created_at)`,
    `create index comments_mentioning on comments using gin (mentions)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261215: Readonly<Record<string, Migration>> = {
  '20261215-1-sharing': { up: sharing },
};
