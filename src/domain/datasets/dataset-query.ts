/**
 * Questions about an uploaded table: rows that pass filters, or figures of groups of them. What is asked is checked
 * here against the table's columns, before any row is read; `dataset-answer.ts` answers it.
 */
import { InvalidInputError } from '../../base/errors.ts';
import type { DatasetFilter } from './dataset-filter.ts';
import type { DatasetColumn, TableShape } from './dataset.ts';

/** Figures of a group. Those but `count`, `min` and `max` are of numbers only; nothing is ever summed. */
export const AGGREGATES = ['count', 'mean', 'median', 'stdev', 'min', 'max'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** A question about a table; column names in any case. */
export type DatasetQuery = {
  /** Null: all of them. Must be null or among `groupBy` where figures are asked for. */
  readonly columns: readonly string[] | null;
  /** All must hold. */
  readonly filters: readonly DatasetFilter[];
  readonly groupBy: readonly string[];
  readonly aggregates: readonly { readonly column: string; readonly figure: Aggregate }[];
  /** By a column of the result, missing values last; null: in the order of the file. */
  readonly order: { readonly column: string; readonly descending: boolean } | null;
  readonly limit: number;
};

/** A column of an answer. */
export type ResultColumn = Pick<DatasetColumn, 'name' | 'type' | 'unit'>;

/** A question checked against a table. */
export type DatasetPlan = {
  readonly query: DatasetQuery;
  /** Columns to be read. */
  readonly reads: readonly DatasetColumn[];
  /** Columns of the answer. */
  readonly result: readonly ResultColumn[];
  /** The column that counts the rows of a group; null for plain rows. */
  readonly rowsColumn: string | null;
};

/**
 * Checks a question against a table.
 * @throws InvalidInputError naming the table's columns for one that it does not have, and for figures of text.
 */
export function planQuery(shape: TableShape, asked: DatasetQuery): DatasetPlan {
  const find = (name: string, path: string): DatasetColumn => findColumn(shape.columns, name, path);
  const groupBy = asked.groupBy.map((name) => find(name, 'group_by'));
  const filters = asked.filters.map((filter) => ({ ...filter, column: find(filter.column, 'filters').name }));
  const figures = asked.aggregates.map(({ column, figure }) => ({
    column: figureColumn(find(column, 'aggregate'), figure),
    figure,
  }));
  const isGrouped = groupBy.length > 0 || figures.length > 0;
  const columns =
    asked.columns === null || asked.columns.length === 0
      ? null
      : asked.columns.map((name) => find(name, 'columns'));
  const outside = isGrouped ? (columns ?? []).find((column) => !groupBy.includes(column)) : undefined;
  if (outside !== undefined) {
    throw invalid(
      'columns',
      `${outside.name} is neither in group_by nor in aggregate; add it to one of them`,
    );
  }
  const listed = columns ?? shape.columns;
  const rowsColumn = isGrouped ? freeName('rows', groupBy) : null;
  const result: readonly ResultColumn[] =
    rowsColumn === null
      ? listed
      : [...groupBy, { name: rowsColumn, type: 'number', unit: null }, ...figures.map(figureResult)];
  const order = asked.order && {
    ...asked.order,
    column: findColumn(result, asked.order.column, 'order').name,
  };
  const used = new Set(
    [...(isGrouped ? groupBy : listed), ...figures.map(({ column }) => column)].map(({ name }) => name),
  );
  for (const { column } of filters) used.add(column);
  return {
    query: {
      columns: isGrouped ? null : listed.map(({ name }) => name),
      filters,
      groupBy: groupBy.map(({ name }) => name),
      aggregates: figures.map(({ column, figure }) => ({ column: column.name, figure })),
      order,
      limit: asked.limit,
    },
    reads: shape.columns.filter(({ name }) => used.has(name)),
    result,
    rowsColumn,
  };
}

function freeName(name: string, taken: readonly ResultColumn[]): string {
  return taken.some((column) => column.name === name) ? freeName(`_${name}`, taken) : name;
}

/** Name of a figure's column in the answer. */
export const figureName = (figure: Aggregate, column: string): string => `${figure}_${column}`;

function figureResult({
  column,
  figure,
}: {
  readonly column: DatasetColumn;
  readonly figure: Aggregate;
}): ResultColumn {
  const name = figureName(figure, column.name);
  return figure === 'count' ? { name, type: 'number', unit: null } : { ...column, name };
}

function figureColumn(column: DatasetColumn, figure: Aggregate): DatasetColumn {
  const fits =
    figure === 'count' ||
    column.type === 'number' ||
    (column.type === 'datetime' && (figure === 'min' || figure === 'max'));
  if (fits) return column;
  throw invalid('aggregate', `${column.name} holds ${column.type}, which has no ${figure}; use count`);
}

/** The column of a name, in any case. @throws InvalidInputError naming the existing ones. */
export function findColumn<Column extends ResultColumn>(
  columns: readonly Column[],
  name: string,
  path: string,
): Column {
  const found =
    columns.find((column) => column.name === name) ??
    columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const known = columns.map((column) => column.name).join(', ');
  throw invalid(path, `unknown column ${name}; the columns are ${known}`);
}

const invalid = (path: string, message: string): InvalidInputError => InvalidInputError.at([path], message);
