import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who may do what in which project. Projects and users live elsewhere, so neither is a foreign key. */
async function members(db: Kysely<never>): Promise<void> {
  await sql`
    create table members (
      project_id text not null,
      user_id text not null,
      role text not null check (role in ('viewer', 'editor', 'admin', 'owner')),
      added_by text, -- null: the door, which takes the first owner and groups of a provider
      added_at timestamptz not null default now(),
      primary key (project_id, user_id)
    )
  `.execute(db);
  await sql`create index members_of_user on members (user_id)`.execute(db);
}

/** Who made an expert may change it; until now anybody could, so the last to save it counts. */
async function makersOfExperts(db: Kysely<never>): Promise<void> {
  await sql`alter table saved_experts add column created_by text`.execute(db);
  await sql`update saved_experts set created_by = author_id`.execute(db);
  await sql`alter table saved_experts alter column created_by set not null`.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261202: Readonly<Record<string, Migration>> = {
  '20261202-1-members': { up: members },
  '20261202-2-makers-of-experts': { up: makersOfExperts },
};
