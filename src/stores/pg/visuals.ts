import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { StoredVisual, Viewer } from '../../domain/conversation/session.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import type { Db } from './database.ts';
import { inOrder, isOneOf, isReadableBy } from './ids.ts';
import { camelKeys, snakeKeys, type SnakeKeys } from './row-keys.ts';

/** A stored chart. */
export type StoredChart = Extract<StoredVisual, { type: 'chart' }>;
/** A stored table. */
export type StoredTable = Extract<StoredVisual, { type: 'table' }>;

type ChartRow = SnakeKeys<Omit<StoredChart, 'type'>>;
type TableRow = SnakeKeys<Omit<StoredTable, 'type'>>;

/** Shorter ones are not worth compressing. */
const SHORT_BODY = 1_000;

/** A chart as a row for `json_populate_recordset`. */
export const chartToRow = ({ type: _type, data, layout, ...chart }: StoredChart): object =>
  snakeKeys({ ...chart, ...withBody({ data, layout }) });

/** A table as a row for `json_populate_recordset`. */
export const tableToRow = ({ type: _type, columns, rows, ...table }: StoredTable): object =>
  snakeKeys({ ...table, ...withBody({ columns, rows }) });

/** Columns as they are, or all of them compressed in one; bytes as hex. */
function withBody(columns: object): object {
  const json = toStoredJson(columns);
  return json.length > SHORT_BODY ? { bodyZstd: `\\x${zstdCompressSync(json).toString('hex')}` } : columns;
}

/** What {@link withBody} made a row of. */
function readBody<Columns extends object>({
  body_zstd: zstd,
  ...row
}: { readonly [Name in keyof Columns]: Columns[Name] | null } & { readonly body_zstd: Buffer | null }) {
  const body = zstd === null ? {} : (JSON.parse(zstdDecompressSync(zstd).toString()) as object);
  return { ...row, ...body } as unknown as Columns;
}

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
    .where(isReadableBy(viewer, 'sessions', 'sessions.id'))
    .execute();
  return inOrder(
    ids,
    rows.map((row): StoredChart => ({ type: 'chart', ...camelKeys(readBody<ChartRow>(row)) })),
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
    .where(isReadableBy(viewer, 'sessions', 'sessions.id'))
    .execute();
  return inOrder(
    ids,
    rows.map((row): StoredTable => ({ type: 'table', ...camelKeys(readBody<TableRow>(row)) })),
  );
}
