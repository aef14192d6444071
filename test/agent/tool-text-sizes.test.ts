/** How long the texts are that language models read, on the demo chip and on every real device that is here. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEMO_NOW, demoViewer, type DemoDatabase } from '../support/demo-database.ts';
import { openSnapshotDatabase, SNAPSHOT_CHIPS } from '../support/snapshot-database.ts';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { argumentsOf, openToolBench } from '../support/tool-bench.ts';

const [STORED, DIRECT] = [1_000, 1_500];
const MANY = Array.from({ length: 32 }, (_, qid) => String(qid));
const CONDITION = { quantity: 't1', is: 'above', value: 0, unit: null, than: null };

type Row = readonly [tool: string, most: number, usual: object, large: readonly object[]];

/** Each tool: its limit, a usual call, and calls for as much as it gives. */
const TABLE: readonly Row[] = [
  ['get_chip_summary', STORED, { param_names: ['t1'] }, [{}, { param_names: ['t1', 't2_echo'] }]],
  [
    'get_chip_parameter_timeseries',
    STORED,
    { parameter_name: 't1' },
    [
      { parameter_name: 't1', last_n: 200 },
      { parameter_name: 't1', qids: MANY.slice(0, 5), last_n: 200 },
    ],
  ],
  [
    'compare_snapshots',
    STORED,
    { from: '2026-05-10T00:00:00Z', param_names: ['t1'] },
    [{ from: '2024-01-01T00:00:00Z' }],
  ],
  ['generate_chip_heatmap', DIRECT, { metric_name: 't1' }, [{ metric_name: 'qubit_frequency' }]],
  [
    'rank_qubits',
    DIRECT,
    { metric_name: 't1', order: 'worst' },
    [{ metric_name: 'average_readout_fidelity', order: 'best', count: 100 }],
  ],
  ['find_outliers', DIRECT, { metric_name: 't1' }, [{}, { min_score: 0.1 }]],
  [
    'compare_qubits',
    DIRECT,
    { qids: ['0', '1'], param_names: ['t1', 't2_echo'] },
    [{ qids: MANY.slice(0, 5) }, { qids: MANY }],
  ],
  ['get_qubit_params', DIRECT, { qid: '1', param_names: ['t1'] }, [{ qid: '1' }]],
  ['get_coupling_params', DIRECT, { coupling_id: '1-0' }, [{ qubit_id: '1' }, { qubit_id: '2' }]],
  [
    'compare_periods',
    DIRECT,
    { parameter_name: 't1', level: 'chip', include_series: false },
    [{ parameter_name: 't1', window_hours: 2_000, include_series: true }],
  ],
  [
    'get_parameter_timeseries',
    DIRECT,
    { parameter_name: 't1', qid: '1' },
    [{ parameter_name: 't1', qid: '1', last_n: 200 }],
  ],
  ['get_chip_topology', DIRECT, { qids: ['1', '2'] }, [{}]],
  ['get_execution_history', DIRECT, { last_n: 3 }, [{ last_n: 100 }]],
  ['get_lab_context', DIRECT, {}, []],
  ['get_latest_task_result', DIRECT, { task_name: 'CheckT1', qid: '1' }, []],
  [
    'get_task_history',
    DIRECT,
    { task_name: 'CheckT1', qid: '1', last_n: 3 },
    [{ task_name: 'CheckT1', qid: '1', last_n: 100 }],
  ],
  ['search_task_results', DIRECT, { last_n: 2 }, [{ last_n: 100 }, { last_n: 100, status: 'failed' }]],
  ['get_calibration_notes', DIRECT, { kind: 'human', last_n: 3 }, [{}, { last_n: 100 }]],
  [
    'get_parameter_lineage',
    DIRECT,
    { parameter_name: 't1', qid: '1' },
    [{ parameter_name: 't1', qid: '1', last_n: 200 }],
  ],
  ['list_available_parameters', DIRECT, { qid: '1' }, [{}]],
  ['list_entities', DIRECT, { kind: 'task' }, [{ kind: 'qubit' }, { kind: 'coupling' }, { kind: 'metric' }]],
  [
    'query_values',
    DIRECT,
    { show: 't1', where: [CONDITION], join: 'and', order: 'lowest', count: 5 },
    [{ show: 't1', where: [CONDITION], join: 'and', order: 'lowest', count: 100 }],
  ],
];

/** Their texts are as long as what the model asked for: output of its code, a chart of its making. */
const OTHERS = ['execute_python_analysis', 'make_chart', 'query_dataset', 'get_provenance_lineage_graph'];

test('every tool that every chat has is in the table', () => {
  const named = [...TABLE.map(([name]) => name), ...OTHERS];
  expect(ALL_TOOLS.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  for (const [name, most] of TABLE) {
    const reads = most === STORED ? 'STORED' : 'DIRECT';
    expect([name, ALL_TOOLS.find((tool) => tool.name === name)?.reads]).toEqual([name, reads]);
  }
});

type Text = { data: object | null; formattedSummary: string; _note?: string };

let db: DemoDatabase;
beforeAll(async () => {
  db = await openSnapshotDatabase();
});
afterAll(() => db.close());

/** The text of a call; null for one that the chip has nothing to answer with. */
async function textOf(chipId: string, name: string, args: object): Promise<string | null> {
  const { services } = db;
  const bench = openToolBench({ services, viewer: demoViewer, chipId, now: DEMO_NOW, readsWhole: false });
  const { output, result } = await bench.call(name, argumentsOf(name, args));
  return result === null ? null : output;
}

describe.each(['demo-64', ...SNAPSHOT_CHIPS])('what a language model reads about %s', (chipId) => {
  test.each(TABLE)('of %s has at most %i characters', async (name, most, usual, large) => {
    const usualText = await textOf(chipId, name, usual);
    if (chipId === 'demo-64') expect(usualText).not.toBeNull();
    if (usualText !== null) {
      expect(usualText.length).toBeLessThanOrEqual(most);
      const { data, formattedSummary } = JSON.parse(usualText) as Text;
      expect(data).not.toBeNull();
      expect(formattedSummary).not.toMatch(/more lines?|and more$/u);
    }
    for (const args of large) {
      const text = await textOf(chipId, name, args);
      if (text === null) continue;
      expect(text.length).toBeLessThanOrEqual(most);
      const { data, formattedSummary, _note } = JSON.parse(text) as Text;
      expect(formattedSummary).not.toBe('');
      // What was left out is named, with a way to it: arguments, or the key of the stored whole.
      if (_note !== undefined)
        expect(`${_note} ${JSON.stringify(data)}`).toMatch(/Narrow it by \w|data_key/u);
    }
  });
});
