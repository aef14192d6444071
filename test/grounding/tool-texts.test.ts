/** Every number that a tool writes in its sentences, grounded as a model's would be, against the tool's own data. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resultJson } from '../../src/agent/loop/tool-text.ts';
import { groundNumbers } from '../../src/domain/grounding/ground.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { DEMO_NOW, demoViewer, type DemoDatabase } from '../support/demo-database.ts';
import { openSnapshotDatabase, SNAPSHOT_CHIPS } from '../support/snapshot-database.ts';
import { argumentsOf, openToolBench } from '../support/tool-bench.ts';

const CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['get_chip_summary', {}],
  ['get_chip_summary', { param_names: ['t1'] }],
  ['get_chip_parameter_timeseries', { parameter_name: 't1' }],
  ['get_chip_parameter_timeseries', { parameter_name: 't1', qids: ['0', '1', '2'], last_n: 30 }],
  ['get_parameter_timeseries', { parameter_name: 't1', qid: '1', last_n: 20 }],
  ['generate_chip_heatmap', { metric_name: 't1' }],
  ['generate_chip_heatmap', { metric_name: 'average_readout_fidelity' }],
  ['rank_qubits', { metric_name: 't1', order: 'worst' }],
  ['rank_qubits', { metric_name: 'average_readout_fidelity', order: 'lowest', count: 30 }],
  ['rank_qubits', { metric_name: 'zx90_gate_fidelity', order: 'worst' }],
  ['rank_qubits', { metric_name: 'cz_gate_fidelity', order: 'worst' }],
  ['find_outliers', {}],
  ['find_outliers', { metric_name: 't1' }],
  ['compare_qubits', { qids: ['0', '1', '2'] }],
  ['get_qubit_params', { qid: '1' }],
  ['get_coupling_params', { qubit_id: '1' }],
  ['compare_periods', { parameter_name: 't1', include_series: false }],
  ['compare_periods', { parameter_name: 't1', window_hours: 2_000, include_series: true }],
  ['compare_snapshots', { from: '2025-01-01T00:00:00Z' }],
  ['compare_snapshots', { from: '2026-05-10T00:00:00Z', param_names: ['t1'] }],
  ['get_chip_topology', {}],
  ['get_execution_history', { last_n: 20 }],
  ['get_lab_context', {}],
  ['get_latest_task_result', { task_name: 'CheckT1', qid: '12' }],
  ['get_task_history', { task_name: 'CheckT1', qid: '12', last_n: 10 }],
  ['search_task_results', { last_n: 50, status: 'failed' }],
  ['get_parameter_lineage', { parameter_name: 't1', qid: '1' }],
  ['list_available_parameters', {}],
  ['list_entities', { kind: 'coupling' }],
  ['query_values', { show: 't1', where: [], join: 'and', order: 'lowest' }],
  [
    'query_values',
    {
      show: 't1',
      where: [{ quantity: 't1', is: 'below', value: 60, unit: 'μs', than: null }],
      join: 'and',
      order: 'lowest',
    },
  ],
];

let db: DemoDatabase;
beforeAll(async () => {
  db = await openSnapshotDatabase();
});
afterAll(() => db.close());

describe.each(['demo-64', ...SNAPSHOT_CHIPS])('the sentences about %s', (chipId) => {
  test('have no number that their data does not have', async () => {
    const bench = openToolBench({ services: db.services, viewer: demoViewer, chipId, now: DEMO_NOW });
    const unsourced: string[] = [];
    let numbers = 0;
    for (const [name, given] of CALLS) {
      const args = argumentsOf(name, given);
      const { result } = await bench.call(name, args);
      if (result === null) continue;
      const { formattedSummary } = result;
      // Without the sentences themselves, which would be evidence for what they say.
      const record = JSON.parse(resultJson({ ...result, formattedSummary: '' })) as unknown;
      const grounded = groundNumbers(formattedSummary, {
        calls: [{ callId: 'c', arguments: args, result: record }],
        userTexts: [],
        metrics: shippedMetrics.metrics,
        now: DEMO_NOW,
      });
      numbers += grounded.length;
      for (const { text, offset, status } of grounded) {
        if (status === 'SOURCED' || status === 'DERIVED') continue;
        const around = formattedSummary.slice(Math.max(0, offset - 60), offset + text.length + 25);
        unsourced.push(`${name} ${JSON.stringify(given)}: ${text} in …${around.replaceAll('\n', '⏎')}…`);
      }
    }
    expect(numbers).toBeGreaterThan(100);
    expect(unsourced).toEqual([]);
  });
});
