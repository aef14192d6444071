import { InvalidInputError } from '../../base/errors.ts';
import type { DatasetColumn, DatasetValue } from './dataset.ts';

/** Comparisons of a column with a value; `missing` and `present` take none. */
export const FILTER_OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'contains', 'missing', 'present'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A condition on one column. `value` is text as a person would write it: `20`, `0-1`, `2026-03-01`. */
export type DatasetFilter = {
  readonly column: string;
  readonly op: FilterOperator;
  readonly value: string | null;
};

/** Order of two values of one column: numbers by size, texts and times by their characters. */
export function compareValues(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * The test of a filter on values of its column. A missing value passes `missing` only and fails even `!=`, since
 * nothing is known of it. Text is compared as it is by `=`, without regard to case by `contains`.
 * @throws InvalidInputError for a value that is not of the column's type.
 */
export function filterTest(
  column: DatasetColumn,
  { op, value }: DatasetFilter,
): (cell: DatasetValue) => boolean {
  if (op === 'missing') return (cell) => cell === null;
  if (op === 'present') return (cell) => cell !== null;
  if (value === null) throw invalid(`${column.name} ${op} needs a value; use missing or present without one`);
  if (op === 'contains') {
    if (column.type !== 'text') throw invalid(`${column.name} holds ${column.type}; contains is for text`);
    const part = value.toLowerCase();
    return (cell) => cell !== null && String(cell).toLowerCase().includes(part);
  }
  const wanted = valueFor(column, value);
  return (cell) => cell !== null && holds(op, compareValues(cell, wanted));
}

function holds(op: Exclude<FilterOperator, 'contains' | 'missing' | 'present'>, order: number): boolean {
  switch (op) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** Times are stored as ISO text in UTC, which sorts chronologically. */
function valueFor({ name, type }: DatasetColumn, text: string): number | string {
  switch (type) {
    case 'text':
      return text;
    case 'number': {
      const number = text.trim() === '' ? Number.NaN : Number(text);
      if (Number.isNaN(number))
        throw invalid(`${name} holds numbers; ${JSON.stringify(text)} is not a number`);
      return number;
    }
    case 'datetime': {
      const withZone = /\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text) && !/[+-]\d\d:\d\d$/.test(text);
      const time = new Date(withZone ? `${text.replace(' ', 'T')}Z` : text);
      if (Number.isNaN(time.getTime())) {
        throw invalid(
          `${name} holds times; ${JSON.stringify(text)} is not a time. Write 2026-03-01T12:00:00Z`,
        );
      }
      return time.toISOString();
    }
  }
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at(['filters'], message);
