/** Arguments of the tools that ask the live source, uploaded tables, the sandbox, and kept results. */
import { expect } from '@jest/globals';
import type { ToolResult } from '../../../src/agent/tool.ts';
import type { ChartSpec } from '../../../src/domain/visuals.ts';
import { argumentsOf } from '../../support/tool-bench.ts';
import { argument, type ArgumentCase } from './argument-case.ts';

/** What `T1_sweep` was uploaded from. */
export const SWEEP = `qid,T1 (us),run
Q0,45.25,1
Q1,NaN,1
Q0,38.75,2
Q1,20,2
`;

type Row = Readonly<Record<string, string | number | null>>;
type Table = { readonly rows: readonly Row[] };

const sweep = { dataset: 'T1_sweep', descending: false };
const t1Of = ({ rows }: Table) => rows.map(({ T1 }) => T1);

/** A filter on T1 or on the qubit, and the T1 of the rows that pass it. */
const FILTERS = [
  ['T1', '=', '20', [20]],
  ['T1', '!=', '20', [45.25, 38.75]],
  ['T1', '<', '38.75', [20]],
  ['T1', '<=', '38.75', [38.75, 20]],
  ['T1', '>', '38.75', [45.25]],
  ['T1', '>=', '38.75', [45.25, 38.75]],
  ['qid', 'contains', 'q1', [null, 20]],
  ['T1', 'missing', null, [null]],
  ['T1', 'present', null, [45.25, 38.75, 20]],
] as const;

/** A figure of T1, and what it is for the one group of Q0. */
const FIGURES = [
  ['count', 2],
  ['mean', 42],
  ['median', 42],
  ['stdev', Math.SQRT1_2 * (45.25 - 38.75)],
  ['min', 38.75],
  ['max', 45.25],
] as const;

const chart = {
  df_name: 'dataset_T1_sweep',
  logical_name: 'rows',
  chart_type: 'column',
  x_field: 'qid',
  x_label: 'Which',
  y_label: 'How long (μs)',
  series: [{ name: 'Measured', y_field: 'T1' }],
  title: 'A title',
  note: 'A remark',
};
const chartOf = ({ visuals: [visual] }: ToolResult) => visual as ChartSpec;

export const ANALYSIS_CASES: readonly ArgumentCase[] = [
  argument<{ values: { qid: string; parameter: string }[] }>(
    'get_live_parameters',
    'which qubits, which parameters',
    { qids: ['Q07', '12'], param_names: ['t1'] },
    ({ values }) =>
      expect(values.map(({ qid, parameter }) => [qid, parameter])).toEqual([
        ['7', 't1'],
        ['12', 't1'],
      ]),
  ),
  argument<{ rows: { qid: string; parameter: string }[] }>(
    'verify_against_live',
    'which qubits, which parameters',
    { qids: ['Q07'], param_names: ['t2_echo', 't1'] },
    ({ rows }) =>
      expect(rows.map(({ qid, parameter }) => [qid, parameter])).toEqual([
        ['7', 't2_echo'],
        ['7', 't1'],
      ]),
  ),
  ...FILTERS.map(([column, op, value, expected]) =>
    argument<Table>(
      'query_dataset',
      `rows where ${column} ${op} ${value ?? ''}`,
      { ...sweep, filters: [{ column, op, value }] },
      (data) => expect(t1Of(data)).toEqual(expected),
    ),
  ),
  ...FIGURES.map(([figure, expected]) =>
    argument<Table>(
      'query_dataset',
      `the ${figure} of a group`,
      { ...sweep, group_by: ['qid'], aggregate: [{ column: 'T1', figure }], limit: 1 },
      ({ rows: [row] }) => {
        expect(row?.['qid']).toBe('Q0');
        expect(row?.[`${figure}_T1`]).toBeCloseTo(expected, 12);
      },
    ),
  ),
  argument<Table>('query_dataset', 'which columns', { ...sweep, columns: ['run'] }, ({ rows }) =>
    expect(rows[0]).toEqual({ run: 1 }),
  ),
  argument<Table>(
    'query_dataset',
    'in which order, how many',
    { ...sweep, order_by: 'T1', descending: true, limit: 2 },
    (data) => expect(t1Of(data)).toEqual([45.25, 38.75]),
  ),
  argument<object>(
    'propose_job',
    'who does what, where, how, and why',
    {
      expert_id: 'researcher',
      description: ' Look into Q27 ',
      instructions: '# Look twice',
      config_override: '{"llm":{"temperature":0}}',
      finding: 'T1 of Q27 falls',
    },
    (data) =>
      expect(data).toMatchObject({
        expert_id: 'researcher',
        description: 'Look into Q27',
        chip_id: 'demo-64',
        own_instructions: true,
        config_override: { llm: { temperature: 0 } },
      }),
  ),
  argument<object>('execute_python_analysis', 'which code', { code: 'print(6 * 7)' }, (_data, result) =>
    expect(result.formattedSummary).toBe('ran print(6 * 7)'),
  ),
  ...(['bar', 'column', 'stacked_column', 'line', 'scatter'] as const).map((chart_type) =>
    argument<object>(
      'make_chart',
      `a ${chart_type} with everything named`,
      async (bench) => {
        await bench.result('query_dataset', argumentsOf('query_dataset', sweep));
        return { ...chart, chart_type };
      },
      (_data, result) => {
        const { title, data, layout } = chartOf(result);
        const isBar = chart_type === 'bar';
        expect(title).toBe('A title');
        expect(data).toMatchObject([{ name: 'Measured', [isBar ? 'x' : 'y']: [45.25, null, 38.75, 20] }]);
        expect(layout).toMatchObject({
          [isBar ? 'yaxis' : 'xaxis']: { title: { text: 'Which' } },
          [isBar ? 'xaxis' : 'yaxis']: { title: { text: 'How long (μs)' } },
        });
        expect(JSON.stringify(layout['title'])).toContain('A remark');
      },
    ),
  ),
];
