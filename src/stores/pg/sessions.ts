import { type Selectable, sql } from 'kysely';
import type { Session, SessionKind, Viewer } from '../../domain/conversation/session.ts';
import type { Db, Tx } from './database.ts';
import { inOrder, isOf, isOneOf, isOwnedBy, isReadableBy, type Whose } from './ids.ts';
import { snakeKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** A session to be stored; its log is empty. */
export type NewSession = Pick<Session, 'id' | 'kind' | 'title' | 'chipId' | 'qid' | 'taskId'>;

/** Where a page of sessions continues: after the one with these values. */
export type SessionPosition = { readonly updatedAt: Date; readonly id: string };

/** Stores a session of `viewer`. */
export async function insertSession(tx: Tx, viewer: Viewer, session: NewSession): Promise<Session> {
  const row = await tx
    .insertInto('sessions')
    .values({ ...snakeKeys(session), project_id: viewer.projectId, viewer_id: viewer.id })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToSession(row);
}

/**
 * The session, its row locked until the transaction ends; null if there is none. Changes of
 * turns or of the log lock this row first and a turn's row second, which avoids deadlocks.
 */
export async function lockSession(tx: Tx, sessionId: string): Promise<Session | null> {
  const row = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst();
  return row ? rowToSession(row) : null;
}

/** As {@link lockSession}, for a session of the viewer. */
export async function lockOwnSession(tx: Tx, viewer: Viewer, sessionId: string): Promise<Session | null> {
  const row = await tx
    .selectFrom('sessions')
    .selectAll()
    .where(isOneOf('id', [sessionId]))
    .where(isOwnedBy(viewer))
    .forUpdate()
    .executeTakeFirst();
  return row ? rowToSession(row) : null;
}

/** Puts the session at the top of its owner's list. */
export async function touchSession(tx: Tx, sessionId: string): Promise<Session> {
  const row = await tx
    .updateTable('sessions')
    .set({ updated_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToSession(row);
}

/** Renames a session; its row must be locked. */
export async function retitleSession(tx: Tx, sessionId: string, title: string): Promise<void> {
  await tx.updateTable('sessions').set({ title }).where('id', '=', sessionId).execute();
}

/** Renames a session of the viewer, keeping its position in the list; null if there is none. */
export async function renameSession(
  db: Db,
  viewer: Viewer,
  sessionId: string,
  title: string,
): Promise<Session | null> {
  const row = await db
    .updateTable('sessions')
    .set({ title })
    .where(isOneOf('id', [sessionId]))
    .where(isOwnedBy(viewer))
    .where('kind', '=', 'COPILOT')
    .returningAll()
    .executeTakeFirst();
  return row ? rowToSession(row) : null;
}

/** The viewer's sessions in the order of `ids`. */
export async function findSessions(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(Session | null)[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where(isOneOf('id', ids))
    .where(isReadableBy(viewer, 'sessions', 'sessions.id'))
    .execute();
  return inOrder(ids, rows.map(rowToSession));
}

/** A page of sessions with all of `words` in their titles, case-insensitively. */
export type SessionSlice = {
  /** The viewer's, or those of others that are shared with the viewer. */
  readonly whose?: Whose;
  readonly kind: SessionKind;
  readonly words: readonly string[];
  readonly limit: number;
  readonly after: SessionPosition | null;
};

/** Up to `limit` sessions, newest message first. */
export async function listSessions(db: Db, viewer: Viewer, page: SessionSlice): Promise<Session[]> {
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .where(isOf(viewer, page.whose ?? 'own', 'sessions'))
    .where('kind', '=', page.kind)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit);
  for (const word of page.words) {
    query = query.where(sql<boolean>`strpos(lower(title), lower(${word})) > 0`);
  }
  if (page.after) {
    const { updatedAt, id } = page.after;
    query = query.where((eb) => eb(eb.refTuple('updated_at', 'id'), '<', eb.tuple(updatedAt, id)));
  }
  return (await query.execute()).map(rowToSession);
}

/** A row as a domain object. */
export function rowToSession(row: Selectable<Database['sessions']>): Session {
  return {
    id: row.id,
    kind: row.kind,
    projectId: row.project_id,
    viewerId: row.viewer_id,
    title: row.title,
    chipId: row.chip_id,
    qid: row.qid,
    taskId: row.task_id,
    lastSeq: row.last_seq,
    visibility: row.visibility,
    shareKey: row.share_key,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
