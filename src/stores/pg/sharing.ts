/** Sharing of sessions, which the caller has checked to be the viewer's, and opening what is shared. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { NamedUser, Visibility } from '../../domain/members/sharing.ts';
import type { Db, Tx } from './database.ts';
import { rowToSession } from './sessions.ts';

/** Bytes of the key in a link: 128 bits, which nobody guesses. */
const KEY_BYTES = 16;

/** The key of a new link. */
export const newShareKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/**
 * Changes who may read a session, whose row must be locked. Readers of an earlier link have to open the new one; sharing
 * by link again while it is keeps its link.
 */
export async function setVisibility(tx: Tx, session: Session, visibility: Visibility): Promise<Session> {
  if (session.visibility === visibility) return session;
  await tx.deleteFrom('session_readers').where('session_id', '=', session.id).execute();
  const row = await tx
    .updateTable('sessions')
    .set({
      visibility,
      share_key: visibility === 'LINK' ? newShareKey() : null,
    })
    .where('id', '=', session.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToSession(row);
}

/** The session of a link in the viewer's project, which the viewer may read from now on; null for an unknown key. */
export async function openLink(tx: Tx, viewer: Viewer, key: string): Promise<Session | null> {
  const row = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('share_key', '=', key)
    .where('project_id', '=', viewer.projectId)
    .forShare()
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.viewer_id !== viewer.id) {
    await tx
      .insertInto('session_readers')
      .values({ session_id: row.id, user_id: viewer.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return rowToSession(row);
}

/** Users in the order of `ids`. */
export async function findNames(db: Db, ids: readonly string[]): Promise<readonly NamedUser[]> {
  const rows = await db
    .selectFrom('auth.user')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.map((userId) => ({ userId, name: names.get(userId) ?? userId }));
}

/** Somebody in one project, or in all. */
export type WorkOf = { readonly userId: string; readonly projectId: string | null };

type Work = { readonly id: string; readonly projectId: string };

/** Jobs of somebody that run or wait, and such turns outside of jobs. */
export async function findOpenWork(
  db: Db,
  { userId, projectId }: WorkOf,
): Promise<{ readonly jobs: readonly Work[]; readonly turns: readonly Work[] }> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'project_id as projectId'])
    .where('viewer_id', '=', userId)
    .$if(projectId !== null, (query) => query.where('project_id', '=', projectId ?? ''))
    .where('status', 'in', ['CREATED', 'PROCESSING'])
    .execute();
  const turns = await db
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    .select(['turns.id', 'turns.project_id as projectId'])
    .where('turns.viewer_id', '=', userId)
    .$if(projectId !== null, (query) => query.where('turns.project_id', '=', projectId ?? ''))
    .where('turns.status', 'in', ['RUNNING', 'QUEUED'])
    .where('sessions.kind', '<>', 'JOB')
    .execute();
  return { jobs, turns };
}

/** Gives a job, its row and that of its session locked, to another user with everything in it. */
export async function giveJob(
  tx: Tx,
  { jobId, sessionId }: { readonly jobId: string; readonly sessionId: string },
  userId: string,
): Promise<void> {
  // The client of the former owner may have used the same key as one of the new owner's.
  await sql`
    update jobs set viewer_id = ${userId}, idempotency_key = 'handed over: ' || id, changed_at = clock_timestamp()
    where id = ${jobId}
  `.execute(tx);
  for (const table of ['sessions', 'turns', 'messages', 'message_images', 'summaries'] as const) {
    const session = table === 'sessions' ? sql`id` : sql`session_id`;
    await sql`update ${sql.table(table)} set viewer_id = ${userId} where ${session} = ${sessionId}`.execute(
      tx,
    );
  }
  await tx
    .deleteFrom('session_readers')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .execute();
}
