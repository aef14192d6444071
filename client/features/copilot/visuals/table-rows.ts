import { z } from 'zod';
import type { CopilotTableFragment } from '../../../gql/graphql.ts';

/** A row by the keys of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** By which column rows are sorted. */
export type SortOrder = { readonly key: string; readonly direction: 'up' | 'down' };

const rowList = z.array(z.record(z.string(), z.unknown()));

/** The rows of a table, which the schema calls JSON; none where it is something else. */
export const rowsOf = (rows: unknown): readonly Row[] => rowList.safeParse(rows).data ?? [];

/** Rows in an order, null for the order of the tool. Numbers sort as numbers, and what is missing comes last. */
export function sortedRows(rows: readonly Row[], order: SortOrder | null): readonly Row[] {
  if (order === null) return rows;
  const sign = order.direction === 'up' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [a[order.key], b[order.key]];
    if (isMissing(left) || isMissing(right)) return Number(isMissing(left)) - Number(isMissing(right));
    return sign * compare(left, right);
  });
}

const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value));

const collator = new Intl.Collator(undefined, { numeric: true });

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(plain(a), plain(b));

/** A cell as it is read; a missing value is a dash and never 0. Times are in UTC, as headings say. */
export function cellText(value: unknown, format: string): string {
  if (isMissing(value)) return '—';
  if (format === 'datetime' && typeof value === 'string') return minuteText(value);
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  return plain(value);
}

const minuteText = (iso: string): string => {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toISOString().slice(0, 16).replace('T', ' ');
};

/** A table as CSV, with units in its headings and values as they are. */
export function tableCsv(columns: CopilotTableFragment['columns'], rows: readonly Row[]): string {
  const headings = columns.map(({ label, unit }) => (unit ? `${label} (${unit})` : label));
  const lines = rows.map((row) => columns.map(({ key }) => (isMissing(row[key]) ? '' : plain(row[key]))));
  return [headings, ...lines].map((cells) => cells.map(csvCell).join(',')).join('\r\n');
}

/** Text that a spreadsheet would take for a formula is kept from being one. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
