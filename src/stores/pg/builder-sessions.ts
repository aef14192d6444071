import { type Selectable, sql } from 'kysely';
import type {
  BuilderMode,
  BuilderSession,
  BuilderSessionStatus,
} from '../../domain/conversation/builder-session.ts';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { Db, Tx } from './database.ts';
import { inOrder, inOrderOf, isOneOf, isOwnedBy, newId } from './ids.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';
import { insertSession, type SessionPosition } from './sessions.ts';
import type { Database } from './tables.ts';

/** A session without a job counts as abandoned after this long without a change. */
export const ABANDONED_AFTER_HOURS = 24;

/** A builder session to be stored. */
export type NewBuilderSession = Partial<BuilderMode> & {
  readonly title: string;
  readonly expertId: string | null;
  /** The client's id of the request that creates it; null if a message does. */
  readonly clientRequestId: string | null;
};

/** Stores a builder session of `viewer` with an empty log and no artifacts. */
export async function insertBuilderSession(
  tx: Tx,
  viewer: Viewer,
  { title, expertId, clientRequestId, strict = false, review = false }: NewBuilderSession,
): Promise<Session> {
  const about = { chipId: null, qid: null, taskId: null };
  const session = await insertSession(tx, viewer, { id: newId(), kind: 'BUILDER', title, ...about });
  await tx
    .insertInto('builder_drafts')
    .values({
      session_id: session.id,
      project_id: viewer.projectId,
      viewer_id: viewer.id,
      expert_id: expertId,
      client_request_id: clientRequestId,
      strict,
      review,
    })
    .execute();
  return session;
}

/** The viewer's builder sessions in the order of `ids`. */
export async function findBuilderSessions(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(BuilderSession | null)[]> {
  const rows = await ofViewer(db, viewer).where(isOneOf('id', ids)).execute();
  return inOrder(ids, rows.map(rowToBuilderSession));
}

/** The viewer's builder sessions with messages, latest first. */
export async function listBuilderSessions(
  db: Db,
  viewer: Viewer,
  page: { readonly limit: number; readonly after: SessionPosition | null },
): Promise<BuilderSession[]> {
  let query = ofViewer(db, viewer)
    .where('last_seq', '>', 0)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit);
  if (page.after) {
    const { updatedAt, id } = page.after;
    query = query.where((eb) => eb(eb.refTuple('updated_at', 'id'), '<', eb.tuple(updatedAt, id)));
  }
  return (await query.execute()).map(rowToBuilderSession);
}

/** The builder session behind each of the viewer's jobs. */
export async function findBuilderSessionsOfJobs(
  db: Db,
  viewer: Viewer,
  jobIds: readonly string[],
): Promise<(BuilderSession | null)[]> {
  const links = await db
    .selectFrom('builder_links')
    .select(['job_id', 'session_id'])
    .where(isOneOf('job_id', jobIds))
    .execute();
  const ids = inOrderOf(jobIds, links, (link) => link.job_id).map((link) => link?.session_id ?? '');
  return findBuilderSessions(db, viewer, ids);
}

/** The session that the viewer's client created under this request id; null if none. */
export async function findByClientRequest(
  tx: Tx,
  viewer: Viewer,
  clientRequestId: string,
): Promise<BuilderSession | null> {
  const draft = await tx
    .selectFrom('builder_drafts')
    .select('session_id')
    .where(isOwnedBy(viewer))
    .where('client_request_id', '=', clientRequestId)
    .executeTakeFirst();
  if (draft === undefined) return null;
  const [session] = await findBuilderSessions(tx, viewer, [draft.session_id]);
  return session ?? null;
}

/** Changes the mode of a session; its row must be locked. */
export async function setBuilderMode(tx: Tx, sessionId: string, mode: Partial<BuilderMode>): Promise<void> {
  if (Object.keys(mode).length === 0) return;
  await tx.updateTable('builder_drafts').set(mode).where('session_id', '=', sessionId).execute();
}

/** Links a job to the session whose artifacts it was created with; the session's row must be locked. */
export async function insertLink(
  tx: Tx,
  link: { readonly jobId: string; readonly sessionId: string; readonly revision: number },
): Promise<void> {
  await tx.insertInto('builder_links').values(snakeKeys(link)).execute();
}

/** Reopens a linked session for messages until the next job is created with it; its row must be locked. */
export async function reopenSession(tx: Tx, sessionId: string): Promise<void> {
  await tx
    .updateTable('builder_drafts')
    .set({ reopened_at: sql<Date>`clock_timestamp()` })
    .where('session_id', '=', sessionId)
    .execute();
}

/** Ids of old sessions without a job and without open turns. */
export async function findOrphans(
  db: Db,
  wanted: {
    readonly olderThanHours: number;
    /** Null: of everybody. */
    readonly viewer: Viewer | null;
    readonly limit: number;
    /** Absent: any. */
    readonly id?: string;
  },
): Promise<readonly string[]> {
  const { olderThanHours, viewer, limit, id } = wanted;
  let query = db
    .selectFrom('builder_sessions')
    .select('id')
    .where('job_id', 'is', null)
    .where('updated_at', '<', sql<Date>`now() - ${olderThanHours} * interval '1 hour'`)
    .where(
      sql<boolean>`not exists (
        select from turns where turns.session_id = builder_sessions.id and turns.status in ('RUNNING', 'QUEUED'))`,
    )
    .orderBy('updated_at')
    .limit(limit);
  if (viewer) query = query.where(isOwnedBy(viewer));
  if (id !== undefined) query = query.where('id', '=', id);
  return (await query.execute()).map((row) => row.id);
}

const ofViewer = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('builder_sessions')
    .selectAll()
    .select(
      sql<boolean>`updated_at < now() - ${ABANDONED_AFTER_HOURS} * interval '1 hour'`.as('is_untouched'),
    )
    .where(isOwnedBy(viewer));

type Row = Selectable<Database['builder_sessions']> & { readonly is_untouched: boolean };

function rowToBuilderSession(row: Row): BuilderSession {
  const {
    projectId: _project,
    viewerId: _viewer,
    isLinked: _linked,
    isUntouched: _untouched,
    ...session
  } = camelKeys(row);
  return { ...session, status: statusOf(row) };
}

/** A reopened session still has its job, so it is never abandoned. */
function statusOf({ is_linked, is_untouched, job_id }: Row): BuilderSessionStatus {
  if (is_linked) return 'LINKED';
  return is_untouched && job_id === null ? 'ABANDONED' : 'OPEN';
}
