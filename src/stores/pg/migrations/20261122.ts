import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Turns form a tree: editing a message or asking it again begins a branch beside the old turn, which stays. Turns of
 * before get the place that they were shown in: one after the other, a retry beside the turn that it repeats.
 */
async function branches(db: Kysely<never>): Promise<void> {
  await sql`alter table turns
    add column parent_id uuid, -- the turn that it follows; null for the first of a session and what stands beside that
    add column replaces_id uuid, -- the turn in whose place it was asked: of an edited message or a retry
    add column disputed_id uuid -- the message whose values it is to verify
  `.execute(db);
  await sql`
    update turns set
      replaces_id = (
        select first.id from turns as first
        where first.session_id = turns.session_id and first.question_id = turns.question_id
          and first.number < turns.number
        order by first.number limit 1
      ),
      parent_id = (
        select before.id from turns as before
        where before.session_id = turns.session_id and before.number < (
          select min(first.number) from turns as first
          where first.session_id = turns.session_id and first.question_id = turns.question_id
        )
        order by before.number desc limit 1
      )
  `.execute(db);
  await sql`create index turns_of_parent on turns (parent_id)`.execute(db);
}

/** What users think of answers: one row a user and answer, the newest one. */
async function ratings(db: Kysely<never>): Promise<void> {
  await sql`create table ratings (
    message_id uuid not null references messages on delete cascade,
    viewer_id text not null,
    rating smallint not null check (rating between 1 and 5),
    kind text,
    comment text,
    corrected_answer text,
    rated_at timestamptz(3) not null default now(),
    primary key (message_id, viewer_id)
  )`.execute(db);
}

/** What stays of a deleted session: that it was deleted, and what its turns count for in the limits of their day. */
async function deletions(db: Kysely<never>): Promise<void> {
  await sql`create table deleted_sessions (
    id uuid primary key,
    project_id text not null,
    viewer_id text not null,
    deleted_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create table deleted_turns (
    viewer_id text not null,
    created_at timestamptz(3) not null,
    total_tokens integer not null
  )`.execute(db);
  await sql`create index deleted_turns_of_viewer on deleted_turns (viewer_id, created_at)`.execute(db);
  // Without these a deletion would read every row of every session.
  for (const table of ['messages', 'tool_calls', 'charts', 'tables']) {
    await sql`create index ${sql.ref(`${table}_of_session`)} on ${sql.table(table)} (session_id)`.execute(db);
  }
}

/**
 * What is stored with an answer besides its text. Messages of before were stored as the model wrote them, tables
 * included.
 */
async function assessments(db: Kysely<never>): Promise<void> {
  await sql`alter table messages
    add column assessment text, -- the model's own; null where it gave none
    add column stripped_tables integer not null default 0, -- left out of the text, for the answer shows the results itself
    add column unverified_table boolean not null default false -- whether the text holds a table of the model's own
  `.execute(db);
}

/** Kept results remember how old their rows are, so that what is computed from them later does too. */
async function keptFreshness(db: Kysely<never>): Promise<void> {
  await sql`alter table session_data add column freshness json -- null where its rows have no age`.execute(
    db,
  );
}

/**
 * Tokens are counted where they are spent, so that no budget is a sum over turns: for a session in its row, for a
 * user and for a project by UTC day, and for running turns what is set aside for them.
 */
async function tokenUsage(db: Kysely<never>): Promise<void> {
  for (const statement of [...COUNTERS, ...WHAT_WAS_SPENT, ...NO_LONGER_READ]) {
    await sql.raw(statement).execute(db);
  }
}

