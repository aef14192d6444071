import { type Kysely, sql } from 'kysely';

/** Jobs that a model proposed, until the user opens them in the form. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table job_drafts (
    id uuid primary key,
    project_id text not null,
    viewer_id text not null,
    expert_id text not null,
    description text not null,
    instructions text,
    config_override json,
    chip_id text,
    context json not null,
    created_at timestamptz not null default now()
  )`.execute(db);
}
