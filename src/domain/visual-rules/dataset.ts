/** Rows of an uploaded table, as a table: there is no rule for what they mean, so none draws a chart of them. */
import type { DatasetAnswer } from '../datasets/dataset-answer.ts';
import type { DatasetColumnType } from '../datasets/dataset.ts';
import type { TableColumn, TableSpec } from '../visuals.ts';
import { noDataNote, numberColumn, textColumn, timeColumn } from './table.ts';

/** Rows of a table that are shown; the rest can be charted and analysed. */
const MAX_ROWS = 200;

/** The first rows of an answer; `what` says which rows they are. */
export function datasetTable(what: string, { columns, rows, total }: DatasetAnswer): TableSpec {
  if (rows.length === 0) return noDataNote(what, what);
  const shown = rows.slice(0, MAX_ROWS);
  return {
    type: 'table',
    title: shown.length < total ? `${what} (${shown.length} of ${total} rows)` : what,
    columns: columns.map(({ name, type, unit }) => columnOf(type, name, unit ?? '')),
    rows: shown,
  };
}

function columnOf(type: DatasetColumnType, name: string, unit: string): TableColumn {
  switch (type) {
    case 'number':
      return numberColumn(name, name, unit);
    case 'text':
      return textColumn(name, name);
    case 'datetime':
      return timeColumn(name, `${name} (UTC)`);
  }
}
