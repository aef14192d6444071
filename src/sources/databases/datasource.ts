/**
 * Databases of the lab that jobs may query besides the calibration data: named in the settings, with addresses from the
 * environment. Read only. No error, listing or result contains an address or credentials.
 */

import type { DatasourceType } from '../../config/settings.ts';

/** A datasource as everybody may see it. */
export type Datasource = {
  readonly id: string;
  readonly name: string;
  readonly type: DatasourceType;
  /** Whether the settings declare it read-only; QPilot itself never writes to it. */
  readonly readOnly: boolean;
};

/** Rows that a query gave, at most {@link MAX_ROWS} of them. */
export type SourceRows = {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Whether there were more. */
  readonly hasMore: boolean;
};

/** Most rows of one answer. */
export const MAX_ROWS = 500;
/** Longest JSON text of one answer; the rest counts as more rows. */
export const MAX_CHARACTERS = 1_000_000;
/** How long a query may take. */
export const QUERY_MS = 10_000;
/** Rows that are read at once, so that few are in memory when the bounds are reached. */
export const ROWS_AT_ONCE = 20;

type Row = Readonly<Record<string, unknown>>;

/** Reads rows only until `limit` of them or {@link MAX_CHARACTERS} are there. */
export async function boundedRows(source: AsyncIterable<Row>, limit = MAX_ROWS): Promise<SourceRows> {
  const rows: Row[] = [];
  let room = MAX_CHARACTERS;
  for await (const row of source) {
    room -= JSON.stringify(row).length;
    if (rows.length === limit || room < 0) return { rows, hasMore: true };
    rows.push(row);
  }
  return { rows, hasMore: false };
}
