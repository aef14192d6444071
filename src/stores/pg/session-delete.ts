import { sql } from 'kysely';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { Db, Tx } from './database.ts';
import { EVENTS_CHANNEL, TURNS_CHANNEL, notify } from './events.ts';
import { isOneOf, isOwnedBy } from './ids.ts';
import { SHARES_CHANNEL } from './shared-answers.ts';
import { purgeShared, sharedOfSession } from './step-records.ts';

/**
 * Deletes a session, whose row must be locked, with everything in it, its job among that, and wakes its followers and
 * runner. Returns the ids of the uploads that it used. What remains: that it was deleted, its daily usage, and the
 * times of turns that count as messages.
 */
export async function deleteSession(
  tx: Tx,
  { id, kind, projectId, viewerId }: Session,
): Promise<readonly string[]> {
  await sql`
    insert into deleted_turns (viewer_id, created_at)
    select viewer_id, created_at from turns
    where session_id = ${id} and created_at > now() - interval '2 days' and ${kind !== 'JOB'}
  `.execute(tx);
  await sql`
    insert into deleted_sessions (id, project_id, viewer_id, job_id)
    values (${id}, ${projectId}, ${viewerId}, (select id from jobs where session_id = ${id}))
  `.execute(tx);
  await sql`delete from builder_links using jobs where job_id = jobs.id and jobs.session_id = ${id}`.execute(
    tx,
  );
  const uploads = await tx
    .deleteFrom('session_uploads')
    .where('session_id', '=', id)
    .returning('upload_id')
    .execute();
  const shared = await sharedOfSession(tx, id);
  for (const table of [
    'comments',
    'session_readers',
    'shared_answers',
    'builder_links',
    'builder_edits',
    'builder_proposals',
    'builder_artifact_revisions',
    'builder_drafts',
    'session_data',
    'summaries',
    'events',
    'event_pages',
    'tool_calls',
    'charts',
    'tables',
    'message_images',
    'messages',
    'jobs',
    'turns',
  ] as const) {
    await sql`delete from ${sql.table(table)} where session_id = ${id}`.execute(tx);
  }
  await purgeShared(tx, shared);
  await tx.deleteFrom('sessions').where('id', '=', id).execute();
  await notify(tx, EVENTS_CHANNEL, id);
  await notify(tx, TURNS_CHANNEL, id);
  await notify(tx, SHARES_CHANNEL, id);
  return uploads.map(({ upload_id }) => upload_id);
}

/** Whether the viewer had a session, or a job, of this id and deleted it. */
export async function wasDeleted(
  db: Db,
  viewer: Viewer,
  id: string,
  column: 'id' | 'job_id' = 'id',
): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_sessions')
    .select('id')
    .where(isOneOf(column, [id]))
    .where(isOwnedBy(viewer))
    .executeTakeFirst();
  return row !== undefined;
}
