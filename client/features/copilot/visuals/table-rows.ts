import { z } from 'zod';
import type { CopilotTableFragment } from '../../../gql/graphql.ts';
import type { CsvCell } from '../../../lib/csv.ts';
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

const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value));

/** A cell without its format; null where it is missing. */
function cellValue(value: unknown): string | number | null {
  if (isMissing(value)) return null;
  return typeof value === 'number' ? value : plain(value);
}

/** Digits of a measured value, as charts show them; a CSV has all. */
const SIGNIFICANT_DIGITS = 4;

/** A cell as it is read; a missing value is a dash and never 0. Times are in UTC, as headings say. */
export function cellText(value: unknown, format: string): string {
  if (isMissing(value)) return '—';
  if (format === 'datetime' && typeof value === 'string') return minuteText(value);
  if (typeof value === 'number') return numberText(value);
  return plain(value);
}

/** No digit before the point is cut: counts and ids stay whole. */
function numberText(value: number): string {
  const hasNoRoom = Math.abs(value) >= 10 ** (SIGNIFICANT_DIGITS - 1);
  return String(hasNoRoom ? Math.round(value) : Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}

const minuteText = (iso: string): string => {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toISOString().slice(0, 16).replace('T', ' ');
};

/** A table as the rows of a CSV, with units in its headings and values as they are. */
export const csvRows = (
  columns: CopilotTableFragment['columns'],
  rows: readonly Row[],
): readonly (readonly CsvCell[])[] => [
  columns.map(({ label, unit }) => (unit ? `${label} (${unit})` : label)),
  ...rows.map((row) => columns.map(({ key }) => cellValue(row[key]))),
];

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
