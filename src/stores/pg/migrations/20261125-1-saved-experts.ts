import { type Kysely, sql } from 'kysely';

/** Experts that users saved, by project; shipped ones are files. `config` is one layer over the defaults. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table saved_experts (
    project_id text not null,
    expert_id text not null,
    display_name text not null,
    description text,
    icon text,
    color text,
    tags json not null,
    instructions text not null,
    config json not null,
    version integer not null check (version > 0),
    author_id text not null,
    created_at timestamptz(3) not null default now(),
    saved_at timestamptz(3) not null default now(),
    primary key (project_id, expert_id)
  )`.execute(db);
}
