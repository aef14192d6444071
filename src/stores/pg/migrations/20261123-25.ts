import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What each user uploaded in a UTC day, refused and removed files included: it is the work that is limited. */
async function dailyUploads(db: Kysely<never>): Promise<void> {
  await sql`create table daily_uploads (
    viewer_id text not null,
    day date not null,
    files integer not null,
    bytes bigint not null,
    primary key (viewer_id, day)
  )`.execute(db);
}

/** A turn belongs to the trace of the request that asked for it, whichever process answers it and when. */
async function turnTraces(db: Kysely<never>): Promise<void> {
  await sql`alter table turns add column traceparent text -- W3C; null without tracing`.execute(db);
}

/**
 * What builder sessions have beyond other sessions. Their messages, turns, events and summaries are the common ones;
 * `builder_sessions` and `builder_messages` show them with the columns that the specification of the builder names.
 */
async function builder(db: Kysely<never>): Promise<void> {
  for (const statement of [...BUILDER_TABLES, ...VIEWS]) await sql.raw(statement).execute(db);
}

const BUILDER_TABLES = [
  `create table builder_drafts (
     session_id uuid primary key references sessions,
     project_id text not null,
     viewer_id text not null,
     expert_id varchar(100),
     client_request_id text, -- the client's, so that asking twice makes one session
     strict boolean not null default false,
     review boolean not null default false,
     reopened_at timestamptz(3)
   )`,
  `create unique index builder_drafts_once on builder_drafts (project_id, viewer_id, client_request_id)`,

  `create table builder_artifact_revisions (
     session_id uuid not null references sessions,
     revision integer not null,
     author text not null,
     turn_id uuid,
     call_id text,
     instructions text,
     config json,
     description text,
     created_at timestamptz(3) not null default clock_timestamp(),
     primary key (session_id, revision)
   )`,
  `create table builder_proposals (
     session_id uuid primary key references sessions,
     turn_id uuid not null,
     instructions text,
     config json,
     description text
   )`,

  // No foreign key to the job: what a job keeps of its builder session it copies.
  `create table builder_links (
     job_id uuid primary key,
     session_id uuid not null references sessions,
     revision integer not null, -- of the artifacts that the job was made with
     linked_at timestamptz(3) not null default clock_timestamp()
   )`,
  `create index builder_links_of_session on builder_links (session_id, linked_at desc)`,
];

const VIEWS = [
  `create view builder_sessions as
     select sessions.id, link.job_id, draft.expert_id, sessions.created_at, sessions.updated_at, summary.text as summary,
       sessions.project_id, sessions.viewer_id, sessions.title, sessions.last_seq, draft.strict, draft.review,
       coalesce(newest.revision, 0) as revision,
       link.job_id is not null and (draft.reopened_at is null or draft.reopened_at < link.linked_at) as is_linked
     from sessions
       join builder_drafts draft on draft.session_id = sessions.id
       left join lateral (
         select job_id, linked_at from builder_links where session_id = sessions.id order by linked_at desc limit 1
       ) link on true
       left join lateral (
         select revision from builder_artifact_revisions where session_id = sessions.id order by revision desc limit 1
       ) newest on true
       left join lateral (
         select text from summaries where session_id = sessions.id order by message_count desc limit 1
       ) summary on true`,
  `create view builder_messages as
     select messages.id, messages.session_id, lower(messages.role)::varchar(20) as role, messages.text as content,
       case when messages.role = 'ASSISTANT' then (
         select jsonb_agg(jsonb_build_object('tool', tool, 'args', arguments, 'status', status) order by id)
         from tool_calls where turn_id = messages.turn_id
       ) end as tool_calls,
       messages.created_at, messages.turn_id
     from messages join builder_drafts draft on draft.session_id = messages.session_id`,
];

/** Experts that users saved, by project; shipped ones are files. `config` is one layer over the defaults. */
async function savedExperts(db: Kysely<never>): Promise<void> {
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

/** These migrations by name. */
export const MIGRATIONS_20261123_25: Readonly<Record<string, Migration>> = {
  '20261123-1-daily-uploads': { up: dailyUploads },
  '20261123-2-turn-traces': { up: turnTraces },
  '20261124-1-builder': { up: builder },
  '20261125-1-saved-experts': { up: savedExperts },
};
