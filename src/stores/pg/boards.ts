import { type Selectable, sql } from 'kysely';
import type { Board } from '../../domain/boards/board.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { toStoredJson, toStoredText } from '../../domain/text/stored-text.ts';
import type { TimeRange } from '../../domain/values/time-range.ts';
import type { Db, Tx } from './database.ts';
import { inOrder, isOneOf, newId } from './ids.ts';
import { lockName } from './named-lock.ts';
import { camelKeys } from './row-keys.ts';
import { newShareKey } from './sharing.ts';
import type { StoredRange } from './tables/board-tables.ts';
import type { Database } from './tables.ts';

/** What a change of a board writes. */
export type BoardToSave = Pick<Board, 'title' | 'visibility' | 'range' | 'items'>;

/** The boards that the viewer may read, the last changed first; their number is limited. */
export async function listBoards(db: Db, viewer: Viewer): Promise<readonly Board[]> {
  const rows = await db
    .selectFrom('boards')
    .selectAll()
    .where(isReadable(viewer))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(rowToBoard);
}

/** Those that the viewer may read, in the order of `ids`. */
export async function findBoards(db: Db, viewer: Viewer, ids: readonly string[]): Promise<(Board | null)[]> {
  const rows = await db
    .selectFrom('boards')
    .selectAll()
    .where(isOneOf('id', ids))
    .where(isReadable(viewer))
    .execute();
  return inOrder(ids, rows.map(rowToBoard));
}

/** The same for one that is going to be changed: nobody else changes it until the transaction ends. */
export async function lockBoard(tx: Tx, viewer: Viewer, id: string): Promise<Board | null> {
  const row = await tx
    .selectFrom('boards')
    .selectAll()
    .where(isOneOf('id', [id]))
    .where(isReadable(viewer))
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : rowToBoard(row);
}

/** Stores a board of the viewer; null, without a change, if the project has `most` of them. */
export async function insertBoard(
  tx: Tx,
  viewer: Viewer,
  board: BoardToSave,
  most: number,
): Promise<Board | null> {
  await lockName(tx, `boards of ${viewer.projectId}`);
  const { count } = await tx
    .selectFrom('boards')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', viewer.projectId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) return null;
  const row = await tx
    .insertInto('boards')
    .values({
      ...toColumns(board),
      share_key: keyOf(board),
      id: newId(),
      project_id: viewer.projectId,
      viewer_id: viewer.id,
      version: 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToBoard(row);
}

/** Writes the next version of a board, whose row must be locked. Who may read it anew needs a new link. */
export async function replaceBoard(
  tx: Tx,
  { id, visibility, shareKey }: Board,
  board: BoardToSave,
): Promise<Board> {
  const isShared = board.visibility !== visibility;
  if (isShared) await tx.deleteFrom('board_readers').where('board_id', '=', id).execute();
  const row = await tx
    .updateTable('boards')
    .set({
      ...toColumns(board),
      share_key: isShared ? keyOf(board) : shareKey,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToBoard(row);
}

/** Removes a board, whose row must be locked. */
export async function deleteBoard(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('boards').where('id', '=', id).execute();
}

/** The board of a link in the viewer's project, which the viewer may read from now on; null for an unknown key. */
export async function openBoardLink(tx: Tx, viewer: Viewer, key: string): Promise<Board | null> {
  const row = await tx
    .selectFrom('boards')
    .selectAll()
    .where('share_key', '=', key)
    .where('project_id', '=', viewer.projectId)
    .forShare()
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.viewer_id !== viewer.id) {
    await tx
      .insertInto('board_readers')
      .values({ project_id: row.project_id, board_id: row.id, user_id: viewer.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return rowToBoard(row);
}

const keyOf = ({ visibility }: BoardToSave): string | null => (visibility === 'LINK' ? newShareKey() : null);

/** Condition: the viewer may read the row of `boards`. */
export const isReadable = ({ id, projectId }: Viewer) =>
  sql<boolean>`boards.project_id = ${projectId} and (boards.viewer_id = ${id} or boards.visibility = 'PROJECT'
    or boards.visibility = 'LINK' and exists (select from board_readers where board_readers.project_id = ${projectId}
      and board_id = boards.id and user_id = ${id}))`;

const toColumns = ({ title, visibility, range, items }: BoardToSave) => ({
  title: toStoredText(title),
  visibility,
  range: range === null ? null : toStoredJson(range),
  items: toStoredJson(items),
});

const rowToBoard = ({ range, ...row }: Selectable<Database['boards']>): Board => ({
  ...camelKeys(row),
  range: range === null ? null : readRange(range),
});

const readRange = ({ kind, hours, from, to }: StoredRange): TimeRange => ({
  kind,
  hours,
  from: from === null ? null : new Date(from),
  to: to === null ? null : new Date(to),
});
