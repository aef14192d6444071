import type { ChartViewFragment, CopilotTableFragment } from '../../gql/graphql.ts';
import { chartPartsOf } from './chart-parts.ts';

type Read = (text: string) => string;
type ShownTable = Pick<CopilotTableFragment, 'title' | 'columns' | 'rows'>;

/** Turns charts and tables of the server into those of another language: headings, axes, columns and ratings. */
export type VisualReader = {
  readonly chart: <Chart extends ChartViewFragment>(chart: Chart) => Chart;
  readonly table: <Table extends ShownTable>(table: Table) => Table;
};

export const visualReader = (read: Read): VisualReader => ({
  chart: chartReader(read),
  table: tableReader(read),
});

/** Keys of Plotly below which titles stand. */
const TITLED = new Set(['title', 'subtitle', 'xaxis', 'yaxis', 'colorbar', 'marker']);

/** Names of traces, and titles wherever they stand in a trace or layout; values and points stay as they are. */
function titlesIn(value: object, read: Read, isTitle = false): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => {
      if (typeof part === 'string')
        return [key, key === 'name' || key === 'title' || (isTitle && key === 'text') ? read(part) : part];
      const isBelow = TITLED.has(key) && typeof part === 'object' && part !== null && !Array.isArray(part);
      return [key, isBelow ? titlesIn(part, read, key.endsWith('title')) : part];
    }),
  );
}

const chartReader =
  (read: Read) =>
  <Chart extends ChartViewFragment>(chart: Chart): Chart => {
    const parts = chartPartsOf(chart);
    return {
      ...chart,
      title: read(chart.title),
      ...(parts !== null && {
        data: parts.data.map((trace) => titlesIn(trace, read)),
        layout: titlesIn(parts.layout, read),
      }),
    };
  };

/** Columns whose cells are words of ours, by their keys. */
const WORDED = new Set(['parameter', 'rating', 'verdict', 'trend', 'status', 'reason']);

const tableReader =
  (read: Read) =>
  <Table extends ShownTable>(table: Table): Table => ({
    ...table,
    title: read(table.title),
    columns: table.columns.map((column) => ({ ...column, label: read(column.label) })),
    rows: Array.isArray(table.rows) ? table.rows.map((row: unknown) => rowIn(row, read)) : table.rows,
  });

function rowIn(row: unknown, read: Read): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const cells: readonly (readonly [string, unknown])[] = Object.entries(row);
  const isNote = cells.length === 1;
  return Object.fromEntries(
    cells.map(([key, cell]) => [
      key,
      typeof cell === 'string' && (WORDED.has(key) || isNote) ? read(cell) : cell,
    ]),
  );
}
