/** `query_dataset` and `make_chart`, called as the loop calls them, over a real file and the real thread. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChartSpec, TableSpec } from '../../src/domain/visuals.ts';
import type { ToolResult } from '../../src/agent/tool.ts';
import { noDatasets } from '../support/no-uploads.ts';
import { stubServices } from '../support/stub-services.ts';
import { openToolBench, type ToolBench } from '../support/tool-bench.ts';
import { openUploadedTable, type UploadedTable } from '../support/uploaded-table.ts';

const CSV = `qid,T1 (us),run,at
Q0,45.25,1,2026-03-01
Q1,NaN,1,2026-03-01
Q0,38.75,2,2026-03-02
Q1,20,2,2026-03-02
`;

let table: UploadedTable;
beforeAll(async () => {
  table = await openUploadedTable(CSV);
});
afterAll(() => table.close());

/** A session whose tools read nothing but uploads and kept results. */
function openBench(given = table.datasets): ToolBench {
  return openToolBench({
    services: stubServices({}),
    viewer: { id: 'local', name: 'local', projectId: 'demo', role: 'owner', isOperator: true },
    chipId: null,
    now: new Date('2026-03-04T05:06:07Z'),
    datasets: given,
  });
}
const query = { dataset: 'T1_sweep', descending: false };
const chartOf = ({ visuals: [visual] }: ToolResult) => visual as ChartSpec;
const tableOf = ({ visuals: [visual] }: ToolResult) => visual as TableSpec;

