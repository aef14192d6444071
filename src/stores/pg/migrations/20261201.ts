import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Reserving tokens in one round trip: locks, reading what others took, and the reservation. Each statement of a function
 * sees what was committed before it began, so the reads see what the locks waited for.
 */
async function holdTokens(db: Kysely<never>): Promise<void> {
  await sql`
    create function hold_tokens(
      turn uuid, of_session uuid, of_viewer text, of_project text,
      wanted float8, session_limit float8, viewer_limit float8, project_limit float8
    ) returns json language plpgsql as $$
    declare
      today date := (now() at time zone 'UTC')::date;
      spent_session float8; spent_viewer float8; spent_project float8;
      held_session float8; held_viewer float8; held_project float8;
    begin
      -- Always in this order, which avoids deadlocks.
      perform pg_advisory_xact_lock(hashtextextended('tokens of viewer ' || of_viewer, 0));
      perform pg_advisory_xact_lock(hashtextextended('tokens of project ' || of_project, 0));
      -- One statement, so that a turn that ends meanwhile counts either as held or as spent.
      select
        coalesce((select charged_tokens from sessions where id = of_session), 0),
        coalesce((select charged_tokens from daily_usage
          where scope = 'VIEWER' and id = of_viewer and day = today), 0),
        coalesce((select charged_tokens from daily_usage
          where scope = 'PROJECT' and id = of_project and day = today), 0),
        coalesce(sum(tokens) filter (where token_holds.session_id = of_session), 0),
        coalesce(sum(tokens) filter (where token_holds.viewer_id = of_viewer), 0),
        coalesce(sum(tokens) filter (where token_holds.project_id = of_project), 0)
      into spent_session, spent_viewer, spent_project, held_session, held_viewer, held_project
      from token_holds join turns on turns.id = token_holds.turn_id
      where turn_id <> turn and turns.status = 'RUNNING' and turns.lease_expires_at > now();
      insert into token_holds (turn_id, session_id, viewer_id, project_id, tokens)
      select id, session_id, viewer_id, project_id, floor(greatest(0, least(
        wanted, session_limit - spent_session - held_session, viewer_limit - spent_viewer - held_viewer,
        project_limit - spent_project - held_project)))
      from turns where id = turn and status = 'RUNNING'
      on conflict (turn_id) do update set tokens = excluded.tokens;
      return json_build_object(
        'spent', json_build_object(
          'bySession', spent_session, 'byViewerToday', spent_viewer, 'byProjectToday', spent_project),
        'held', json_build_object(
          'bySession', held_session, 'byViewerToday', held_viewer, 'byProjectToday', held_project));
    end $$
  `.execute(db);
}

/**
 * What takes most room in a turn, stored small: results of tools compressed, and the prompt of a model call once for all
 * calls that were sent the same, where tools are. What is stored already stays as it is.
 */
async function smallerTurns(db: Kysely<never>): Promise<void> {
  for (const statement of [
    // zstd; a result has one of the two columns. Stored as it is, since Postgres cannot compress it further.
    `alter table tool_calls add column result_zstd bytea`,
    `alter table tool_calls alter column result_zstd set storage external`,
    // Null: the instructions are in the body.
    `alter table step_records add column prompt_hash text references tool_schemas`,
    `create index step_records_of_prompt on step_records (prompt_hash)`,
    `create index step_records_of_tools on step_records (tools_hash)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261201: Readonly<Record<string, Migration>> = {
  '20261201-1-hold-tokens': { up: holdTokens },
  '20261201-2-smaller-turns': { up: smallerTurns },
};
