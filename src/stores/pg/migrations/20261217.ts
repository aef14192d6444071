import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Budgets of a day, and what was used of them. */
async function budgets(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create table budgets (
      project_id text not null,
      person_id text not null, -- of a member; '*': of each member without one, '': of the whole project
      tokens float8, cost_usd float8, turns float8, -- a day; null: as set for all, else by configuration
      set_by text not null, set_at timestamptz not null default now(),
      primary key (project_id, person_id))`,
    `alter table daily_usage add column turns integer not null default 0`,
    // Also of a member within a project: scope MEMBER, whose id is made here.
    `create function member_key(of_project text, of_viewer text) returns text language sql immutable as $$
      select of_project || E'\\n' || of_viewer
    $$`,
    // defaults: {"member": {"tokens", "costUsd", "turns"}, "project": …}, as the result, whose parts are {"used", "limit"}.
    `create function budgets_of(of_project text, of_viewer text, defaults jsonb) returns json language sql stable as $$
      with today as (
        select scope, charged_tokens, cost_usd, turns from daily_usage
        where (scope, id) in (('MEMBER', member_key(of_project, of_viewer)), ('PROJECT', of_project))
          and day = (now() at time zone 'UTC')::date
      ), open as (
        select count(*) as of_all, count(*) filter (where viewer_id = of_viewer) as of_member
        from turns where project_id = of_project and status in ('RUNNING', 'QUEUED')
      ), part as (
        select 'member' as name, 'MEMBER' as scope, array[of_viewer, '*'] as whose, of_member as open from open
        union all select 'project', 'PROJECT', array[''], of_all from open
      ), bound as (
        select part.name, part.open, today.*, (
          select jsonb_build_object(
            'tokens', (array_agg(tokens order by person_id = '*') filter (where tokens is not null))[1],
            'costUsd', (array_agg(cost_usd order by person_id = '*') filter (where cost_usd is not null))[1],
            'turns', (array_agg(turns order by person_id = '*') filter (where turns is not null))[1])
          from budgets where project_id = of_project and person_id = any(part.whose)) as set_to
        from part left join today on today.scope = part.scope
      )
      select json_object_agg(name, json_build_object(
        'tokens', json_build_object('used', coalesce(charged_tokens, 0),
          'limit', coalesce((set_to ->> 'tokens')::float8, (defaults -> name ->> 'tokens')::float8)),
        'costUsd', json_build_object('used', coalesce(cost_usd, 0),
          'limit', coalesce((set_to ->> 'costUsd')::float8, (defaults -> name ->> 'costUsd')::float8)),
        'turns', json_build_object('used', coalesce(bound.turns, 0) + bound.open,
          'limit', coalesce((set_to ->> 'turns')::float8, (defaults -> name ->> 'turns')::float8))))
      from bound
    $$`,
    // As `hold_tokens`, which servers of the version before call, within the budgets as well.
    `create function hold_within_budgets(
      turn uuid, of_session uuid, of_viewer text, of_project text,
      wanted float8, session_limit float8, viewer_limit float8, project_limit float8, defaults jsonb
    ) returns json language plpgsql as $$
    declare
      found_budgets json; held_member float8; held_project float8; room float8;
    begin
      -- In the order of hold_tokens, which avoids deadlocks.
      perform pg_advisory_xact_lock(hashtextextended('tokens of viewer ' || of_viewer, 0));
      perform pg_advisory_xact_lock(hashtextextended('tokens of project ' || of_project, 0));
      -- One statement, so that a turn that ends meanwhile counts either as held or as spent.
      select budgets_of(of_project, of_viewer, defaults),
        coalesce(sum(tokens) filter (where token_holds.viewer_id = of_viewer), 0), coalesce(sum(tokens), 0)
      into found_budgets, held_member, held_project
      from token_holds join turns on turns.id = token_holds.turn_id
      where turn_id <> turn and token_holds.project_id = of_project
        and turns.status = 'RUNNING' and turns.lease_expires_at > now();
      room := least(
        coalesce((found_budgets #>> '{member,tokens,limit}')::float8, 'Infinity')
          - (found_budgets #>> '{member,tokens,used}')::float8 - held_member,
        coalesce((found_budgets #>> '{project,tokens,limit}')::float8, 'Infinity')
          - (found_budgets #>> '{project,tokens,used}')::float8 - held_project);
      if (found_budgets #>> '{member,costUsd,used}')::float8 >= (found_budgets #>> '{member,costUsd,limit}')::float8
        or (found_budgets #>> '{project,costUsd,used}')::float8 >= (found_budgets #>> '{project,costUsd,limit}')::float8
      then room := 0; end if;
      return (hold_tokens(turn, of_session, of_viewer, of_project, least(wanted, greatest(0, room)),
        session_limit, viewer_limit, project_limit))::jsonb
        || jsonb_build_object('budgets', found_budgets::jsonb, 'heldByMember', held_member);
    end $$`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261217: Readonly<Record<string, Migration>> = {
  '20261217-1-budgets': { up: budgets },
};