const COUNTERS = [
  `alter table sessions
     add column input_tokens bigint not null default 0,
     add column output_tokens bigint not null default 0,
     add column cached_tokens bigint not null default 0,
     add column cost_usd double precision default 0 -- null once a turn counted whose model has no price`,
  `create table daily_usage (
     scope text not null, -- VIEWER or PROJECT
     id text not null,
     day date not null, -- UTC, of the end of the turn
     input_tokens bigint not null,
     output_tokens bigint not null,
     cached_tokens bigint not null,
     cost_usd double precision,
     primary key (scope, id, day)
   )`,
  // No index but the key: there are as many rows as turns that run.
  `create table token_holds (
     turn_id uuid primary key references turns on delete cascade,
     session_id uuid not null,
     viewer_id text not null,
     project_id text not null,
     tokens integer not null -- spent so far, and what the next model call may need
   )`,
];

const TOTALS = `
  coalesce(sum((usage ->> 'inputTokens')::bigint), 0),
  coalesce(sum((usage ->> 'outputTokens')::bigint), 0),
  coalesce(sum((usage ->> 'cachedTokens')::bigint), 0),
  case when bool_or(usage is not null and total_tokens > 0 and usage ->> 'costUsd' is null) then null
    else coalesce(sum((usage ->> 'costUsd')::float8), 0) end`;

const WHAT_WAS_SPENT = [
  `update sessions set (input_tokens, output_tokens, cached_tokens, cost_usd) =
     (select ${TOTALS} from turns where turns.session_id = sessions.id)`,
  ...['viewer', 'project'].map(
    (who) => `
     insert into daily_usage
     select '${who.toUpperCase()}', ${who}_id, (finished_at at time zone 'UTC')::date, ${TOTALS}
     from turns where finished_at > now() - interval '2 days' group by 2, 3`,
  ),
];

const NO_LONGER_READ = [
  'alter table turns drop column total_tokens',
  'alter table deleted_turns drop column total_tokens',
];

/**
 * Pictures that come with questions. An edited question has copies of its own, so that a branch can be read
 * alone.
 */
async function messageImages(db: Kysely<never>): Promise<void> {
  await sql`create table message_images (
    id uuid primary key,
    session_id uuid not null references sessions,
    message_id uuid not null,
    project_id text not null,
    viewer_id text not null,
    position integer not null, -- from 0, in the order in which they were sent
    media_type text not null,
    width integer not null,
    height integer not null,
    body bytea not null,
    digest text not null, -- SHA-256 of the body
    unique (message_id, position)
  )`.execute(db);
  // Pictures are compressed already.
  await sql`alter table message_images alter column body set storage external`.execute(db);
  await sql`create index message_images_of_session on message_images (session_id)`.execute(db);
}

/** Summaries that stand for the older turns of a branch, and how far off a turn's estimate of tokens was. */
async function summaries(db: Kysely<never>): Promise<void> {
  await sql`create table summaries (
    id uuid primary key,
    session_id uuid not null references sessions,
    project_id text not null,
    viewer_id text not null,
    through_turn_id uuid not null unique, -- the newest turn that it stands for; the older ones are those before it
    message_count integer not null,
    text text not null,
    model text not null,
    created_at timestamptz(3) not null default now()
  )`.execute(db);
  await sql`create index summaries_of_session on summaries (session_id)`.execute(db);
  await sql`alter table turns
    add column tokens_per_estimate real -- tokens that the provider counted for each one that was guessed`.execute(
    db,
  );
}

/** What each model call of a turn was asked and answered, for looking at a turn again. */
async function stepRecords(db: Kysely<never>): Promise<void> {
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

/** These migrations by name. */
export const MIGRATIONS_20261122: Readonly<Record<string, Migration>> = {
  '20261122-1-branches': { up: branches },
  '20261122-2-ratings': { up: ratings },
  '20261122-3-deletions': { up: deletions },
  '20261122-4-assessments': { up: assessments },
  '20261122-5-kept-freshness': { up: keptFreshness },
  '20261122-6-token-usage': { up: tokenUsage },
  '20261122-7-message-images': { up: messageImages },
  '20261122-8-summaries': { up: summaries },
  '20261122-9-step-records': { up: stepRecords },
};
