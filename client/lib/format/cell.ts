/** How a cell of a table is written, on pages and in the terminal alike. */

/** Digits of a measured value, as charts show them; a CSV has all. */
const SIGNIFICANT_DIGITS = 4;

/** Whether there is nothing to show. */
export const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value));

/** A cell as it is read; a missing value is a dash and never 0. Times are in UTC, as the headings note. */
export function cellText(value: unknown, format: string): string {
  if (isMissing(value)) return '—';
  if (format === 'datetime' && typeof value === 'string') return minuteText(value);
  return typeof value === 'number' ? numberText(value) : plainCell(value);
}

/** A column as the server sends it. */
type Column = {
  readonly key: string;
  readonly label: string;
  readonly unit?: string | null;
  /** The column that has the unit of each row. */
  readonly unitKey?: string | null;
  readonly format: string;
};

/** Columns as they are read: units that differ from row to row stand in the cells, and need no column. */
export const shownColumns = <Shown extends Column>(columns: readonly Shown[]): readonly Shown[] =>
  columns.filter(({ key }) => columns.every(({ unitKey }) => unitKey !== key));

/** `T1 (μs)` */
export const headingText = ({ label, unit }: Pick<Column, 'label' | 'unit'>): string =>
  unit ? `${label} (${unit})` : label;

/** The cell of a row, with the unit of its row where the heading has none. */
export function cellOf(row: Readonly<Record<string, unknown>>, { key, format, unitKey }: Column): string {
  const [value, unit] = [row[key], unitKey ? row[unitKey] : null];
  const text = cellText(value, format);
  return typeof value === 'number' && !isMissing(value) && typeof unit === 'string' && unit !== ''
    ? `${text} ${unit}`
    : text;
}

/** Four significant digits without trailing zeros; no digit before the point is cut: counts and ids stay whole. */
export function numberText(value: number): string {
  const hasNoRoom = Math.abs(value) >= 10 ** (SIGNIFICANT_DIGITS - 1);
  return String(hasNoRoom ? Math.round(value) : Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}

/** A cell unformatted. */
export function plainCell(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

const minuteText = (iso: string): string => {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toISOString().slice(0, 16).replace('T', ' ');
};
