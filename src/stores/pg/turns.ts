import { type Selectable, sql } from 'kysely';
import type { Turn, Viewer } from '../../domain/conversation/session.ts';
import type { Db, Tx } from './database.ts';
import { inOrder, inOrderOf, isOneOf, isOwnedBy, isReadableBy } from './ids.ts';
import type { Database } from './tables.ts';

/** The viewer's turns in the order of `ids`. */
export async function findTurns(db: Db, viewer: Viewer, ids: readonly string[]): Promise<(Turn | null)[]> {
  const rows = await db
    .selectFrom('turns')
    .selectAll()
    .where(isOneOf('id', ids))
    .where(isReadableBy(viewer, 'turns', 'turns.session_id'))
    .execute();
  return inOrder(ids, rows.map(rowToTurn));
}

/** For each session its running turn, else the first one in its queue, else null. */
export async function findActiveTurns(
  db: Db,
  viewer: Viewer,
  sessionIds: readonly string[],
): Promise<(Turn | null)[]> {
  const rows = await db
    .selectFrom('turns')
    .selectAll()
    .distinctOn('session_id')
    .where(isOneOf('session_id', sessionIds))
    .where('status', 'in', ['RUNNING', 'QUEUED'])
    .where(isReadableBy(viewer, 'turns', 'turns.session_id'))
    .orderBy('session_id')
    .orderBy(sql`status = 'RUNNING'`, 'desc')
    .orderBy('number')
    .execute();
  const active = inOrderOf(sessionIds, rows, (row) => row.session_id);
  return active.map((row) => row && rowToTurn(row));
}

/** The session's running turn, then its queue in order. The caller holds the session's row. */
export async function openTurns(tx: Tx, sessionId: string): Promise<Turn[]> {
  const rows = await tx
    .selectFrom('turns')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('status', 'in', ['RUNNING', 'QUEUED'])
    .orderBy(sql`status = 'RUNNING'`, 'desc')
    .orderBy('number')
    .execute();
  return rows.map(rowToTurn);
}

/** Marks a running turn as to be cancelled; its owner sees that at the next wake-up. Idempotent. */
export async function requestCancel(tx: Tx, turnId: string, reason: string | null): Promise<void> {
  await tx
    .updateTable('turns')
    .set({ cancel_requested_at: sql<Date>`now()`, cancel_reason: reason })
    .where('id', '=', turnId)
    .where('status', '=', 'RUNNING')
    .where('cancel_requested_at', 'is', null)
    .execute();
}

/**
 * The turn that the viewer's client started under this id, with the `seq` just before its first event; null if
 * none.
 */
export async function findStartedTurn(
  db: Db,
  viewer: Viewer,
  clientMessageId: string,
): Promise<{ readonly turn: Turn; readonly lastSeq: number } | null> {
  const row = await db
    .selectFrom('turns')
    .selectAll()
    .where(isOwnedBy(viewer))
    .where('client_message_id', '=', clientMessageId)
    .executeTakeFirst();
  return row ? { turn: rowToTurn(row), lastSeq: row.before_seq } : null;
}

/** A row as a domain object. */
export function rowToTurn(row: Selectable<Database['turns']>): Turn {
  return {
    id: row.id,
    sessionId: row.session_id,
    parentId: row.parent_id,
    beforeSeq: row.before_seq,
    replacesId: row.replaces_id,
    disputedId: row.disputed_id,
    joinsId: row.joins_id,
    status: row.status,
    questionId: row.question_id,
    answerId: row.answer_id,
    model: row.model,
    effort: row.effort,
    answerSchema: row.answer_schema,
    rounds: row.rounds,
    usage: row.usage,
    error: row.error,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
