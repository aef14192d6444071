import type { StoredVisual, Viewer } from '../../domain/conversation/session.ts';
import type { Db } from './database.ts';
import { inOrder, isOneOf, isOwnedBy } from './ids.ts';
import { camelKeys, snakeKeys } from './row-keys.ts';

/** A stored chart. */
export type StoredChart = Extract<StoredVisual, { type: 'chart' }>;
/** A stored table. */
export type StoredTable = Extract<StoredVisual, { type: 'table' }>;

/** A chart as a row for `json_populate_recordset`. */
export const chartToRow = ({ type: _type, ...chart }: StoredChart): object => snakeKeys(chart);

/** A table as a row for `json_populate_recordset`. */
export const tableToRow = ({ type: _type, ...table }: StoredTable): object => snakeKeys(table);

/** The viewer's charts in the order of `ids`. */
export async function findCharts(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(StoredChart | null)[]> {
  const rows = await db
    .selectFrom('charts')
    .innerJoin('sessions', 'sessions.id', 'charts.session_id')
    .selectAll('charts')
    .where(isOneOf('charts.id', ids))
    .where(isOwnedBy(viewer, 'sessions'))
    .execute();
  return inOrder(
    ids,
    rows.map((row): StoredChart => ({ type: 'chart', ...camelKeys(row) })),
  );
}

/** The viewer's tables in the order of `ids`. */
export async function findTables(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(StoredTable | null)[]> {
  const rows = await db
    .selectFrom('tables')
    .innerJoin('sessions', 'sessions.id', 'tables.session_id')
    .selectAll('tables')
    .where(isOneOf('tables.id', ids))
    .where(isOwnedBy(viewer, 'sessions'))
    .execute();
  return inOrder(
    ids,
    rows.map((row): StoredTable => ({ type: 'table', ...camelKeys(row) })),
  );
}
