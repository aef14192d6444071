import { type Kysely, sql } from 'kysely';

/**
 * Tokens are counted where they are spent, so that no budget is a sum over turns: for a session in its row, for a user
 * and for a project by UTC day, and for running turns what is set aside for them.
 */
export async function up(db: Kysely<never>): Promise<void> {
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
