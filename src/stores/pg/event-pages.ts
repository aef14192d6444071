/**
 * Pages of events: the log of a conversation in which nothing happens any more, some twenty times smaller than rows. A page
 * is read as the same events, byte for byte; what comes later is rows again, behind all pages.
 */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { validate } from 'uuid';
import {
  NOTICE_EVENTS,
  type SessionEventPayloads,
  type SessionEventType,
} from '../../domain/conversation/session-event.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { type Db, transact, type Tx } from './database.ts';
import { isOneOf, isReadableBy } from './ids.ts';

/** An event as it is stored. */
export type EventRow = {
  readonly seq: number;
  readonly turn_id: string;
  readonly type: SessionEventType;
  readonly payload: string;
  readonly created_at: Date;
};

/** Events of a page. */
const PAGE = 2_000;
/** Sessions of one batch of packing. */
const SESSIONS = 20;

const compress = promisify<string, Buffer>(zstdCompress);
const decompress = promisify<Buffer, Buffer>(zstdDecompress);

/** Types of events that are looked for by their turn. */
const LOOKED_FOR: readonly SessionEventType[] = [...NOTICE_EVENTS, 'ThinkingEvent'];

type PageRow = { readonly session_id: string; readonly first_seq: number; readonly body: Buffer };

/** Events in their order: place in `turnIds`, type, payload, and milliseconds since the event before (the first: since 1970). */
type PageBody = {
  readonly turnIds: readonly string[];
  readonly events: readonly (readonly [
    turn: number,
    type: SessionEventType,
    payload: string,
    pauseMs: number,
  ])[];
};

function bodyOf(rows: readonly EventRow[]): PageBody {
  const turnIds = turnsOf(rows);
  let before = 0;
  const events = rows.map(({ turn_id: turnId, type, payload, created_at: createdAt }) => {
    const pause = createdAt.getTime() - before;
    before = createdAt.getTime();
    return [turnIds.indexOf(turnId), type, payload, pause] as const;
  });
  return { turnIds, events };
}

/** In the order of their last events. */
const turnsOf = (rows: readonly EventRow[]): readonly string[] =>
  [...new Set(rows.map((row) => row.turn_id).toReversed())].toReversed();

async function rowsOf({ first_seq: firstSeq, body }: PageRow): Promise<readonly EventRow[]> {
  const { turnIds, events } = JSON.parse((await decompress(body)).toString()) as PageBody;
  let time = 0;
  return events.map(([turn, type, payload, pause], index) => {
    time += pause;
    const turnId = turnIds[turn];
    if (turnId === undefined) throw new Error(`event ${firstSeq + index} of a page names no turn`);
    return { seq: firstSeq + index, turn_id: turnId, type, payload, created_at: new Date(time) };
  });
}

/** The events of the next page after `afterSeq`, without those before; none if what comes next is in rows. */
export async function readNextPage(
  pool: Pool,
  sessionId: string,
  afterSeq: number,
): Promise<readonly EventRow[]> {
  const { rows } = await pool.query<PageRow>({
    name: 'read-event-page',
    text: `select session_id, first_seq, body from event_pages
           where session_id = $1 and last_seq > $2 order by last_seq limit 1`,
    values: [sessionId, afterSeq],
  });
  const [page] = rows;
  return page === undefined ? [] : (await rowsOf(page)).filter(({ seq }) => seq > afterSeq);
}

/** The events of these types in pages, by session and in order; only types of {@link LOOKED_FOR}. */
export async function findPackedEvents(
  db: Db,
  viewer: Viewer,
  turnIds: readonly string[],
  types: readonly SessionEventType[],
): Promise<readonly (EventRow & { readonly session_id: string })[]> {
  const { rows: pages } = await sql<PageRow>`
    select session_id, first_seq, body from event_pages join sessions on sessions.id = session_id
    where session_id in (select session_id from turns where ${isOneOf('turns.id', turnIds)})
      and turn_ids && ${turnIds.filter((id) => validate(id))}::uuid[] and found && ${types}::text[] and ${isReadableBy(viewer, 'sessions', 'sessions.id')}
    order by session_id, event_pages.last_seq
  `.execute(db);
  const found = await Promise.all(
    pages.map(async (page) =>
      (await rowsOf(page)).flatMap((row) =>
        types.includes(row.type) && turnIds.includes(row.turn_id)
          ? [{ ...row, session_id: page.session_id }]
          : [],
      ),
    ),
  );
  return found.flat();
}

/**
 * Packs the events of sessions without an open turn in which nobody wrote for so many minutes; returns how many sessions it
 * looked at. One that somebody holds is left to the next call.
 */
export function packEvents(db: Db, quietMinutes = 60): Promise<number> {
  return transact(db, async (tx) => {
    // From one session that has rows to the next: those that are packed cost nothing.
    const { rows } = await sql<{ readonly id: string }>`
      with recursive logged as (
        (select session_id from events order by session_id limit 1)
        union all
        select (select events.session_id from events where events.session_id > logged.session_id
          order by events.session_id limit 1)
        from logged where logged.session_id is not null
      )
      select sessions.id from logged join sessions on sessions.id = logged.session_id
      where sessions.updated_at <= now() - ${quietMinutes} * interval '1 minute' and not exists (
        select from turns where turns.session_id = sessions.id and status in ('RUNNING', 'QUEUED'))
      limit ${SESSIONS} for update of sessions skip locked
    `.execute(tx);
    for (const { id } of rows) await packPage(tx, id);
    return rows.length;
  });
}

async function packPage(tx: Tx, sessionId: string): Promise<void> {
  const rows: readonly EventRow[] = await tx
    .selectFrom('events')
    .select(['seq', 'turn_id', 'type', 'payload', 'created_at'])
    .where('session_id', '=', sessionId)
    .orderBy('seq')
    .limit(PAGE)
    .execute();
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return;
  await tx
    .insertInto('event_pages')
    .values({
      session_id: sessionId,
      last_seq: last.seq,
      first_seq: first.seq,
      turn_ids: [...turnsOf(rows)],
      found: LOOKED_FOR.filter((type) => rows.some((row) => row.type === type)),
      tool_rounds: Math.max(0, ...rows.filter((row) => row.turn_id === last.turn_id).map(roundOf)),
      body: await compress(JSON.stringify(bodyOf(rows))),
    })
    .execute();
  await tx.deleteFrom('events').where('session_id', '=', sessionId).where('seq', '<=', last.seq).execute();
}

/** The round of a tool call that starts, 0 for all other events. */
const roundOf = ({ type, payload }: EventRow): number =>
  type === 'ToolCallStartedEvent'
    ? (JSON.parse(payload) as SessionEventPayloads['ToolCallStartedEvent']).round
    : 0;
