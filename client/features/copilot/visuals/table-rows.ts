import { z } from 'zod';
import type { CopilotTableFragment } from '../../../gql/graphql.ts';
import type { CsvCell } from '../../../../src/domain/text/csv.ts';
import { headingText, isMissing, plainCell } from '../../../lib/format/cell.ts';
import { sortRows } from '../../../lib/sort-rows.ts';

/** A row by the keys of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** By which column rows are sorted. */
export type SortOrder = { readonly key: string; readonly direction: 'up' | 'down' };

const rowList = z.array(z.record(z.string(), z.unknown()));

/** The rows of a table, which the schema calls JSON; none where it is something else. */
export const rowsOf = (rows: unknown): readonly Row[] => rowList.safeParse(rows).data ?? [];

/** Rows in an order, null for the order of the tool. Numbers sort as numbers, and what is missing comes last. */
export function orderedRows(rows: readonly Row[], order: SortOrder | null): readonly Row[] {
  if (order === null) return rows;
  return sortRows(rows, (row) => cellValue(row[order.key]), order.direction === 'down');
}

/** A cell without its format; null where it is missing. */
function cellValue(value: unknown): string | number | null {
  if (isMissing(value)) return null;
  return typeof value === 'number' ? value : plainCell(value);
}

/** A table as the rows of a CSV, with units in its headings and values as they are. */
export const csvRows = (
  columns: CopilotTableFragment['columns'],
  rows: readonly Row[],
): readonly (readonly CsvCell[])[] => [
  columns.map(headingText),
  ...rows.map((row) => columns.map(({ key }) => cellValue(row[key]))),
];
