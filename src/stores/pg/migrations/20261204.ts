import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What a message needs before it is stored, in one round trip: the count of what was started for the
 * viewer (`viewer-transaction.ts`), the turn that the client's id started before, the conversation's
 * row, and the viewer's activity. Each statement of a function sees what was committed before it
 * began: the reads see what the lock of the row waited for, and no start that the count does not.
 */
async function openMessage(db: Kysely<never>): Promise<void> {
  await sql`
    create function activity_of(of_viewer text, of_project text, of_session uuid)
    returns json language sql volatile as $$
      with recent as (
        select turns.created_at from turns join sessions on sessions.id = session_id
        where turns.viewer_id = of_viewer and kind <> 'JOB' and turns.created_at > now() - interval '1 minute'
        union all
        select created_at from deleted_turns
        where viewer_id = of_viewer and created_at > now() - interval '1 minute'
      ), other as (
        select bool_or(status = 'RUNNING') as runs from turns join sessions on sessions.id = session_id
        where turns.viewer_id = of_viewer and kind <> 'JOB' and session_id is distinct from of_session
          and status in ('RUNNING', 'QUEUED')
        group by session_id
      ), charged as (
        select scope, charged_tokens from daily_usage
        where (scope, id) in (('VIEWER', of_viewer), ('PROJECT', of_project))
          and day = (now() at time zone 'UTC')::date
      )
      select json_build_object(
        'open', (select coalesce(json_agg(json_build_object('id', id, 'status', status)
            order by status = 'RUNNING' desc, number), '[]')
          from turns where session_id = of_session and status in ('RUNNING', 'QUEUED')),
        'lacks', array_remove(array[
          case when not exists (select from session_uploads where session_id = of_session) then 'TABLES' end,
          case when not exists (select from session_data where session_id = of_session) then 'KEPT_DATA' end], null),
        'turnsLastMinute', (select count(*) from recent),
        'minuteOverInMs', (select coalesce(ceil(60000 - 1000 * extract(epoch from now() - min(created_at))), 0)
          from recent),
        'otherRunningSessions', (select count(*) from other where runs),
        'otherWaitingSessions', (select count(*) from other where not runs),
        'spent', json_build_object(
          'bySession', coalesce((select charged_tokens from sessions where id = of_session), 0),
          'byViewerToday', coalesce((select charged_tokens from charged where scope = 'VIEWER'), 0),
          'byProjectToday', coalesce((select charged_tokens from charged where scope = 'PROJECT'), 0)))
    $$
  `.execute(db);
  await sql`
    create function open_message(of_viewer text, of_project text, of_client_message text, of_session uuid)
    returns table (started_id uuid, session sessions, activity json) language plpgsql as $$
    begin
      perform set_config('qpilot.viewer', of_viewer, true), set_config('qpilot.starts',
        coalesce((select count from viewer_starts where viewer_id = of_viewer), 0)::text, true);
      select id into started_id from turns
      where project_id = of_project and viewer_id = of_viewer and client_message_id = of_client_message;
      if started_id is null then
        select * into session from sessions
        where id = of_session and project_id = of_project and viewer_id = of_viewer for update;
        select activity_of(of_viewer, of_project, of_session) into activity;
      end if;
      return next;
    end $$
  `.execute(db);
}

/** Locks the session, then the turn, and reads the turn's events if it may be ended, in one round trip. */
async function takeTurn(db: Kysely<never>): Promise<void> {
  await sql`
    create function take_turn(
      of_turn uuid, of_session uuid, in_status text, of_owner uuid, is_expired boolean, waits boolean
    ) returns table (turn turns, log json) language plpgsql as $$
    begin
      if waits then
        perform from sessions where id = of_session for update;
      else
        perform from sessions where id = of_session for update skip locked;
      end if;
      if not found then return; end if;
      if not waits then
        perform from turns where id = of_turn for update skip locked;
        if not found then return; end if;
      end if;
      select * into turn from turns
      where id = of_turn and session_id = of_session and status = in_status
        and (of_owner is null or owner = of_owner) and (not is_expired or lease_expires_at < now())
      for update;
      if not found then return; end if;
      select json_agg(json_build_object('type', type, 'payload', payload::json) order by seq) into log
      from events where session_id = of_session and seq > turn.before_seq and turn_id = of_turn;
      return next;
    end $$
  `.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261204: Readonly<Record<string, Migration>> = {
  '20261204-1-open-message': { up: openMessage },
  '20261204-2-take-turn': { up: takeTurn },
};
