import { type Selectable, sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import { datasetName, type SessionDataset, type Upload } from '../../domain/datasets/dataset.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import { type Db, type Tx, transact } from './database.ts';
import { inOrder, isOneOf, isOwnedBy } from './ids.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** Stores the record of an upload. The rows of a table are in a file; `text` is for an upload that is a text. */
export async function insertUpload(
  db: Db,
  viewer: Viewer,
  { columns, ...upload }: Omit<Upload, 'createdAt'> & { readonly text?: string },
): Promise<Upload> {
  const row = await db
    .insertInto('uploads')
    .values({
      ...snakeKeys(upload),
      project_id: viewer.projectId,
      viewer_id: viewer.id,
      columns: toStoredJson(columns),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToUpload(row);
}

/** The viewer's uploads in the order of `ids`. */
export async function findUploads(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(Upload | null)[]> {
  const rows = await db
    .selectFrom('uploads')
    .selectAll()
    .where(isOneOf('id', ids))
    .where(isOwnedBy(viewer))
    .execute();
  return inOrder(ids, rows.map(rowToUpload));
}

/** The viewer's uploaded texts in the order of `ids`, null for anything else. */
export async function readUploadedTexts(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('uploads')
    .select(['id', 'text'])
    .where(isOneOf('id', ids))
    .where(isOwnedBy(viewer))
    .execute();
  return inOrder(ids, rows).map((row) => row?.text ?? null);
}

/** The tables of a session, oldest first. The caller has checked access to the session. */
export async function listSessionDatasets(db: Db, sessionId: string): Promise<SessionDataset[]> {
  const rows = await db
    .selectFrom('session_uploads')
    .innerJoin('uploads', 'uploads.id', 'session_uploads.upload_id')
    .selectAll('uploads')
    .select('session_uploads.dataset')
    .where('session_uploads.session_id', '=', sessionId)
    .orderBy('session_uploads.added_at')
    .execute();
  return rows.map(({ dataset, ...row }) => ({ dataset, upload: rowToUpload(row) }));
}

/**
 * Attaches uploads of the viewer to a session, whose row must be locked; those already attached keep their
 * names. Returns the ids that are not the viewer's; if there are any, do not commit.
 */
export async function attachUploads(
  tx: Tx,
  viewer: Viewer,
  sessionId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  // The new time protects them from the removal of unused uploads, even from one that is already running.
  const rows = await tx
    .updateTable('uploads')
    .set({ used_at: sql<Date>`now()` })
    .where(isOneOf('id', ids))
    .where(isOwnedBy(viewer))
    .where('text', 'is', null) // a text is not a table
    .returning(['id', 'name'])
    .execute();
  const attached = await listSessionDatasets(tx, sessionId);
  const known = new Set(attached.map(({ upload }) => upload.id));
  const taken = new Set(attached.map(({ dataset }) => dataset));
  for (const id of new Set(ids)) {
    const row = rows.find((each) => each.id === id);
    if (row === undefined || known.has(id)) continue;
    const dataset = datasetName(row.name, taken);
    taken.add(dataset);
    await tx
      .insertInto('session_uploads')
      .values({ session_id: sessionId, upload_id: id, dataset })
      .execute();
  }
  return ids.filter((id) => !rows.some((row) => row.id === id));
}

/**
 * Removes uploads that no session has used for `unusedMs`, each after `removeFile`: a failure in between leaves
 * the row, so that the next run finds the file again. Concurrent processes take different uploads.
 */
export async function removeUnusedUploads(
  db: Db,
  unusedMs: number,
  removeFile: (id: string) => Promise<void>,
): Promise<number> {
  return transact(db, async (tx) => {
    const rows = await tx
      .selectFrom('uploads')
      .select('id')
      .where('used_at', '<', sql<Date>`now() - ${unusedMs} * interval '1 millisecond'`)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('session_uploads')
              .select('session_uploads.upload_id')
              .whereRef('session_uploads.upload_id', '=', 'uploads.id'),
          ),
        ),
      )
      .orderBy('used_at')
      .limit(100)
      .forUpdate()
      .skipLocked()
      .execute();
    const ids = rows.map(({ id }) => id);
    for (const id of ids) await removeFile(id);
    await tx.deleteFrom('uploads').where(isOneOf('id', ids)).execute();
    return ids.length;
  });
}

/**
 * Removes those of `ids` that no session uses, each after `removeFile`. A concurrent attach is either
 * seen here or finds the upload gone, because both lock its row.
 */
export async function removeOrphanedUploads(
  db: Db,
  ids: readonly string[],
  removeFile: (id: string) => Promise<void>,
): Promise<void> {
  await transact(db, async (tx) => {
    await tx.selectFrom('uploads').select('id').where(isOneOf('id', ids)).orderBy('id').forUpdate().execute();
    const used = await tx
      .selectFrom('session_uploads')
      .select('upload_id')
      .where(isOneOf('upload_id', ids))
      .execute();
    const inUse = new Set(used.map(({ upload_id }) => upload_id));
    const orphans = ids.filter((id) => !inUse.has(id));
    for (const id of orphans) await removeFile(id);
    await tx.deleteFrom('uploads').where(isOneOf('id', orphans)).execute();
  });
}

function rowToUpload(row: Selectable<Database['uploads']>): Upload {
  const { projectId: _project, viewerId: _viewer, usedAt: _used, text: _text, ...upload } = camelKeys(row);
  return upload;
}
