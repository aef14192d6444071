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
