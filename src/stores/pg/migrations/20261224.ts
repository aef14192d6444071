import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Boards that members of the project may read who open a link. */
async function boardLinks(db: Kysely<never>): Promise<void> {
  for (const statement of [
    // The key of a link has 128 random bits; a new one is made whenever a board is shared by link again.
    `alter table boards add column share_key text unique,
      add constraint boards_key_of_link check ((visibility = 'LINK') = (share_key is not null))`,
    `create table board_readers (
      project_id text not null, board_id uuid not null references boards on delete cascade, user_id text not null,
      opened_at timestamptz not null default now(), primary key (project_id, board_id, user_id))`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261224: Readonly<Record<string, Migration>> = {
  '20261224-1-board-links': { up: boardLinks },
};
