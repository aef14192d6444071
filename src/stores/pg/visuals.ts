import type { StoredVisual, Viewer } from '../../domain/conversation/session.ts';
import type { Db } from './database.ts';
import { inOrder, isOneOf } from './ids.ts';

/** A stored chart. */
export type StoredChart = Extract<StoredVisual, { type: 'chart' }>;
/** A stored table. */
export type StoredTable = Extract<StoredVisual, { type: 'table' }>;

/** A chart as a row for `json_populate_recordset`. */
export const chartToRow = ({
  id,
  sessionId,
  turnId,
  callId,
  title,
  kind,
  data,
  layout,
}: StoredChart): object => ({
  id,
  session_id: sessionId,
  turn_id: turnId,
  call_id: callId,
  title,
  kind,
  data,
  layout,
});

/** A table as a row for `json_populate_recordset`. */
export const tableToRow = ({ id, sessionId, turnId, callId, title, columns, rows }: StoredTable): object => ({
  id,
  session_id: sessionId,
  turn_id: turnId,
  call_id: callId,
  title,
  columns,
  rows,
});

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
    .where('sessions.project_id', '=', viewer.projectId)
    .where('sessions.viewer_id', '=', viewer.id)
    .execute();
  const charts = rows.map(({ id, session_id, turn_id, call_id, title, kind, data, layout }) => {
    const place = { id, sessionId: session_id, turnId: turn_id, callId: call_id };
    return { type: 'chart', ...place, title, kind, data, layout } satisfies StoredChart;
  });
  return inOrder(ids, charts);
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
    .where('sessions.project_id', '=', viewer.projectId)
    .where('sessions.viewer_id', '=', viewer.id)
    .execute();
  const tables = rows.map(({ id, session_id, turn_id, call_id, title, columns, rows: cells }) => {
    const place = { id, sessionId: session_id, turnId: turn_id, callId: call_id };
    return { type: 'table', ...place, title, columns, rows: cells } satisfies StoredTable;
  });
  return inOrder(ids, tables);
}
