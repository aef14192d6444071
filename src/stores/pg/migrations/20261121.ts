import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Sessions, turns, messages, the event log and the bodies it refers to.
 *
 * `fillfactor` leaves room beside rows that change with every batch of events, and no index names a column that
 * does, so that Postgres rewrites them in place. Times have milliseconds, as in JavaScript, so that a page can
 * continue at one.
 */
async function sessions(db: Kysely<never>): Promise<void> {
  for (const statement of [...CONVERSATIONS, ...LOG_AND_BODIES]) await sql.raw(statement).execute(db);
}

const CONVERSATIONS = [
  `create table sessions (
     id uuid primary key,
     kind text not null,
     project_id text not null,
     viewer_id text not null,
     title text not null,
     chip_id text,
     qid text,
     task_id text,
     last_seq integer not null default 0,
     created_at timestamptz(3) not null default now(),
     updated_at timestamptz(3) not null default now() -- newest message, not newest event
   ) with (fillfactor = 70)`,
  `create index sessions_of_viewer on sessions (project_id, viewer_id, kind, updated_at desc, id desc)`,

  `create table turns (
     id uuid primary key,
     session_id uuid not null references sessions,
     project_id text not null,
     viewer_id text not null,
     number integer not null, -- order within the session; a superseding turn takes the place of the first one in the queue
     status text not null,
     question_id uuid not null, -- a message; several turns share it after a retry
     answer_id uuid,
     client_message_id text not null, -- the client's, so that asking twice starts one turn
     model text,
     before_seq integer not null, -- seq just before the turn's first event
     rounds integer not null default 0,
     usage json,
     total_tokens integer not null default 0,
     error json,
     owner uuid, -- one start of one runner: a process that starts again is another owner
     batches integer not null default 0, -- batches of events taken from the owner, so that a repeated one is known
     lease_expires_at timestamptz(3),
     cancel_requested_at timestamptz(3),
     cancel_reason text, -- in the words of whoever asked
     created_at timestamptz(3) not null default now(),
     started_at timestamptz(3),
     finished_at timestamptz(3)
   ) with (fillfactor = 70)`,
  `create unique index turns_one_running on turns (session_id) where status = 'RUNNING'`,
  `create index turns_open on turns (viewer_id, session_id) where status in ('RUNNING', 'QUEUED')`,
  `create index turns_of_session on turns (session_id, number desc)`,
  `create index turns_of_viewer on turns (viewer_id, created_at)`,
  `create unique index turns_once on turns (project_id, viewer_id, client_message_id)`,
  `create index turns_of_question on turns (question_id)`,

  `create table messages (
     id uuid primary key,
     session_id uuid not null references sessions,
     turn_id uuid not null references turns, -- of a question: the first turn that answers it
     project_id text not null,
     viewer_id text not null,
     role text not null,
     text text not null,
     blocks json not null,
     freshness json not null,
     model text,
     created_at timestamptz(3) not null default now()
   )`,
  `create index messages_of_turn on messages (turn_id)`,
];

const LOG_AND_BODIES = [
  // No foreign keys: the only statement that writes here holds the session's row, and a check a row would cost it more
  // than the insert itself.
  `create table events (
     session_id uuid not null,
     seq integer not null,
     turn_id uuid not null,
     type text not null,
     payload text not null, -- JSON, replayed as it stands
     created_at timestamptz(3) not null default clock_timestamp(),
     primary key (session_id, seq)
   )`,

  `create table tool_calls (
     id uuid primary key,
     session_id uuid not null,
     turn_id uuid not null,
     call_id text not null, -- the model's, unique among the open calls of a turn only
     tool text not null,
     label text not null,
     description text not null,
     arguments json not null,
     status text not null,
     duration_ms integer,
     data_source text,
     preview text,
     freshness json,
     result_json text,
     error json
   )`,
  `create index tool_calls_of_turn on tool_calls (turn_id, id)`,

  `create table charts (
     id uuid primary key,
     session_id uuid not null,
     turn_id uuid not null,
     call_id text,
     title text not null,
     kind text not null,
     data json not null,
     layout json not null
   )`,
  `create table tables (
     id uuid primary key,
     session_id uuid not null,
     turn_id uuid not null,
     call_id text,
     title text not null,
     columns json not null,
     rows json not null
   )`,

  `create table session_data (
     session_id uuid not null references sessions,
     key text not null,
     body text not null, -- JSON
     bytes integer not null,
     updated_at timestamptz not null default clock_timestamp(), -- to the microsecond: it orders what comes quickly
     primary key (session_id, key)
   )`,
];

/** Attempts to ask a live source within the last minute; older rows go with the project's next attempt. */
async function liveCalls(db: Kysely<never>): Promise<void> {
  await sql`create table live_calls (
    project_id text not null,
    chip_id text not null,
    called_at timestamptz not null default clock_timestamp()
  )`.execute(db);
  await sql`create index live_calls_of_project on live_calls (project_id, called_at)`.execute(db);
}

/** Uploaded tables, whose rows are Parquet files in the data folder, and the conversations that use them. */
async function uploads(db: Kysely<never>): Promise<void> {
  await sql`create table uploads (
    id uuid primary key, -- and the name of its file
    project_id text not null,
    viewer_id text not null,
    name text not null,
    size_bytes integer not null,
    row_count integer not null,
    columns json not null,
    created_at timestamptz(3) not null default now(),
    used_at timestamptz(3) not null default now() -- newest message that named it
  )`.execute(db);
  await sql`create index uploads_by_use on uploads (used_at)`.execute(db);
  // A session that is deleted lets go of its tables; those that no session holds are removed with their files later.
  await sql`create table session_uploads (
    session_id uuid not null references sessions on delete cascade,
    upload_id uuid not null references uploads,
    dataset text not null, -- what tools call it in this session
    added_at timestamptz not null default clock_timestamp(),
    primary key (session_id, upload_id),
    unique (session_id, dataset)
  )`.execute(db);
  await sql`create index session_uploads_of_upload on session_uploads (upload_id)`.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261121: Readonly<Record<string, Migration>> = {
  '20261121-1-sessions': { up: sessions },
  '20261121-2-live-calls': { up: liveCalls },
  '20261121-3-uploads': { up: uploads },
};
