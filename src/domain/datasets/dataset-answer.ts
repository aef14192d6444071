/** Answers questions about uploaded tables from their columns. Pure. A missing value takes part in no figure. */
import { statisticsOf } from '../values/statistics.ts';
import type { JsonObject } from '../visuals.ts';
import { compareValues, filterTest } from './dataset-filter.ts';
import {
  figureName,
  findColumn,
  type Aggregate,
  type DatasetPlan,
  type DatasetQuery,
  type ResultColumn,
} from './dataset-query.ts';
import type { DatasetValue } from './dataset.ts';

export type DatasetAnswer = {
  readonly columns: readonly ResultColumn[];
  /** At most `limit`, keyed by column name. */
  readonly rows: readonly JsonObject[];
  /** Rows of the table that passed the filters. */
  readonly matched: number;
  /** Rows of the answer before `limit`. */
  readonly total: number;
};

/** The values of the columns that a plan reads, by name, one for each of `rowCount` rows. */
export type ColumnValues = ReadonlyMap<string, readonly DatasetValue[]>;

/** Answers a checked question. @throws InvalidInputError for a filter whose value does not fit its column. */
export function runQuery(
  { query, reads, result, rowsColumn }: DatasetPlan,
  values: ColumnValues,
  rowCount: number,
): DatasetAnswer {
  const of = (name: string): readonly DatasetValue[] => values.get(name) ?? [];
  const tests = query.filters.map((filter) => {
    const column = findColumn(reads, filter.column, 'filters');
    const passes = filterTest(column, filter);
    const cells = of(column.name);
    return (row: number) => passes(cells[row] ?? null);
  });
  const matched: number[] = [];
  for (let row = 0; row < rowCount; row += 1) if (tests.every((passes) => passes(row))) matched.push(row);
  const cells =
    rowsColumn === null
      ? rowCells(query.columns ?? [], matched, of)
      : groupCells(query, rowsColumn, matched, of);
  const indices = orderOf(query, cells);
  const rows = indices
    .slice(0, query.limit)
    .map((index): JsonObject =>
      Object.fromEntries(result.map(({ name }) => [name, cells.value(name, index)])),
    );
  return { columns: result, rows, matched: matched.length, total: cells.count };
}

/** The cells of an answer before it is sorted. */
type Cells = { readonly count: number; readonly value: (name: string, index: number) => DatasetValue };

function rowCells(
  names: readonly string[],
  matched: readonly number[],
  of: (name: string) => readonly DatasetValue[],
): Cells {
  const columns = new Map(names.map((name) => [name, of(name)]));
  return {
    count: matched.length,
    value: (name, index) => columns.get(name)?.[matched[index] ?? -1] ?? null,
  };
}

/** Without `groupBy` all rows are one group, even when there are none. */
function groupCells(
  { groupBy, aggregates }: DatasetQuery,
  rowsColumn: string,
  matched: readonly number[],
  of: (name: string) => readonly DatasetValue[],
): Cells {
  const keys = groupBy.map(of);
  const groups = new Map<string, number[]>(groupBy.length === 0 ? [['[]', []]] : []);
  for (const row of matched) {
    const key = JSON.stringify(keys.map((cells) => cells[row] ?? null));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const rows = [...groups].map(([key, members]): JsonObject => {
    const named = JSON.parse(key) as readonly DatasetValue[];
    return {
      ...Object.fromEntries(groupBy.map((name, index) => [name, named[index] ?? null])),
      [rowsColumn]: members.length,
      ...Object.fromEntries(
        aggregates.map(({ column, figure }) => {
          const cells = of(column);
          const present = members.map((row) => cells[row] ?? null).filter((value) => value !== null);
          return [figureName(figure, column), figureOf(figure, present)];
        }),
      ),
    };
  });
  return {
    count: rows.length,
    value: (name, index) => {
      const value = rows[index]?.[name];
      return typeof value === 'number' || typeof value === 'string' ? value : null;
    },
  };
}

function figureOf(figure: Aggregate, values: readonly (number | string)[]): DatasetValue {
  if (figure === 'count') return values.length;
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === values.length) return statisticsOf(numbers)[figure];
  const times = values.map(String).toSorted();
  return (figure === 'min' ? times.at(0) : times.at(-1)) ?? null;
}

/** Stable, so that equal rows stay in the order of the file. */
function orderOf({ order }: DatasetQuery, { count, value }: Cells): readonly number[] {
  const indices = Array.from({ length: count }, (_, index) => index);
  if (order === null) return indices;
  const { column, descending } = order;
  return indices.toSorted((a, b) => {
    const [left, right] = [value(column, a), value(column, b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return descending ? compareValues(right, left) : compareValues(left, right);
  });
}
