/** Parts that all tables made from results share. Missing values are null, never 0. */
import type { Rating } from '../values/metric.ts';
import type { TableColumn, TableSpec } from '../visuals.ts';

/** A column of words. */
export const textColumn = (key: string, label: string): TableColumn => ({
  key,
  label,
  unit: null,
  format: 'text',
});

/** A column of numbers in `unit`. */
export const numberColumn = (key: string, label: string, unit: string): TableColumn => ({
  key,
  label,
  unit: unit === '' ? null : unit,
  format: unit === '%' ? 'percent' : 'number',
});

/** A column of times as ISO text. */
export const timeColumn = (key: string, label: string): TableColumn => ({
  key,
  label,
  unit: null,
  format: 'datetime',
});

/** `good` for GOOD; null for values that are not rated. */
export const ratingText = (rating: Rating): string | null =>
  rating === 'UNKNOWN' ? null : rating.toLowerCase();

/** What stands in the place of a chart without rows (rule C11): an empty chart would be worse than none. */
export const noDataNote = (title: string, filters: string): TableSpec => ({
  type: 'table',
  title,
  columns: [textColumn('note', 'Note')],
  rows: [{ note: `No data for ${filters}` }],
});
