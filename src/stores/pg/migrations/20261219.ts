import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Boards: queries that are read anew whenever one is opened. */
async function boards(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create table boards (
      id uuid primary key, project_id text not null, viewer_id text not null,
      title text not null, visibility text not null, version integer not null,
      range json, -- null: each item has its own times
      items json not null,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now())`,
    `create index boards_of_project on boards (project_id, updated_at desc, id desc)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261219: Readonly<Record<string, Migration>> = {
  '20261219-1-boards': { up: boards },
};
