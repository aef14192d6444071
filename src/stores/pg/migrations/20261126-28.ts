import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Jobs, the turns that are their phases, and the datasources that they were made with. Who works on one, and
 * which wait, is the business of the queue, whose tables are in a schema of its own. Uploads may now be texts as
 * well.
 */
async function jobs(db: Kysely<never>): Promise<void> {
  for (const statement of JOBS_STATEMENTS) await sql.raw(statement).execute(db);
}

const JOBS_STATEMENTS = [
  `create table jobs (
     id uuid primary key,
     session_id uuid not null unique references sessions,
     project_id text not null,
     viewer_id text not null,
     expert_id text,
     expert_hash text, -- what the expert was when the job was made
     description text not null,
     instructions text not null, -- in effect, byte for byte
     instructions_source text not null,
     config_override json,
     resolved_config json not null,
     chip_id text,
     context json,
     idempotency_key text not null,
     request_hash text not null, -- distinguishes a repeated request from another one under its key
     status text not null,
     error json,
     review_note text,
     run integer not null default 1, -- how often it was queued
     claim integer not null default 0, -- changes with every worker that takes it: older ones can do nothing more
     tries_left integer not null default 1, -- workers that this run may still lose
     deadline_at timestamptz(3), -- of the run
     tokens_before bigint not null default 0, -- of its session, when the run began
     phases_before integer not null default 0,
     created_at timestamptz(3) not null default now(),
     started_at timestamptz(3),
     finished_at timestamptz(3),
     changed_at timestamptz not null default clock_timestamp(),
     unique (project_id, viewer_id, idempotency_key)
   ) with (fillfactor = 70)`,
  `create index jobs_of_viewer on jobs (project_id, viewer_id, created_at desc, id desc)`,

  `create table job_turns (
     turn_id uuid primary key references turns on delete cascade,
     job_id uuid not null references jobs on delete cascade,
     run integer not null,
     phase integer not null,
     kind text not null,
     decision json
   )`,
  `create index job_turns_of_job on job_turns (job_id, turn_id)`,

  `create table job_datasources (
     job_id uuid not null references jobs on delete cascade,
     position integer not null,
     snapshot json not null, -- what it was then, without address and credentials
     primary key (job_id, position)
   )`,

  // Null: a table, whose rows are in a file.
  `alter table uploads add column text text`,
];

/** Jobs that a model proposed, until the user opens them in the form. */
async function jobDrafts(db: Kysely<never>): Promise<void> {
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

/** The few events that record how an answer came about are found without reading the whole turn. */
async function turnNotices(db: Kysely<never>): Promise<void> {
  await sql`create index events_of_notice on events (turn_id, seq)
    where type in ('SourceFallbackEvent', 'StepResetEvent')`.execute(db);
}

/**
 * When a user opened a proposed job, which is then kept. For existing ones this is unknown: they are kept,
 * too.
 */
async function openedDrafts(db: Kysely<never>): Promise<void> {
  await sql`alter table job_drafts add column opened_at timestamptz`.execute(db);
  await sql`update job_drafts set opened_at = now()`.execute(db);
  await sql`create index job_drafts_never_opened on job_drafts (created_at) where opened_at is null`.execute(
    db,
  );
}

/** Answers compute ages with the clock of the app, which may differ from the database's. */
async function turnAsOf(db: Kysely<never>): Promise<void> {
  await sql`alter table turns add column as_of timestamptz -- the app's time at its start; null while it waits`.execute(
    db,
  );
}

/** These migrations by name. */
export const MIGRATIONS_20261126_28: Readonly<Record<string, Migration>> = {
  '20261126-1-jobs': { up: jobs },
  '20261127-1-job-drafts': { up: jobDrafts },
  '20261128-1-turn-notices': { up: turnNotices },
  '20261128-2-opened-drafts': { up: openedDrafts },
  '20261128-3-turn-as-of': { up: turnAsOf },
};
