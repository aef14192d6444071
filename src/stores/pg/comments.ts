import { sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Comment } from '../../domain/members/sharing.ts';
import type { Db, Tx } from './database.ts';
import { notify } from './events.ts';
import { inGroups, inOrder, isOneOf, isReadableBy, newId } from './ids.ts';
import { camelKeys } from './row-keys.ts';

/** Channel of wake-ups for changed comments; the payload is the session's id. */
export const COMMENTS_CHANNEL = 'qpilot_comments';

const COLUMNS = [
  'comments.id',
  'comments.session_id',
  'message_id',
  'author_id',
  'text',
  'mentions',
  'comments.created_at',
] as const;

/** Those that the viewer may read: of the viewer's conversations and jobs, and of those that are shared with the viewer. */
const readable = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('comments')
    .innerJoin('sessions', 'sessions.id', 'comments.session_id')
    .select(COLUMNS)
    .where(isReadableBy(viewer, 'sessions', 'sessions.id'));

/** In the order of `ids`. */
export async function findComments(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(Comment | null)[]> {
  const rows = await readable(db, viewer).where(isOneOf('comments.id', ids)).execute();
  return inOrder(ids, rows.map(camelKeys));
}

/** The comments on each answer, oldest first. */
export async function findCommentsOnMessages(
  db: Db,
  viewer: Viewer,
  messageIds: readonly string[],
): Promise<Comment[][]> {
  const rows = await readable(db, viewer)
    .where(isOneOf('message_id', messageIds))
    .orderBy('comments.id')
    .execute();
  return inGroups(messageIds, rows.map(camelKeys), ({ messageId }) => messageId ?? '');
}

/** All comments of each session, oldest first. */
export async function findCommentsOfSessions(
  db: Db,
  viewer: Viewer,
  sessionIds: readonly string[],
): Promise<Comment[][]> {
  const rows = await readable(db, viewer)
    .where(isOneOf('comments.session_id', sessionIds))
    .orderBy('comments.id')
    .execute();
  return inGroups(sessionIds, rows.map(camelKeys), ({ sessionId }) => sessionId);
}

/** The newest comments that name the viewer, newest first. */
export async function findMentions(db: Db, viewer: Viewer, limit: number): Promise<Comment[]> {
  const rows = await readable(db, viewer)
    .where(sql<boolean>`mentions @> array[${viewer.id}]::text[]`)
    .orderBy('comments.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(camelKeys);
}

/** Comments of an author in the last minute, in all projects, and all of a session. */
export async function countComments(
  tx: Tx,
  { authorId, sessionId }: Pick<Comment, 'authorId' | 'sessionId'>,
): Promise<{ readonly lastMinute: number; readonly ofSession: number }> {
  const { rows } = await sql<{ lastMinute: number; ofSession: number }>`
    select (select count(*)::int from comments where author_id = ${authorId}
        and created_at > now() - interval '1 minute') as "lastMinute",
      (select count(*)::int from comments where session_id = ${sessionId}) as "ofSession"
  `.execute(tx);
  return rows[0] ?? { lastMinute: 0, ofSession: 0 };
}

/** Stores a comment and wakes those who look at the session. */
export async function insertComment(
  tx: Tx,
  projectId: string,
  { mentions, ...comment }: Omit<Comment, 'id' | 'createdAt'>,
): Promise<Comment> {
  const row = await tx
    .insertInto('comments')
    .values({
      id: newId(),
      session_id: comment.sessionId,
      project_id: projectId,
      message_id: comment.messageId,
      author_id: comment.authorId,
      text: comment.text,
      mentions: [...mentions],
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await notify(tx, COMMENTS_CHANNEL, comment.sessionId);
  return camelKeys(row);
}

export async function deleteComment(tx: Tx, { id, sessionId }: Comment): Promise<void> {
  await tx.deleteFrom('comments').where('id', '=', id).execute();
  await notify(tx, COMMENTS_CHANNEL, sessionId);
}
