import { sql } from 'kysely';
import type { Pool } from 'pg';
import {
  type NewSessionEvent,
  type SessionEvent,
  type SessionEventType,
  NOTICE_EVENTS,
} from '../../domain/conversation/session-event.ts';
import type { ToolCall, Viewer } from '../../domain/conversation/session.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import { proposalToRow, revisionToRow, type ArtifactWrites } from './builder-artifacts.ts';
import type { Db, Tx } from './database.ts';
import { inGroups, isOneOf, isOwnedBy } from './ids.ts';
import { toolCallToRow } from './tool-calls.ts';
import { chartToRow, type StoredChart, type StoredTable, tableToRow } from './visuals.ts';

/** Channel of wake-ups for growing logs; the payload is the session's id. */
export const EVENTS_CHANNEL = 'qpilot_events';
/** Channel of wake-ups for changed turns, such as a requested cancel; the payload is the session's id. */
export const TURNS_CHANNEL = 'qpilot_turns';

/** Events of one running turn that are stored together, with the bodies they refer to. */
export type EventBatch = {
  readonly sessionId: string;
  readonly turnId: string;
  /** The owner of the turn; batches of anyone else are refused. */
  readonly owner: string;
  /** 1, 2, 3… within the turn, the same when a batch is resent after a broken connection. */
  readonly number: number;
  readonly events: readonly NewSessionEvent[];
  /** Inserted, or updated if a row of the same id exists. */
  readonly toolCalls: readonly ToolCall[];
  readonly charts: readonly StoredChart[];
  readonly tables: readonly StoredTable[];
  /** Artifacts that a builder's turn changed; absent for most. */
  readonly artifacts?: ArtifactWrites;
};

/** The result of a batch: stored (now or before), or refused because the turn is not the owner's. */
export type AppendResult =
  { readonly stored: true; readonly cancelRequested: boolean } | { readonly stored: false };

/**
 * Stores a batch in one round trip. The session's row is locked first and the turn's second, both at their newest
 * version even if the statement had to wait for them; so `seq` has no gaps, and an owner that was paused while
 * another process closed its turn can add nothing. It wakes nobody: transactions that notify commit one at a
 * time.
 */
export async function appendBatch(pool: Pool, batch: EventBatch): Promise<AppendResult> {
  const values: unknown[] = [
    batch.sessionId,
    batch.turnId,
    batch.owner,
    batch.number,
    batch.events.length,
    batch.events.map(({ type }) => type),
    batch.events.map(({ payload }) => toStoredJson(payload)),
  ];
  const hasBodies =
    batch.artifacts !== undefined || batch.toolCalls.length + batch.charts.length + batch.tables.length > 0;
  if (hasBodies) {
    values.push(
      toStoredJson(batch.toolCalls.map(toolCallToRow)),
      toStoredJson(batch.charts.map(chartToRow)),
      toStoredJson(batch.tables.map(tableToRow)),
    );
  }
  if (batch.artifacts) {
    const { revisions, proposal } = batch.artifacts;
    values.push(
      toStoredJson(revisions.map(revisionToRow)),
      toStoredJson(proposal === null ? [] : [proposalToRow(proposal)]),
    );
  }
  const statement = batch.artifacts ? APPEND_WITH_ARTIFACTS : hasBodies ? APPEND_WITH_BODIES : APPEND;
  const { rows } = await pool.query<{ cancel_requested: boolean }>({ ...statement, values });
  const [row] = rows;
  if (row) return { stored: true, cancelRequested: row.cancel_requested };
  return findBatch(pool, batch);
}

/** Whether a batch that was not stored had been stored before. */
async function findBatch(pool: Pool, batch: EventBatch): Promise<AppendResult> {
  const { rows } = await pool.query<{ cancel_requested: boolean }>(
    `select cancel_requested_at is not null as cancel_requested from turns
     where id = $1 and owner = $2 and status = 'RUNNING' and batches >= $3`,
    [batch.turnId, batch.owner, batch.number],
  );
  const [row] = rows;
  return row ? { stored: true, cancelRequested: row.cancel_requested } : { stored: false };
}

const appendStatement = (bodies: string): string => `
  with session as (
    select id from sessions where id = $1 for update
  ), turn as (
    update turns set batches = $4 from session
    where turns.id = $2 and turns.session_id = session.id
      and turns.owner = $3 and turns.status = 'RUNNING' and turns.batches = $4 - 1
    returning turns.session_id, turns.id, turns.cancel_requested_at
  ), log as (
    update sessions set last_seq = last_seq + $5 from turn where sessions.id = turn.session_id
    returning sessions.id, sessions.last_seq
  ), stored as (
    insert into events (session_id, seq, turn_id, type, payload)
    select log.id, log.last_seq - $5 + event.place, turn.id, event.type, event.payload
    from log, turn, unnest($6::text[], $7::text[]) with ordinality as event (type, payload, place)
  )${bodies}
  select turn.cancel_requested_at is not null as cancel_requested from log, turn`;

