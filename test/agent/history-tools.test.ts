import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ToolResult } from '../../src/agent/tool.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { argumentsOf, openToolBench, type ToolBench } from '../support/tool-bench.ts';

let demo: DemoDatabase;
let bench: ToolBench;

beforeAll(async () => {
  demo = await openDemoDatabase();
  bench = openToolBench({ ...demo, viewer: demoViewer, chipId: 'demo-64', now: DEMO_NOW });
});

afterAll(() => demo.close());

const result = (name: string, given: object = {}) => bench.result(name, argumentsOf(name, given));
const error = async (name: string, given: object = {}) =>
  (await bench.call(name, argumentsOf(name, given))).error?.message;
const data = async <Data>(name: string, given: object = {}) => (await result(name, given)).data as Data;
const kindsOf = ({ visuals }: ToolResult) =>
  visuals.map((visual) => (visual.type === 'chart' ? visual.kind : 'TABLE'));

type Run = {
  task_id: string;
  task_name: string;
  qid: string;
  status: string;
  execution_id: string;
  end_at: string;
  excluded?: boolean;
  excluded_reason?: string;
  output_parameters: Record<string, { value: number; unit: string; scale: number; display_unit: string }>;
};
type Runs = { results: Run[]; has_more: boolean };

/** Calls with many arguments at once; what comes back must be a good answer. */
const CALLS: readonly (readonly [name: string, given: object])[] = [
  ['get_latest_task_result', { chip_id: 'demo-64', task_name: 'CheckT1', qid: 'Q07' }],
  ['get_task_history', { chip_id: 'demo-64', task_name: 'CheckT1', qid: '7', last_n: 3 }],
  ['get_parameter_timeseries', { chip_id: 'demo-64', parameter_name: 't1', qid: 'q7', last_n: 20 }],
  ['get_coupling_params', { chip_id: 'demo-64', coupling_id: '0-1', param_names: ['zx90_gate_fidelity'] }],
  ['get_coupling_params', { qubit_id: 'Q05' }],
  ['get_execution_history', { chip_id: 'demo-64', status: 'failed', tags: ['daily', '1q'], last_n: 4 }],
  [
    'search_task_results',
    {
      chip_id: 'demo-64',
      task_name: 'CheckT1',
      qid: '3',
      status: 'completed',
      execution_id: '20260519-002',
      last_n: 2,
    },
  ],
  ['get_calibration_notes', { chip_id: 'demo-64', kind: 'human', qid: 'Q45', last_n: 2 }],
  ['get_calibration_notes', { kind: 'machine', execution_id: '20260519-002', task_id: 'master' }],
  ['get_parameter_lineage', { chip_id: 'demo-64', parameter_name: 't1', qid: '7', last_n: 2 }],
  ['list_entities', { kind: 'qubit', name_contains: 'q1' }],
  ['get_lab_context', {}],
  [
    'compare_periods',
    {
      chip_id: 'demo-64',
      parameter_name: 't1',
      from: '2026-05-13T00:00:00',
      to: '2026-05-20T00:00:00Z',
      level: 'mux',
      qids: ['0', '1', '2', '3', '8'],
      include_series: true,
    },
  ],
  ['compare_periods', { parameter_name: 't1', window_hours: 72, include_series: false }],
];

