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

/** Answers of a query within the bounds; `rows` hold one more than allowed where there are more. */
export function boundedRows(rows: readonly Readonly<Record<string, unknown>>[]): SourceRows {
  let room = MAX_CHARACTERS;
  const end = rows.findIndex((row, at) => {
    room -= JSON.stringify(row).length;
    return at >= MAX_ROWS || room < 0;
  });
  return end < 0 ? { rows, hasMore: false } : { rows: rows.slice(0, end), hasMore: true };
}
