/** Parts that all tables made from results share. Missing values are null, never 0. */
import type { Rating } from '../values/metric.ts';
import type { Json, TableColumn, TableSpec } from '../visuals.ts';

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

/** A column of numbers, each in the unit of its row, which the column `unit` has. */
export const mixedColumn = (key: string, label: string): TableColumn => ({
  ...numberColumn(key, label, ''),
  unitKey: 'unit',
});

/** A column of times as ISO text. */
export const timeColumn = (key: string, label: string): TableColumn => ({
  key,
  label,
  unit: null,
  format: 'datetime',
});

/** A table with a row for each of `items`; each column comes with what it shows of an item. */
export function tableOf<Item>(
  title: string,
  items: readonly Item[],
  columns: readonly (readonly [column: TableColumn, cell: (item: Item) => Json | Date])[],
): TableSpec {
  const cellJson = (value: Json | Date): Json => (value instanceof Date ? value.toISOString() : value);
  return {
    type: 'table',
    title,
    columns: columns.map(([column]) => column),
    rows: items.map((item) =>
      Object.fromEntries(columns.map(([{ key }, cell]) => [key, cellJson(cell(item))])),
    ),
  };
}

/** `good` for GOOD; null for values that are not rated. */
export const ratingText = (rating: Rating): string | null =>
  rating === 'UNKNOWN' ? null : rating.toLowerCase();

/** Replaces a chart without rows (C11 of docs/chart-rules.md): an empty chart would be worse than none. */
export const noDataNote = (title: string, filters: string): TableSpec =>
  tableOf(title, [`No data for ${filters}`], [[textColumn('note', 'Note'), (note) => note]]);
