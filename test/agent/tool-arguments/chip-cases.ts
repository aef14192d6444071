/** Arguments of the tools about current values, layouts and names. */
import { expect } from '@jest/globals';
import { DEMO_NOW } from '../../support/demo-database.ts';
import { argument, type ArgumentCase } from './argument-case.ts';

type Row = { readonly qid: string; readonly value: number; readonly measured_at: string };
type Ranked = { readonly rows: readonly Row[]; readonly measured: number; readonly missing: number };
type Metric = {
  readonly values: readonly { readonly qid: string; readonly value: number | null }[];
  readonly statistics: { readonly mean: number; readonly count: number };
};
type Couplings = {
  readonly couplings: readonly {
    readonly coupling_id: string;
    readonly parameters: readonly { readonly name: string }[];
  }[];
};
type Listed = { readonly entities: readonly { readonly name: string }[]; readonly where: string };

const t1 = { metric_name: 't1' };
const valuesOf = ({ rows }: Ranked) => rows.map(({ value }) => value);
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const namesOf = ({ entities }: Listed) => entities.map(({ name }) => name);
const dayBefore = new Date(DEMO_NOW.getTime() - 24 * 3600 * 1000).toISOString();

export const CHIP_CASES: readonly ArgumentCase[] = [
  argument<{ statistics: object }>(
    'get_chip_summary',
    'which parameters',
    { param_names: ['t1', 't2_echo'] },
    ({ statistics }) => expect(Object.keys(statistics)).toEqual(['t1', 't2_echo']),
  ),
  ...(['worst', 'lowest'] as const).map((order) =>
    argument<Ranked>('rank_qubits', `${order} first`, { ...t1, order }, (data) => {
      expect(data.rows[0]?.qid).toBe('45');
      expect(valuesOf(data)).toEqual(ascending(valuesOf(data)));
    }),
  ),
  ...(['best', 'highest'] as const).map((order) =>
    argument<Ranked>('rank_qubits', `${order} first`, { ...t1, order }, (data) => {
      expect(valuesOf(data)).toEqual(ascending(valuesOf(data)).toReversed());
      expect(valuesOf(data)[0]).toBeGreaterThan(100);
    }),
  ),
  argument<Ranked>('rank_qubits', 'how many', { ...t1, order: 'best', count: 2 }, ({ rows, measured }) => {
    expect(rows).toHaveLength(2);
    expect(measured).toBe(64);
  }),
  argument<Ranked>(
    'rank_qubits',
    'how old at most: what failed or was excluded last night has no younger value',
    { ...t1, order: 'worst', count: 100, within_hours: 24 },
    ({ rows, measured, missing }) => {
      expect([measured, missing]).toEqual([62, 2]);
      expect(rows.map(({ qid }) => qid)).not.toContain('12');
      for (const { measured_at } of rows) expect(measured_at > dayBefore).toBe(true);
    },
  ),
  argument<{ metrics: string[]; outliers: { qid: string }[] }>(
    'find_outliers',
    'which metric',
    { metric_name: 'average_readout_fidelity' },
    ({ metrics, outliers }) => {
      expect(metrics).toEqual(['average_readout_fidelity']);
      expect(outliers).toMatchObject([{ qid: '45' }]);
    },
  ),
  argument<{ outliers: { score: number }[] }>(
    'find_outliers',
    'from which score on',
    { ...t1, min_score: 1.5 },
    ({ outliers }) => {
      expect(outliers.length).toBeGreaterThan(0);
      for (const { score } of outliers) expect(Math.abs(score)).toBeGreaterThan(1.5);
    },
  ),
  argument<{ qid: string }>('get_qubit_params', 'which qubit', { qid: 'Q45' }, ({ qid }) =>
    expect(qid).toBe('45'),
  ),
  argument<{ parameters: { name: string }[] }>(
    'get_qubit_params',
    'which parameters',
    { qid: 'Q45', param_names: ['t1', 't2_echo'] },
    ({ parameters }) => expect(parameters.map(({ name }) => name)).toEqual(['t1', 't2_echo']),
  ),
  argument<{ qubits: object[] }>(
    'compare_qubits',
    'which qubits, which parameters',
    { qids: ['9', 'Q3'], param_names: ['t1'] },
    ({ qubits }) => {
      expect(qubits).toMatchObject([{ qid: '9' }, { qid: '3' }]);
      expect(Object.keys(qubits[0]!)).toEqual(['qid', 'label', 't1']);
    },
  ),
  argument<Couplings>('get_coupling_params', 'which coupling', { coupling_id: '0-1' }, ({ couplings }) =>
    expect(couplings.map(({ coupling_id }) => coupling_id)).toEqual(['1-0']),
  ),
  argument<Couplings>('get_coupling_params', 'which qubit', { qubit_id: 'Q05' }, ({ couplings }) => {
    expect(couplings.length).toBeGreaterThan(1);
    for (const { coupling_id } of couplings) expect(coupling_id.split('-')).toContain('5');
  }),
  argument<Couplings>(
    'get_coupling_params',
    'which parameters',
    { coupling_id: '1-0', param_names: ['bell_state_fidelity'] },
    ({ couplings: [coupling] }) =>
      expect(coupling?.parameters.map(({ name }) => name)).toEqual(['bell_state_fidelity']),
  ),
  argument<Metric>('generate_chip_heatmap', 'which metric', { metric_name: 't2_star' }, (_data, result) =>
    expect(result.formattedSummary).toMatch(/^T2 Star on demo-64 \(latest result of each\)/),
  ),
  argument<Metric>(
    'generate_chip_heatmap',
    'the latest results',
    { ...t1, selection_mode: 'latest' },
    ({ statistics }) => expect(statistics.count).toBe(64),
  ),
  argument<Metric>(
    'generate_chip_heatmap',
    'the best results, of which one fell as low as ever only lately',
    { ...t1, selection_mode: 'best' },
    ({ values }) => expect(values.find(({ qid }) => qid === '27')?.value).toBeGreaterThan(60),
  ),
  argument<Metric>(
    'generate_chip_heatmap',
    'the average results',
    { ...t1, selection_mode: 'average' },
    ({ values }, { formattedSummary }) => {
      const average = values.find(({ qid }) => qid === '27')?.value;
      expect(average).toBeGreaterThan(40);
      expect(average).toBeLessThan(90);
      expect(formattedSummary).toMatch(/mean of all results|average/);
    },
  ),
  argument<Metric>(
    'generate_chip_heatmap',
    'how old at most',
    { ...t1, within_hours: 24 },
    ({ statistics, values }) => {
      expect(statistics.count).toBe(62);
      expect(values.find(({ qid }) => qid === '12')?.value).toBeNull();
    },
  ),
  argument<{ num_qubits: number }>('get_chip_topology', 'nothing but the chip', {}, ({ num_qubits }) =>
    expect(num_qubits).toBe(64),
  ),
  argument<{ qubits: { label: string; neighbors: string[] }[] }>(
    'get_chip_topology',
    'which qubits',
    { qids: ['1', 'Q45'] },
    ({ qubits }) => expect(qubits.map(({ label }) => label)).toEqual(['Q01', 'Q45']),
  ),
  argument<{ parameters: { name: string }[] }>(
    'list_available_parameters',
    'which coupling',
    { qid: '1-0' },
    ({ parameters }) => {
      const names = parameters.map(({ name }) => name);
      expect(names).toContain('zx90_gate_fidelity');
      expect(names).not.toContain('t1');
    },
  ),
  argument<{ selected_chip: string; time_zone: string }>(
    'get_lab_context',
    'nothing',
    {},
    ({ selected_chip, time_zone }) => expect([selected_chip, time_zone]).toEqual(['demo-64', 'UTC']),
  ),
  argument<Listed>('list_entities', 'couplings', { kind: 'coupling' }, ({ entities }) =>
    expect(entities).toHaveLength(112),
  ),
  argument<Listed>('list_entities', 'chips', { kind: 'chip' }, (data) =>
    expect(namesOf(data)).toContain('demo-64'),
  ),
  argument<Listed>('list_entities', 'tasks of a chip', { kind: 'task', chip_id: 'demo-64' }, (data) =>
    expect(namesOf(data)).toContain('CheckT1'),
  ),
  argument<Listed>('list_entities', 'metrics', { kind: 'metric' }, (data) =>
    expect(namesOf(data)).toContain('zx90_gate_fidelity'),
  ),
  argument<Listed>('list_entities', 'a state', { kind: 'qubit', state: 'missing' }, (data) =>
    expect(namesOf(data)).toEqual(['Q58']),
  ),
  argument<Listed>('list_entities', 'disabled couplings', { kind: 'coupling', state: 'disabled' }, (data) =>
    expect(namesOf(data)).toEqual([]),
  ),
  argument<Listed>('list_entities', 'doubtful qubits', { kind: 'qubit', state: 'doubtful' }, (data) =>
    expect(namesOf(data)).toEqual([]),
  ),
  argument<Listed>('list_entities', 'a part of the name', { kind: 'qubit', name_contains: 'q4' }, (data) =>
    expect(namesOf(data)).toEqual(Array.from({ length: 10 }, (_, digit) => `Q4${digit}`)),
  ),
];
