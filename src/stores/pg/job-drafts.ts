import { type Selectable, sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import { DRAFT_DAYS, type JobDraft } from '../../domain/jobs/job.ts';
import { toStoredJson, toStoredText } from '../../domain/text/stored-text.ts';
import type { Db } from './database.ts';
import { inOrder, isOneOf, isOwnedBy, newId } from './ids.ts';
import { camelKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** A draft to be stored. */
export type NewJobDraft = Omit<JobDraft, 'id' | 'projectId' | 'viewerId' | 'createdAt'>;

/** Stores a draft of the viewer. */
export async function insertJobDraft(db: Db, viewer: Viewer, draft: NewJobDraft): Promise<JobDraft> {
  const { expertId, description, instructions, configOverride, chipId, context } = draft;
  const row = await db
    .insertInto('job_drafts')
    .values({
      id: newId(),
      project_id: viewer.projectId,
      viewer_id: viewer.id,
      expert_id: expertId,
      description: toStoredText(description),
      instructions: instructions === null ? null : toStoredText(instructions),
      config_override: configOverride === null ? null : toStoredJson(configOverride),
      chip_id: chipId,
      context: toStoredJson(context),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToDraft(row);
}

/** The viewer's drafts in the order of `ids`, null where there is none. */
export async function findJobDrafts(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(JobDraft | null)[]> {
  const rows = await db
    .selectFrom('job_drafts')
    .selectAll()
    .where(isOneOf('id', ids))
    .where(isOwnedBy(viewer))
    .execute();
  return inOrder(ids, rows.map(rowToDraft));
}

/** Marks the viewer's draft as opened, which keeps it from being removed; null if there is none. */
export async function openJobDraft(db: Db, viewer: Viewer, id: string): Promise<JobDraft | null> {
  const row = await db
    .updateTable('job_drafts')
    .set({ opened_at: sql<Date>`coalesce(opened_at, now())` })
    .where(isOneOf('id', [id]))
    .where(isOwnedBy(viewer))
    .returningAll()
    .executeTakeFirst();
  return row ? rowToDraft(row) : null;
}

/** Removes all drafts that were not opened within {@link DRAFT_DAYS}; returns how many. */
export async function removeUnopenedDrafts(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('job_drafts')
    .where('opened_at', 'is', null)
    .where('created_at', '<', sql<Date>`now() - ${DRAFT_DAYS} * interval '1 day'`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function rowToDraft({ opened_at: _opened, ...row }: Selectable<Database['job_drafts']>): JobDraft {
  return camelKeys(row);
}
