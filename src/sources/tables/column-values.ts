/** What the cells of a column are, and their values. One type a column: what fits no other is text. */
import type { DatasetColumn, DatasetValue } from '../../domain/datasets/dataset.ts';
import type { Heading } from './csv-header.ts';
import { refuseFile } from './csv-text.ts';

/** A column with its values; times are still `Date`s, as the Parquet file takes them. */
export type TypedColumn = DatasetColumn & { readonly values: readonly (DatasetValue | Date)[] };

/** How programs and people write a missing value; infinities are not measured values either. */
const MISSING =
  /^(?:|nan|nat|<na>|n\/?a|n\.a\.?|null|none|[-–—]|no[ _-]data|missing|not[ _-](?:measured|available)|[+-]?inf(?:inity)?|#n\/a|#div\/0!|#value!|#ref!)$/i;
/** Leading zeros belong to names, such as a run `007`. */
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const DECIMAL_COMMA = /^[+-]?\d+,\d+(?:e[+-]?\d+)?$/i;
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Types a column by all of its cells. Times without an offset are UTC.
 * @throws InvalidInputError naming the line for numbers with a decimal comma.
 */
export function typeColumn(
  { name, unit }: Heading,
  cells: readonly string[],
  lines: readonly number[],
): TypedColumn {
  const texts = cells.map((cell) => cell.trim());
  const missing = texts.filter((text) => MISSING.test(text)).length;
  const isEvery = (test: (text: string) => boolean): boolean =>
    missing < texts.length && texts.every((text) => MISSING.test(text) || test(text));
  const column = { name, unit, missing };
  if (isEvery(isNumber)) return { ...column, type: 'number', values: texts.map(toNumber) };
  if (isEvery((text) => isNumber(text) || DECIMAL_COMMA.test(text))) {
    const index = texts.findIndex((text) => DECIMAL_COMMA.test(text));
    throw refuseFile(
      `line ${lines[index]}, column ${JSON.stringify(name)}: ${JSON.stringify(texts[index])} has a decimal comma; use a decimal point, for example ${texts[index]?.replace(',', '.')}`,
    );
  }
  if (isEvery((text) => toTime(text) !== null)) {
    return { ...column, type: 'datetime', values: texts.map(toTime) };
  }
  return { ...column, type: 'text', values: texts.map((text) => (MISSING.test(text) ? null : text)) };
}

/** The type of a single cell. */
export type Cell =
  | { readonly type: 'missing' | 'text' }
  | { readonly type: 'number'; readonly value: number }
  /** `corrected` is the same with a decimal point. */
  | { readonly type: 'decimal-comma'; readonly corrected: string };

/** Reads a cell that should hold a number, by the rules of whole columns. */
export function readCell(cell: string): Cell {
  const text = cell.trim();
  if (MISSING.test(text)) return { type: 'missing' };
  if (isNumber(text)) return { type: 'number', value: Number(text) + 0 };
  return DECIMAL_COMMA.test(text)
    ? { type: 'decimal-comma', corrected: text.replace(',', '.') }
    : { type: 'text' };
}

/** Integers that a number cannot hold exactly are ids, which must not change. */
function isNumber(text: string): boolean {
  if (!NUMBER.test(text)) return false;
  const value = Number(text);
  return Number.isFinite(value) && (!/^[+-]?\d+$/.test(text) || Number.isSafeInteger(value));
}

/** + 0 makes 0 of -0. */
const toNumber = (text: string): number | null => (MISSING.test(text) ? null : Number(text) + 0);

/** The moment that a cell names, null where it names none, such as the 30th of February. */
export function toTime(text: string): Date | null {
  const [, year, month, day, clock = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  if (year === undefined) return null;
  const offset = /^(?:Z|UTC)$/i.test(zone) ? 'Z' : zone.replace(/^(...):?(..)$/, '$1:$2');
  // JavaScript takes a day too many for the next month's first; Python and people do not.
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.getUTCDate() === Number(day);
  const time = new Date(`${year}-${month}-${day}T${clock}${offset}`);
  return isDay && !Number.isNaN(time.getTime()) ? time : null;
}
