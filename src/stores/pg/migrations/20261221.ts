import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Answers that their owners share alone: a row is there while one is shared. */
async function sharedAnswers(db: Kysely<never>): Promise<void> {
  for (const statement of [
    // The key of a link has 128 random bits; a new one is made whenever who may read the answer changes.
    `create table shared_answers (
      session_id uuid not null references sessions on delete cascade, message_id uuid not null,
      project_id text not null, viewer_id text not null,
      visibility text not null check (visibility in ('PROJECT', 'LINK')), share_key text not null unique,
      shared_at timestamptz(3) not null default now(), primary key (session_id, message_id))`,
    `create index shared_answers_of_project on shared_answers (project_id, shared_at desc, message_id desc)
      where visibility = 'PROJECT'`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261221: Readonly<Record<string, Migration>> = {
  '20261221-1-shared-answers': { up: sharedAnswers },
};
