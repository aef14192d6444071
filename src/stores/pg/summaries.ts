import { type Selectable, sql } from 'kysely';
import type { HistorySummary, Session, Viewer } from '../../domain/conversation/session.ts';
import type { NewSummary } from '../session-store.ts';
import type { Db } from './database.ts';
import { inOrder, isOneOf, isReadableBy, newId } from './ids.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** Stores a summary; if one through the same turn exists, that one stays and is returned. */
export async function insertSummary(db: Db, session: Session, summary: NewSummary): Promise<HistorySummary> {
  const row = await db
    .insertInto('summaries')
    .values({
      id: newId(),
      session_id: session.id,
      project_id: session.projectId,
      // A job may have been handed over meanwhile.
      viewer_id: sql<string>`(select viewer_id from sessions where id = ${session.id})`,
      ...snakeKeys(summary),
    })
    .onConflict((conflict) =>
      // Changes nothing, but returns the row.
      conflict.column('through_turn_id').doUpdateSet((eb) => ({ text: eb.ref('summaries.text') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToSummary(row);
}

/** The viewer's summaries in the order of `ids`. */
export async function findSummaries(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(HistorySummary | null)[]> {
  const rows = await db
    .selectFrom('summaries')
    .selectAll()
    .where(isOneOf('id', ids))
    .where(isReadableBy(viewer, 'summaries', 'summaries.session_id'))
    .execute();
  return inOrder(ids, rows.map(rowToSummary));
}

/** A row as a domain object. */
export function rowToSummary(row: Selectable<Database['summaries']>): HistorySummary {
  const { projectId: _project, viewerId: _viewer, ...summary } = camelKeys(row);
  return summary;
}