describe('query_dataset', () => {
  test('shows rows as a table with units, says how many match, and keeps them for analysis', async () => {
    const bench = openBench();
    const filters = [{ column: 'T1', op: '>=', value: '20' }];
    const result = await bench.result('query_dataset', { ...query, filters, order_by: 'T1' });
    expect(result.formattedSummary.split('\n')).toEqual([
      'T1_sweep where T1 >= 20: 3 of 4 rows match.',
      'qid Q1, T1 20 μs, run 2, at 2026-03-02T00:00:00.000Z.',
      'qid Q0, T1 38.75 μs, run 2, at 2026-03-02T00:00:00.000Z.',
      'qid Q0, T1 45.25 μs, run 1, at 2026-03-01T00:00:00.000Z.',
      'Uploaded by the user; not compared with stored results.',
    ]);
    expect(tableOf(result)).toMatchObject({
      title: 'T1_sweep where T1 >= 20',
      columns: [
        { key: 'qid', format: 'text' },
        { key: 'T1', unit: 'μs', format: 'number' },
        { key: 'run', format: 'number' },
        { key: 'at', format: 'datetime' },
      ],
    });
    expect(tableOf(result).rows.map(({ T1 }) => T1)).toEqual([20, 38.75, 45.25]);
    expect(result.freshness).toMatchObject({
      source: 'DATASET',
      oldestAt: new Date('2026-03-01'),
      newestAt: new Date('2026-03-02'),
    });
    const { data_key: key } = result.modelData as { data_key: string };
    expect(key).toMatch(/^dataset_T1_sweep#[0-9a-f]{8}$/);
    expect(JSON.parse((await bench.context.dataStore.get(key))!)).toMatchObject({
      file: 'T1 sweep.csv',
      rows: [{ T1: 20 }, { T1: 38.75 }, { T1: 45.25 }],
    });
  });

  test('gives figures of groups', async () => {
    const result = await openBench().result('query_dataset', {
      ...query,
      group_by: ['qid'],
      aggregate: [{ column: 'T1', figure: 'mean' }],
      order_by: 'mean_T1',
      descending: true,
      limit: 1,
    });
    expect(result.data).toMatchObject({ rows: [{ qid: 'Q0', rows: 2, mean_T1: 42 }] });
    expect(result.formattedSummary).toMatch(
      /1 of 2 rows of the result are kept\.\nqid Q0, rows 2, mean_T1 42 μs\./,
    );
  });

  test('of no matching row is a note, not an empty table', async () => {
    const filters = [{ column: 'qid', op: '=', value: 'Q9' }];
    const result = await openBench().result('query_dataset', { ...query, filters });
    expect(tableOf(result).rows).toEqual([{ note: 'No data for T1_sweep where qid = Q9' }]);
    expect(result.formattedSummary).toMatch(/0 of 4 rows match/);
  });

  test('names the tables and columns that there are', async () => {
    const bench = openBench();
    const unknown = await bench.call('query_dataset', { ...query, dataset: 'T2' });
    expect(unknown.error).toMatchObject({
      code: 'NOT_FOUND',
      message: 'there is no uploaded table T2; there are T1_sweep',
    });
    const column = await bench.call('query_dataset', { ...query, columns: ['T2'] });
    expect(column.error?.message).toBe('columns: unknown column T2; the columns are qid, T1, run, at');
    const none = await openBench(noDatasets).call('query_dataset', query);
    expect(none.error?.message).toMatch(/ask the user to upload a CSV/);
  });
});

const chart = {
  df_name: 'dataset_T1_sweep',
  logical_name: '',
  chart_type: 'line',
  x_field: 'at',
  x_label: '',
  y_label: 'T1 (μs)',
  series: [{ name: '', y_field: 'T1' }],
  title: 'T1 over time',
  note: '',
};

async function benchWithRows(): Promise<ToolBench> {
  const bench = openBench();
  await bench.result('query_dataset', query);
  return bench;
}

describe('make_chart', () => {
  test('draws kept rows and says that the model chose them, in words and for programs', async () => {
    const result = await (await benchWithRows()).result('make_chart', chart);
    expect(chartOf(result)).toMatchObject({
      kind: 'LINE',
      title: 'T1 over time',
      data: [{ type: 'scatter', mode: 'lines+markers', name: 'T1', y: [45.25, null, 38.75, 20] }],
      layout: {
        title: { subtitle: { text: 'Chosen by the model from dataset_T1_sweep' } },
        xaxis: { title: { text: 'at' } },
        yaxis: { title: { text: 'T1 (μs)' } },
        meta: { madeBy: 'model' },
      },
    });
    expect(result.source).toBe('DATASET');
  });

  test.each([
    [
      'bar',
      'BAR',
      { orientation: 'h', x: [1, 1, 2, 2], y: ['Q0', 'Q1', 'Q0', 'Q1'] },
      { yaxis: { autorange: 'reversed' } },
    ],
    ['column', 'BAR', { x: ['Q0', 'Q1', 'Q0', 'Q1'], y: [1, 1, 2, 2] }, {}],
    ['stacked_column', 'BAR', { type: 'bar' }, { barmode: 'stack' }],
    ['scatter', 'SCATTER', { mode: 'markers' }, {}],
  ])('draws a %s', async (chart_type, kind, trace, layout) => {
    const series = [
      { name: 'Run', y_field: 'run' },
      { name: 'T1', y_field: 'T1' },
    ];
    const bench = await benchWithRows();
    const result = await bench.result('make_chart', { ...chart, chart_type, x_field: 'qid', series });
    expect(chartOf(result)).toMatchObject({
      kind,
      data: [{ name: 'Run', ...trace }, { name: 'T1' }],
      layout,
    });
    expect(chartOf(result).layout['showlegend']).toBe(true);
  });

  test('finds the rows of any kept result: the longest list, or the one that is named', async () => {
    const bench = openBench();
    await bench.context.dataStore.put(
      'chip_summary',
      JSON.stringify({
        chip_id: 'c',
        qubits: [
          { qid: '0', t1: 1 },
          { qid: '1', t1: 2 },
        ],
        problems: [{ qid: '1', value: 3 }],
      }),
    );
    await bench.context.dataStore.put('fits', JSON.stringify([{ qid: '0', t1: 9 }]));
    const of = async (df_name: string, logical_name: string, y_field: string) =>
      chartOf(
        await bench.result('make_chart', {
          ...chart,
          df_name,
          logical_name,
          x_field: 'qid',
          series: [{ name: '', y_field }],
        }),
      ).data[0]?.['y'];
    expect(await of('chip_summary', '', 't1')).toEqual([1, 2]);
    expect(await of('chip_summary', 'problems', 'value')).toEqual([3]);
    expect(await of('fits', '', 't1')).toEqual([9]);
  });

  test.each([
    [{ df_name: 't1' }, /no result is kept as t1; there are dataset_T1_sweep/],
    [{ logical_name: 'points' }, /there are no rows in "points"; there are rows \(4 rows\)/],
    [{ x_field: 'time' }, /x_field: the rows have no time; they have qid, T1, run, at/],
    [{ series: [{ name: '', y_field: 'T2' }] }, /series: the rows have no T2/],
    [{ series: [{ name: '', y_field: 'qid' }] }, /qid holds "Q0", which is no number/],
  ])('says what would be right: %j', async (change, message) => {
    const bench = await benchWithRows();
    const { error } = await bench.call('make_chart', { ...chart, logical_name: 'rows', ...change });
    expect(error?.message).toMatch(message);
  });

  test('draws no more bars than can be read, and no more points than a browser can draw', async () => {
    const bench = openBench();
    const rows = Array.from({ length: 2_001 }, (_, n) => ({ n, v: n }));
    await bench.context.dataStore.put('many', JSON.stringify(rows));
    const many = { ...chart, df_name: 'many', x_field: 'n', series: [{ name: '', y_field: 'v' }] };
    const bars = await bench.call('make_chart', { ...many, chart_type: 'column' });
    expect(bars.error?.message).toMatch(/2001 bars are too many; at most 200/);
    const lines = await bench.call('make_chart', {
      ...many,
      series: Array(10).fill({ name: '', y_field: 'v' }),
    });
    expect(lines.error?.message).toMatch(/20010 points are too many/);
  });
});
