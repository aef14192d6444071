import { type RawBuilder, sql } from 'kysely';
import type { Pool } from 'pg';
import {
  type NewSessionEvent,
  type SessionEvent,
  type SessionEventType,
  NOTICE_EVENTS,
} from '../../domain/conversation/session-event.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import { readOne, type Db, type Tx } from './database.ts';
import { findPackedEvents, readNextPage, type EventRow } from './event-pages.ts';
import { inGroups, isOneOf, isReadableBy } from './ids.ts';

/** Channel of wake-ups for growing logs; the payload is the session's id. */
export const EVENTS_CHANNEL = 'qpilot_events';
/** Channel of wake-ups for changed turns, such as a requested cancel; the payload is the session's id. */
export const TURNS_CHANNEL = 'qpilot_turns';

/**
 * Adds events of any turn to the log of a session whose row the caller has locked; readers are woken when the
 * transaction commits. Returns the `seq` of the last one. `also`: what else changes in the session's row.
 */
export async function insertEvents(
  tx: Tx,
  sessionId: string,
  turnId: string,
  events: readonly NewSessionEvent[],
  also: RawBuilder<unknown> | null = null,
): Promise<number> {
  const statement = sql<{ readonly lastSeq: number }>`
    with ${grownLog(sessionId, turnId, events, also)}
    select last_seq as "lastSeq", ${WAKES} from log`;
  return (await readOne(statement, tx)).lastSeq;
}

/**
 * CTEs that add events to a log, as {@link insertEvents}; `log` has the session's `id` and `last_seq`. `also`: what else
 * changes in its row. The statement selects {@link WAKES} from `log`.
 */
export const grownLog = (
  sessionId: string,
  turnId: string,
  events: readonly NewSessionEvent[],
  also: RawBuilder<unknown> | null,
) => sql`
  log as (
    update sessions set last_seq = last_seq + ${events.length} ${also === null ? sql`` : sql`, ${also}`}
    where id = ${sessionId} returning id, last_seq
  ), stored as (
    insert into events (session_id, seq, turn_id, type, payload)
    select log.id, log.last_seq - ${events.length} + event.place, ${turnId}::uuid, event.type, event.payload
    from log, unnest(${events.map(({ type }) => type)}::text[],
      ${events.map(({ payload }) => toStoredJson(payload))}::text[])
      with ordinality as event (type, payload, place)
  )`;

/** Puts a session at the top of its owner's list. */
export const ON_TOP = sql`updated_at = now()`;
/** Wakes the readers of `log` once the transaction commits. */
export const WAKES = sql`pg_notify(${sql.lit(EVENTS_CHANNEL)}, log.id::text)`;

/** Wakes every process that listens, once the transaction commits. */
export async function notify(tx: Tx, channel: string, sessionId: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${sessionId})`.execute(tx);
}

/** Up to `limit` events of a session after `afterSeq`, in order; fewer only at the end of the log. */
export async function readEvents(
  pool: Pool,
  sessionId: string,
  afterSeq: number,
  limit: number,
): Promise<SessionEvent[]> {
  const read: EventRow[] = [];
  while (read.length < limit) {
    const cursor = read.at(-1)?.seq ?? afterSeq;
    const { rows } = await pool.query<EventRow>({
      name: 'read-events',
      text: `select seq, turn_id, type, payload, created_at from events
             where session_id = $1 and seq > $2 order by seq limit $3`,
      values: [sessionId, cursor, limit - read.length],
    });
    // Pages come before rows; a page that is made meanwhile is found, since it is looked for later.
    const isNext = rows[0]?.seq === cursor + 1;
    const page = isNext ? [] : await readNextPage(pool, sessionId, cursor);
    read.push(...(page.length > 0 ? page : rows).slice(0, limit - read.length));
    if (page.length === 0) break;
  }
  return read.map((row) => toEvent(sessionId, row));
}

/** `seq` of the newest event of a session, 0 for an empty log, null for an unknown session. */
export async function readLastSeq(db: Db, sessionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('sessions')
    .select('last_seq')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.last_seq ?? null;
}

/** `seq` of the newest event by session; unknown sessions are missing. */
export async function readLastSeqs(
  pool: Pool,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; last_seq: number }>({
    name: 'read-last-seqs',
    text: 'select id, last_seq from sessions where id = any($1::uuid[])',
    values: [sessionIds],
  });
  return new Map(rows.map((row) => [row.id, row.last_seq]));
}

/** For each of the viewer's turns its events of some types, in order. */
async function findEventsOfTurns(
  db: Db,
  viewer: Viewer,
  turnIds: readonly string[],
  types: readonly SessionEventType[],
): Promise<SessionEvent[][]> {
  const rows = await db
    .selectFrom('events')
    .innerJoin('sessions', 'sessions.id', 'events.session_id')
    .select(['session_id', 'seq', 'turn_id', 'type', 'payload', 'events.created_at'])
    .where(isOneOf('turn_id', turnIds))
    .where(isOfTypes(types))
    .where(isReadableBy(viewer, 'sessions', 'sessions.id'))
    .orderBy('seq')
    .execute();
  // Looked for later than rows, so that none is missed: those that were packed meanwhile are found in both.
  const packed = await findPackedEvents(db, viewer, turnIds, types);
  const isRow = ({ session_id: id, seq }: (typeof packed)[number]): boolean =>
    rows.some((row) => row.session_id === id && row.seq === seq);
  const events = [...packed.filter((row) => !isRow(row)), ...rows].map((row) => toEvent(row.session_id, row));
  return inGroups(turnIds, events, ({ turnId }) => turnId);
}

/** The events that leave a notice. */
export const findNoticeEventsOfTurns = (db: Db, viewer: Viewer, turnIds: readonly string[]) =>
  findEventsOfTurns(db, viewer, turnIds, NOTICE_EVENTS);

/** The events of what the models thought. */
export const findThinkingEventsOfTurns = (db: Db, viewer: Viewer, turnIds: readonly string[]) =>
  findEventsOfTurns(db, viewer, turnIds, ['ThinkingEvent']);

/** Literals, not parameters, so that the partial indexes are used. */
const isOfTypes = (types: readonly SessionEventType[]) =>
  sql<boolean>`type in (${sql.join(types.map((type) => sql.lit(type)))})`;

/** The payload matches the event's type, because only this file writes the table. */
export function toEvent(sessionId: string, row: EventRow): SessionEvent {
  return {
    sessionId,
    seq: row.seq,
    turnId: row.turn_id,
    createdAt: row.created_at,
    type: row.type,
    payload: JSON.parse(row.payload) as unknown,
  } as SessionEvent;
}
