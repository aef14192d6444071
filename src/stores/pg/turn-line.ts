/**
 * The line of conversations whose first turn waits for a free place. It is fair: a user's second turn counts behind
 * everybody's first, and among equals the oldest goes first. That is the order of each look at the line; places that
 * become free while a look is under way go to turns that it listed, or to those that are sent at that moment. Phases of
 * jobs wait in their own queue.
 */
import { sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import { PREPARED, readOne, type Db, type Tx } from './database.ts';
import { inOrder, isOneOf, isReadableBy } from './ids.ts';

/** A conversation whose first turn may start. */
export type InLine = { readonly sessionId: string; readonly viewerId: string };

/** `nth` is the number of conversations of the same user that are answered before it or at the same time, plus 1. */
const LINE = sql`${PREPARED}
  with open as (
    select turns.id, session_id, turns.viewer_id, number, status, turns.created_at
    from turns join sessions on sessions.id = session_id
    where status in ('RUNNING', 'QUEUED') and kind <> 'JOB'
  ), waiting as (
    select distinct on (session_id) * from open
    where session_id not in (select session_id from open where status = 'RUNNING')
    order by session_id, number
  ), answered as (
    select viewer_id, count(*) as turns from open where status = 'RUNNING' group by viewer_id
  ), counted as (
    select id, session_id, viewer_id, created_at,
      coalesce(turns, 0) + row_number() over (partition by viewer_id order by created_at, id) as nth
    from waiting left join answered using (viewer_id)
  ), line as (
    select id, session_id, viewer_id, nth, row_number() over (order by nth, created_at, id) as place from counted
  )`;

/** At most `most` that may start, the next one first; of each user only as many as `turnsPerUser` leaves room for. */
export async function nextInLine(
  db: Db,
  { turnsPerUser, most }: { readonly turnsPerUser: number; readonly most: number },
): Promise<readonly InLine[]> {
  const { rows } = await sql<InLine>`${LINE}
    select session_id as "sessionId", viewer_id as "viewerId" from line
    where nth <= ${turnsPerUser} order by place limit ${most}
  `.execute(db);
  return rows;
}

/** For each of the viewer's turns how many start before it; null unless it is the first of an idle conversation. */
export async function countAhead(
  db: Db,
  viewer: Viewer,
  turnIds: readonly string[],
): Promise<(number | null)[]> {
  const { rows } = await sql<{ readonly id: string; readonly ahead: number }>`${LINE}
    select line.id, (place - 1)::int as ahead from line join turns on turns.id = line.id
    where ${isOneOf('line.id', turnIds)} and ${isReadableBy(viewer, 'turns', 'turns.session_id')}
  `.execute(db);
  return inOrder(turnIds, rows).map((row) => row?.ahead ?? null);
}

/** Conversations of the viewer that are being answered, whatever their project. */
export async function countAnswered(tx: Tx, viewerId: string): Promise<number> {
  const statement = sql<{ readonly count: number }>`
    select count(*)::int as count from turns join sessions on sessions.id = session_id
    where turns.viewer_id = ${viewerId} and status = 'RUNNING' and kind <> 'JOB'
  `;
  return (await readOne(statement, tx)).count;
}