describe('each tool', () => {
  test.each(CALLS)(
    '%s answers %j with a summary, a preview, and text for the model that is JSON',
    async (name, given) => {
      const ending = await bench.call(name, argumentsOf(name, given));
      expect(ending.error).toBeNull();
      const read = JSON.parse(ending.output) as { formattedSummary: string; data: object };
      expect(read.formattedSummary).toBe(ending.result?.formattedSummary);
      expect(read.formattedSummary.length).toBeGreaterThan(20);
      expect(read.formattedSummary).not.toMatch(/undefined|NaN|\[object|null/);
      expect(ending.result!.preview.length).toBeLessThanOrEqual(160);
      for (const visual of ending.result!.visuals) {
        expect(JSON.parse(JSON.stringify(visual))).toEqual(visual);
        if (visual.type === 'chart') continue;
        const keys = visual.columns.map(({ key }) => key).toSorted();
        for (const row of visual.rows) expect(Object.keys(row).toSorted()).toEqual(keys);
      }
    },
  );

  test.each(CALLS.filter(([name]) => !['list_entities', 'get_lab_context'].includes(name)))(
    '%s refuses a chip that there is not, and names those that there are',
    async (name, given) => {
      expect(await error(name, { ...given, chip_id: 'nope' })).toMatch(/no chip nope .*demo-64/);
    },
  );
});

describe('results of tasks', () => {
  test('D9: the newest good result is not hidden by a newer run that failed, which is told', async () => {
    const latest = await result('get_latest_task_result', { task_name: 'CheckT1', qid: '12' });
    expect(latest.formattedSummary).toMatch(/^CheckT1 of Q12 on demo-64: T1 \d+\.\d\d μs ± /);
    expect(latest.formattedSummary).toMatch(/A newer run of 2026-05-19 .* failed: R² of 0\.31/);
    expect(latest.data).toMatchObject({ result: { status: 'completed' }, newer_run: { status: 'failed' } });
    expect(kindsOf(latest)).toEqual(['INDICATOR']);
  });

  test('D8: an excluded one is no result, stays in history, and says why', async () => {
    const latest = await result('get_latest_task_result', { task_name: 'CheckT1', qid: '18' });
    expect(latest.formattedSummary).toMatch(/was excluded: Pulse tube was vibrating/);
    const { results } = await data<Runs>('get_task_history', { task_name: 'CheckT1', qid: '18' });
    expect(results).toHaveLength(5);
    expect(results[0]).toMatchObject({
      excluded: true,
      excluded_reason: expect.stringContaining('Pulse tube'),
    });
  });

  test('history is completed runs, newest first, with values as stored and their scale', async () => {
    const { results, has_more } = await data<Runs>('get_task_history', {
      task_name: 'ReadoutClassification',
      qid: '7',
      last_n: 3,
    });
    expect(has_more).toBe(true);
    expect(results.map(({ execution_id }) => execution_id)).toEqual(
      results
        .map(({ execution_id }) => execution_id)
        .toSorted()
        .toReversed(),
    );
    const { value, scale, display_unit } = results[0]!.output_parameters['average_readout_fidelity']!;
    expect(value).toBeGreaterThan(0.9);
    expect(value).toBeLessThan(1);
    expect([scale, display_unit]).toEqual([100, '%']);
    expect(results[0]!.end_at).toMatch(/^05-19 \d\d:\d\d UTC$/);
  });

  test('a search finds failures and what one execution did', async () => {
    const failed = await data<Runs>('search_task_results', { status: 'failed', last_n: 100 });
    expect(failed.results.map(({ qid }) => qid)).toContain('12');
    expect(new Set(failed.results.map(({ status }) => status))).toEqual(new Set(['failed']));
    const one = await data<Runs>('search_task_results', {
      execution_id: '20260519-002',
      task_name: 'CheckT1',
    });
    expect(new Set(one.results.map(({ task_name }) => task_name))).toEqual(new Set(['CheckT1']));
  });

  test('a task or status that there is not leads to those that there are', async () => {
    const nothing = await result('get_task_history', { task_name: 'CheckWarp', qid: '7' });
    expect(nothing.formattedSummary).toMatch(
      /no completed results\.\nTasks that were run on demo-64: .*CheckT1/,
    );
    expect(kindsOf(nothing)).toEqual(['TABLE']);
    expect(await error('search_task_results', { status: 'broken' })).toMatch(
      /broken is no status; use .*failed/,
    );
    expect(await error('get_task_history', { task_name: 'CheckT1', qid: '99' })).toMatch(/no qubit 99/);
  });
});

describe('executions', () => {
  test('come with status, duration and the reason of failures', async () => {
    const { formattedSummary, data: found } = await result('get_execution_history', { status: 'failed' });
    expect(formattedSummary).toMatch(
      /1 execution: 1 failed\.\n20\d{6}-002 of .* failed: Stopped: mixing chamber/,
    );
    expect(found).toMatchObject({
      executions: [{ status: 'failed', tags: ['daily', '1q'] }],
      has_more: false,
    });
  });
});

describe('couplings', () => {
  test('are found in either direction, and the answer says which one has the values', async () => {
    const coupling = await result('get_coupling_params', { coupling_id: '0-1' });
    expect(coupling.formattedSummary).toMatch(
      /^Q01-Q00 on demo-64: 1 coupling\.\nValues are stored for Q01-Q00/,
    );
    expect(coupling.data).toMatchObject({ couplings: [{ coupling_id: '1-0', control: '1', target: '0' }] });
  });

  test('of a qubit are all that it is part of', async () => {
    const { couplings } = await data<{ couplings: { control: string; target: string }[] }>(
      'get_coupling_params',
      { qubit_id: 'Q09' },
    );
    expect(couplings.length).toBeGreaterThan(1);
    for (const { control, target } of couplings) expect([control, target]).toContain('9');
  });

  test('need one of the two ids', async () => {
    expect(await error('get_coupling_params', {})).toMatch(/give coupling_id, for example 4-1, or qubit_id/);
  });
});

describe('a parameter of one qubit over time', () => {
  test('is a line of the same points as the chip-wide history', async () => {
    const one = await result('get_parameter_timeseries', { parameter_name: 't1', qid: '27', last_n: 60 });
    expect(kindsOf(one)).toEqual(['LINE']);
    expect(one.formattedSummary).toMatch(/falling \(worse\)/);
    expect(one.formattedSummary).toMatch(/It spans cool-downs demo-1, demo-2\./);
    const { values } = one.data as { values: { v: number }[] };
    const chip = await demo.services.chips.get(demoViewer, 'demo-64');
    const { series } = await demo.services.chipTimeseries.get(chip, {
      parameter: 't1',
      qids: ['27'],
      lastN: 60,
    });
    expect(values.map(({ v }) => v)).toEqual(series[0]!.points.map(({ value }) => value));
  });
});

describe('notes', () => {
  test('are those of people first, and what machines kept beside', async () => {
    const notes = await result('get_calibration_notes', { last_n: 1 });
    expect(notes.formattedSummary).toMatch(
      /\d\d notes of people on demo-64, those that stand first, then newest first; 1 to 1 here\.\nOn [^\n]*“[^\n]*\n(?:[^\n]*\n)*Searched, of any age: notes, comments, .*\n\d+ machine/,
    );
    expect(notes.formattedSummary).toMatch(
      /machine note; the newest, of execution 20260519-002 .* holds rabi_params \(64\)\./,
    );
    expect(notes).toMatchObject({ source: 'NOTES', freshness: { source: 'NOTES' } });
    const about = await result('get_calibration_notes', { kind: 'human', qid: '45' });
    expect(about.formattedSummary).toMatch(/On Q45: “Two-level defect at 4\.6 GHz/);
  });
});

describe('lineage', () => {
  type Lineage = { versions: { entity_id: string; version: number; valid_until: string }[] };
  type Graph = {
    nodes: { id: string; type: string; depth: number; exec_id: string; valid_from?: string }[];
    edges: { source: string; target: string }[];
  };

  test('names versions by ids that the graph takes, and the graph says when and by which execution', async () => {
    const { versions } = await data<Lineage>('get_parameter_lineage', { parameter_name: 't1', qid: '7' });
    expect(versions.length).toBeGreaterThan(1);
    expect(versions.map(({ valid_until }) => valid_until === '')).toEqual(
      versions.map((_, index) => index === 0),
    );
    const entity_id = versions[0]!.entity_id;
    const graph = await result('get_provenance_lineage_graph', {
      chip_id: 'demo-64',
      entity_id,
      max_depth: 3,
    });
    expect(kindsOf(graph)).toEqual(['GRAPH', 'TABLE']);
    const { nodes, edges } = graph.data as Graph;
    expect(nodes[0]).toMatchObject({ id: entity_id, depth: 0, type: 'entity' });
    expect(nodes.length).toBeGreaterThan(1);
    const ids = new Set(nodes.map(({ id }) => id));
    for (const { source, target } of edges) expect(ids.has(source) && ids.has(target)).toBe(true);
    for (const node of nodes) {
      expect(node.exec_id).toMatch(/^\d{8}-\d{3}$/);
      if (node.type === 'entity') expect(node.valid_from).toMatch(/UTC$/);
    }
  });

  test('says so where nothing was recorded, and refuses text that is no id', async () => {
    const none = await result('get_parameter_lineage', { parameter_name: 'warp', qid: '7' });
    expect(none.formattedSummary).toBe('Versions of warp of Q07 on demo-64: none recorded.');
    expect(await error('get_provenance_lineage_graph', { entity_id: 't1:7' })).toMatch(
      /is not parameter:qid:execution:task/,
    );
  });
});

describe('what there is', () => {
  test.each([
    ['chip', 'Project demo: '],
    ['qubit', 'demo-64: 64 qubits: Q00, Q01'],
    ['coupling', 'demo-64: 112 couplings'],
    ['task', 'demo-64: '],
    ['metric', 'The metrics catalogue: '],
  ])('%ss can be listed', async (kind, start) => {
    const { formattedSummary, preview } = await result('list_entities', { kind });
    expect(formattedSummary.startsWith(start)).toBe(true);
    expect(preview).toMatch(new RegExp(`^\\d+ ${kind}s?$`));
  });

  test('can be narrowed by a part of the name in any case', async () => {
    const { entities } = await data<{ entities: { name: string }[] }>('list_entities', {
      kind: 'task',
      name_contains: 'rABi',
    });
    expect(entities.map(({ name }) => name)).toEqual(['CheckRabi']);
    expect((await result('list_entities', { kind: 'qubit', name_contains: 'x' })).formattedSummary).toBe(
      'demo-64 has no qubit with “x” in the name.',
    );
  });

  test('the lab has a project, chips in cool-downs, a calendar and thresholds', async () => {
    const lab = await result('get_lab_context');
    expect(lab.formattedSummary).toMatch(/demo-64: 64 qubits, cool-down demo-2/);
    expect(lab.formattedSummary).toMatch(/Calendar days are those of UTC; times are UTC\./);
    expect(lab).toMatchObject({ source: 'CONFIG', data: { thresholds: expect.arrayContaining([]) } });
    const { thresholds } = lab.data as { thresholds: { metric: string; good: number }[] };
    expect(thresholds.every(({ good }) => typeof good === 'number')).toBe(true);
    const { output } = await bench.call('get_lab_context', {});
    expect(output.length).toBeLessThanOrEqual(1_500);
    expect(output).toContain('"20|50|100 μs 48h":"t1 t1_average"');
  });
});

describe('periods', () => {
  type Compared = {
    total: { current: number; previous: number; change: number; sigma: number; members: number };
    rows: { entity: string; change: number | null }[];
    unit: string;
  };

  test('tell what changed most and whether it is good, with a chart of the changes', async () => {
    const compared = await result('compare_periods', {
      parameter_name: 't1',
      window_hours: 168,
      include_series: false,
    });
    expect(compared.formattedSummary.split('\n')[0]).toBe(
      'T1 on demo-64: 2026-05-13 01:00 to 2026-05-20 01:00 UTC against 2026-05-06 01:00 to 2026-05-13 01:00 UTC.',
    );
    expect(compared.formattedSummary).toMatch(
      /Mean of 64 qubits: \d+\.\d\d μs, before \d+\.\d\d μs; [+-]\d+\.\d+ μs \(\d+\.\d sigma, /,
    );
    expect(compared.formattedSummary).toMatch(/Changes: 5 of 64 shown, most sigma first: Q27 -/);
    expect(kindsOf(compared)).toEqual(['HISTOGRAM', 'TABLE']);
  });

  test.each([
    ['worse', ['Q27']],
    ['within its error', null],
  ])('call a change %s only as far as its error allows: of qubits %j', async (verdict, qids) => {
    const compared = await result('compare_periods', {
      parameter_name: 't1',
      window_hours: 168,
      level: 'chip',
      qids,
      include_series: false,
    });
    const sigma = Math.abs((compared.data as Compared).total.sigma);
    expect(sigma < 1).toBe(verdict === 'within its error');
    expect(compared.formattedSummary).toContain(` (${sigma.toFixed(1)} sigma, ${verdict}).`);
  });

  test('are compared by MUX as the topology says, as bars', async () => {
    const compared = await result('compare_periods', {
      parameter_name: 't1',
      level: 'mux',
      include_series: false,
    });
    expect(kindsOf(compared)).toEqual(['BAR', 'TABLE']);
    const { rows, total } = compared.data as Compared;
    expect(rows).toHaveLength(16);
    expect(rows[0]).toMatchObject({ entity: 'MUX 0', members: 4 });
    expect(total.change).toBeCloseTo(total.current - total.previous, 1);
  });

  test('have their course over elapsed hours where it is asked for', async () => {
    const compared = await result('compare_periods', {
      parameter_name: 't1',
      level: 'chip',
      window_hours: 96,
      include_series: true,
    });
    expect(kindsOf(compared)).toEqual(['LINE', 'TABLE']);
    const [chart] = compared.visuals;
    if (chart?.type !== 'chart') throw new Error('no chart');
    expect(chart.data).toHaveLength(2);
    for (const line of chart.data) {
      const hours = line['x'] as readonly number[];
      expect(hours).toHaveLength(4);
      expect(Math.max(...hours)).toBeLessThan(96);
      expect(line['name']).toMatch(/2026-05-\d\d 01:00 to 2026-05-\d\d 01:00 UTC/);
    }
  });

  test('of different cool-downs are said to be', async () => {
    const compared = await result('compare_periods', {
      parameter_name: 't1',
      window_hours: 24 * 30,
      include_series: false,
    });
    expect(compared.formattedSummary).toMatch(/cool-downs, demo-2 and demo-1|spans cool-downs/);
  });

  test('are refused for times that are none', async () => {
    expect(
      await error('compare_periods', { parameter_name: 't1', from: 'soon', include_series: false }),
    ).toMatch(/from: soon is no time/);
  });
});