/** Named, so that a connection parses and plans each of them once. */
const APPEND = { name: 'append', text: appendStatement('') };
const BODIES = `, stored_tool_calls as (
    insert into tool_calls select row.* from turn, json_populate_recordset(null::tool_calls, $8::json) as row
    on conflict (id) do update set
      status = excluded.status, duration_ms = excluded.duration_ms, data_source = excluded.data_source,
      preview = excluded.preview, freshness = excluded.freshness, result_json = excluded.result_json,
      error = excluded.error
  ), stored_charts as (
    insert into charts select row.* from turn, json_populate_recordset(null::charts, $9::json) as row
  ), stored_tables as (
    insert into tables select row.* from turn, json_populate_recordset(null::tables, $10::json) as row
  )`;
const APPEND_WITH_BODIES = { name: 'append-with-bodies', text: appendStatement(BODIES) };
const APPEND_WITH_ARTIFACTS = {
  name: 'append-with-artifacts',
  text: appendStatement(`${BODIES}, stored_revisions as (
    insert into builder_artifact_revisions (session_id, revision, author, turn_id, call_id, instructions, config, description)
    select row.session_id, row.revision, row.author, row.turn_id, row.call_id, row.instructions, row.config, row.description
    from turn, json_populate_recordset(null::builder_artifact_revisions, $11::json) as row
  ), stored_proposal as (
    insert into builder_proposals
    select row.* from turn, json_populate_recordset(null::builder_proposals, $12::json) as row
    on conflict (session_id) do update set turn_id = excluded.turn_id, instructions = excluded.instructions,
      config = excluded.config, description = excluded.description
  )`),
};

/**
 * Adds events of any turn to the log of a session whose row the caller has locked; readers are woken when the
 * transaction commits. Returns the `seq` of the last one.
 */
export async function insertEvents(
  tx: Tx,
  sessionId: string,
  turnId: string,
  events: readonly NewSessionEvent[],
): Promise<number> {
  const { last_seq: lastSeq } = await tx
    .updateTable('sessions')
    .set((eb) => ({ last_seq: eb('last_seq', '+', events.length) }))
    .where('id', '=', sessionId)
    .returning('last_seq')
    .executeTakeFirstOrThrow();
  const rows = events.map(({ type, payload }, index) => ({
    session_id: sessionId,
    seq: lastSeq - events.length + index + 1,
    turn_id: turnId,
    type,
    payload: toStoredJson(payload),
  }));
  await tx.insertInto('events').values(rows).execute();
  await notify(tx, EVENTS_CHANNEL, sessionId);
  return lastSeq;
}

/** Wakes every process that listens, once the transaction commits. */
export async function notify(tx: Tx, channel: string, sessionId: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${sessionId})`.execute(tx);
}

/** Up to `limit` events of a session after `afterSeq`, in order. */
export async function readEvents(
  pool: Pool,
  sessionId: string,
  afterSeq: number,
  limit: number,
): Promise<SessionEvent[]> {
  const { rows } = await pool.query<EventRow>({
    name: 'read-events',
    text: `select seq, turn_id, type, payload, created_at from events
           where session_id = $1 and seq > $2 order by seq limit $3`,
    values: [sessionId, afterSeq, limit],
  });
  return rows.map((row) => toEvent(sessionId, row));
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

/** The events of one turn, which begin after `beforeSeq`. Events of a turn that was queued meanwhile are left out. */
export async function readTurnEvents(
  tx: Tx,
  turn: { readonly id: string; readonly sessionId: string; readonly beforeSeq: number },
): Promise<SessionEvent[]> {
  const rows = await tx
    .selectFrom('events')
    .select(['seq', 'turn_id', 'type', 'payload', 'created_at'])
    .where('session_id', '=', turn.sessionId)
    .where('seq', '>', turn.beforeSeq)
    .where('turn_id', '=', turn.id)
    .orderBy('seq')
    .execute();
  return rows.map((row) => toEvent(turn.sessionId, row));
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
    .where(isOwnedBy(viewer, 'sessions'))
    .orderBy('seq')
    .execute();
  const events = rows.map((row) => toEvent(row.session_id, row));
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

type EventRow = {
  readonly seq: number;
  readonly turn_id: string;
  readonly type: SessionEventType;
  readonly payload: string;
  readonly created_at: Date;
};

/** The payload matches the event's type, because only this file writes the table. */
function toEvent(sessionId: string, row: EventRow): SessionEvent {
  return {
    sessionId,
    seq: row.seq,
    turnId: row.turn_id,
    createdAt: row.created_at,
    type: row.type,
    payload: JSON.parse(row.payload) as unknown,
  } as SessionEvent;
}
