import { type Kysely, sql } from 'kysely';

/** What each model call of a turn was asked and answered, for looking at a turn again. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table tool_schemas (
    hash text primary key,
    schemas text not null -- JSON
  )`.execute(db);
  await sql`create table step_records (
    turn_id uuid not null references turns on delete cascade,
    number integer not null, -- of the turn's model calls, from 1
    tools_hash text not null references tool_schemas,
    body text not null, -- JSON
    created_at timestamptz(3) not null default now(),
    primary key (turn_id, number)
  )`.execute(db);
}
