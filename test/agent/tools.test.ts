import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ToolResult } from '../../src/agent/tool.ts';
import { mergeFreshness } from '../../src/domain/values/freshness.ts';
import type { ChartSpec, TableSpec } from '../../src/domain/visuals.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { describeWithSharedData } from '../support/shared-data.ts';
import { openToolBench, sandboxAnswering, type ToolBench } from '../support/tool-bench.ts';

let demo: DemoDatabase;
let bench: ToolBench;

beforeAll(async () => {
  demo = await openDemoDatabase();
  bench = openToolBench({ ...demo, viewer: demoViewer, chipId: 'demo-64', now: DEMO_NOW });
});

afterAll(() => demo.close());

const kindsOf = ({ visuals }: ToolResult) =>
  visuals.map((visual) => (visual.type === 'chart' ? visual.kind : 'TABLE'));
const chartOf = ({ visuals }: ToolResult) =>
  visuals.find((visual): visual is ChartSpec => visual.type === 'chart')!;
const tableOf = ({ visuals }: ToolResult) =>
  visuals.find((visual): visual is TableSpec => visual.type === 'table')!;

describe('get_chip_summary', () => {
  test('says health, figures and worst problems in display units, and where its rows come from', async () => {
    const result = await bench.result('get_chip_summary', {});
    const lines = result.formattedSummary.split('\n');
    expect(lines[0]).toMatch(/^demo-64: 64 qubits, 112 couplings, health \w+ \(\d\.\d\d of 3\)\.$/);
    expect(result.formattedSummary).toMatch(
      /T1: median \d+\.\d\d μs, Q45 9\.\d\d μs to Q\d\d \d+\.\d μs \(64 qubits\)/,
    );
    expect(result.formattedSummary).toMatch(
      /worst first: Q45 Average Readout Fidelity 77\.25 % \(bad, limit 85\.00 %\), .* and 2 more; Q27 /,
    );
    expect(lines.at(-1)).toMatch(
      /^Stored results, measured 2026-05-\d\d \d\d:\d\d to 2026-05-19 23:\d\d UTC\.$/,
    );
    expect(kindsOf(result)).toEqual(['INDICATOR', 'TABLE']);
    expect(result.freshness?.newestAt?.toISOString()).toMatch(/^2026-05-19T23/);
  });

  test('keeps the rows for analysis and gives the model only their shape', async () => {
    const ending = await bench.call('get_chip_summary', {});
    const read = JSON.parse(ending.output) as {
      data: { data_key: string; qubits: object; statistics: object };
    };
    expect(read.data.data_key).toBe('chip_summary');
    expect(read.data.qubits).toMatchObject({ _rows: 64 });
    expect(read.data.statistics).toMatchObject({
      anharmonicity: { unit: 'GHz', display_unit: 'MHz', scale: 1000 },
    });
    expect(ending.output.length).toBeLessThan(8_000);
    const kept = JSON.parse((await bench.context.dataStore.get('chip_summary'))!) as {
      qubits: { qid: string; t1: number }[];
    };
    expect(kept.qubits).toHaveLength(64);
    expect(kept.qubits[45]).toMatchObject({ qid: '45' });
    expect(kept.qubits[45]!.t1).toBeCloseTo(9.6, 0);
  });

  test('keeps another selection under another key', async () => {
    const { modelData } = await bench.result('get_chip_summary', { param_names: ['t1'] });
    expect(modelData).toMatchObject({ data_key: expect.stringMatching(/^chip_summary#[0-9a-f]{8}$/) });
  });
});

describe('get_chip_parameter_timeseries', () => {
  test('of a whole chip reads under a thousand characters, whatever was kept', async () => {
    const ending = await bench.call('get_chip_parameter_timeseries', { parameter_name: 't1', last_n: 60 });
    const { data } = JSON.parse(ending.output) as { data: { timeseries: { _rows: number } } };
    expect(data.timeseries._rows).toBeGreaterThan(3_000);
    expect(JSON.stringify(data).length).toBeLessThan(1_000);
    expect(kindsOf(ending.result!)).toEqual(['HISTOGRAM', 'TABLE']);
    expect(tableOf(ending.result!).rows).toHaveLength(64);
  });

  test('of one qubit draws a line with error bars over the thresholds, broken at the cool-down', async () => {
    const result = await bench.result('get_chip_parameter_timeseries', {
      parameter_name: 't1',
      qids: ['Q27'],
      last_n: 60,
    });
    expect(kindsOf(result)).toEqual(['LINE']);
    const { data, layout } = chartOf(result);
    const [line] = data;
    expect(line).toMatchObject({ connectgaps: false, name: 'Q27', error_y: { visible: true } });
    expect((line!['y'] as readonly (number | null)[]).filter((y) => y === null)).toHaveLength(1);
    expect(layout['shapes']).not.toEqual([]);
    expect(result.formattedSummary).toMatch(/Q27: newest \d+\.\d\d μs ± .* falling \(worse\)/);
  });

  test('of some qubits draws a line for each, in numeric order', async () => {
    const result = await bench.result('get_chip_parameter_timeseries', {
      parameter_name: 't2_echo',
      qids: ['10', 'q2', 'Q07'],
    });
    expect(chartOf(result).data.map(({ name }) => name)).toEqual(['Q02', 'Q07', 'Q10']);
    expect(kindsOf(result)).toEqual(['LINE', 'TABLE']);
  });

  test('the failed run and the excluded one are not among the points', async () => {
    const result = await bench.result('get_chip_parameter_timeseries', {
      parameter_name: 't1',
      qids: ['12', '18'],
    });
    const newest = tableOf(result).rows.map(({ newestAt }) => JSON.stringify(newestAt).slice(1, 11));
    expect(newest).toEqual(['2026-05-18', '2026-05-18']);
  });
});

describe('generate_chip_heatmap', () => {
  test('brings the chart, a table, and says what is missing and what failed since', async () => {
    const readout = await bench.result('generate_chip_heatmap', { metric_name: 'average_readout_fidelity' });
    expect(kindsOf(readout)).toEqual(['HEATMAP', 'TABLE']);
    expect(readout.formattedSummary).toMatch(/63 of 64 qubits, median 9\d\.\d\d %.*lowest Q45 7\d\.\d\d %/);
    expect(readout.formattedSummary).toMatch(/Without a result: Q58\./);
    const t1 = await bench.result('generate_chip_heatmap', { metric_name: 't1' });
    expect(t1.formattedSummary).toMatch(
      /A newer run failed, so the last good value is kept: Q12 \(failed 2026-05-19 23:\d\d UTC; value of 2026-05-18 \d\d:\d\d UTC\)/,
    );
  });

  test('without any usable row is a note, not an empty chart', async () => {
    const result = await bench.result('generate_chip_heatmap', {
      metric_name: 't1_average',
      within_hours: 2,
    });
    expect(kindsOf(result)).toEqual(['TABLE']);
    expect(tableOf(result).rows[0]?.['note']).toMatch(/No data for T1 Average on demo-64 within 2 hours/);
  });
});

describe('rank_qubits', () => {
  test('knows which way is better', async () => {
    const worst = await bench.result('rank_qubits', { metric_name: 't1', order: 'worst', count: 2 });
    expect(worst.formattedSummary).toMatch(
      /^The 2 worst T1 of 64 qubits on demo-64: Q45 9\.\d\d μs \(bad\), Q27 3\d\.\d\d μs/,
    );
    expect(kindsOf(worst)).toEqual(['BAR', 'TABLE']);
    const anharmonicity = await bench.result('rank_qubits', {
      metric_name: 'anharmonicity',
      order: 'best',
      count: 1,
    });
    const lowest = await bench.result('rank_qubits', {
      metric_name: 'anharmonicity',
      order: 'lowest',
      count: 1,
    });
    expect(tableOf(anharmonicity).rows[0]?.['label']).toBe(tableOf(lowest).rows[0]?.['label']);
  });

  test('gives the model values as stored and people values as shown', async () => {
    const result = await bench.result('rank_qubits', {
      metric_name: 'average_readout_fidelity',
      order: 'worst',
      count: 1,
    });
    const { rows, scale } = result.data as { rows: { value: number }[]; scale: number };
    expect(rows[0]!.value).toBeLessThan(1);
    expect(tableOf(result).rows[0]?.['value']).toBeCloseTo(rows[0]!.value * scale, 9);
  });

  test('ranks couplings by a coupling metric', async () => {
    const result = await bench.result('rank_qubits', {
      metric_name: 'zx90_gate_fidelity',
      order: 'worst',
      count: 3,
    });
    expect(tableOf(result).columns[0]?.label).toBe('Coupling');
    expect(result.formattedSummary).toMatch(
      /The 3 worst ZX90 Gate Fidelity of 112 couplings on demo-64: Q\d\d-Q\d\d 9\d\.\d\d %/,
    );
  });

  test('draws a distribution for more rows than bars can show', async () => {
    const result = await bench.result('rank_qubits', { metric_name: 't1', order: 'best', count: 40 });
    expect(kindsOf(result)).toEqual(['HISTOGRAM', 'TABLE']);
    expect(tableOf(result).rows).toHaveLength(40);
  });

  test('does not call a frequency good or bad', async () => {
    const { error } = await bench.call('rank_qubits', { metric_name: 'qubit_frequency', order: 'best' });
    expect(error?.message).toMatch(/neither good nor bad: ask for highest or lowest/);
  });
});

describe('the other tools', () => {
  test('find_outliers names the bad qubit and by how much', async () => {
    const result = await bench.result('find_outliers', { metric_name: 'average_readout_fidelity' });
    expect(result.formattedSummary).toMatch(
      /^1 outlier among Average Readout Fidelity on demo-64: Q45 .* 7\d\.\d\d % \(\d+\.\d deviations below the median\)/,
    );
    const none = await bench.result('find_outliers', { metric_name: 'anharmonicity' });
    expect(none.formattedSummary).toMatch(/^No outliers among/);
    expect(kindsOf(none)).toEqual(['TABLE']);
  });

  test('get_qubit_params gives value, error, rating and time', async () => {
    const result = await bench.result('get_qubit_params', { qid: 'Q45' });
    expect(result.formattedSummary).toMatch(/T1: 9\.\d\d μs \(± 0\.\d+ μs, bad, 2026-05-19 23:\d\d UTC\)/);
    expect(tableOf(result).rows.length).toBeGreaterThan(10);
  });

  test('compare_qubits puts qubits side by side in the order asked for', async () => {
    const result = await bench.result('compare_qubits', {
      qids: ['9', 'Q3'],
      param_names: ['t1', 'x90_gate_fidelity'],
    });
    expect(tableOf(result).columns.map(({ label, unit }) => [label, unit])).toEqual([
      ['Qubit', null],
      ['T1', 'μs'],
      ['X90 Gate Fidelity', '%'],
    ]);
    expect(tableOf(result).rows.map(({ label }) => label)).toEqual(['Q09', 'Q03']);
    const { error } = await bench.call('compare_qubits', { qids: ['9', '3'], param_names: ['t9'] });
    expect(error?.message).toMatch(/has t9; they have .*t1/);
  });

  test('get_chip_topology knows neighbours and readout groups', async () => {
    const result = await bench.result('get_chip_topology', {});
    const { qubits } = result.data as { qubits: { qid: string; neighbors: string[]; mux: number }[] };
    expect(qubits[0]).toMatchObject({ qid: '0', neighbors: ['1', '2'], mux: 0 });
    expect(result.formattedSummary).toMatch(
      /demo-64: 64 qubits and 112 couplings, topology square-lattice-mux-64/,
    );
    expect(kindsOf(result)).toEqual(['GRAPH']);
  });

  test('list_available_parameters names what is stored, with units', async () => {
    const { formattedSummary } = await bench.result('list_available_parameters', {});
    expect(formattedSummary).toMatch(/anharmonicity.*t2_star/);
    expect(formattedSummary).toMatch(/T1 \(μs\)/);
  });
});

describe('execute_python_analysis', () => {
  const analyst = (answer: Parameters<typeof sandboxAnswering>[0]) =>
    openToolBench({
      ...demo,
      viewer: demoViewer,
      chipId: 'demo-64',
      now: DEMO_NOW,
      sandbox: sandboxAnswering(answer),
    });

  test('sees what was fetched, and its tables stay for the next analysis', async () => {
    const seen: unknown[] = [];
    const session = analyst((_code, data) => {
      seen.push(Object.keys(data as object));
      return { output: '42', tables: { worst: [{ qid: '45' }] } };
    });
    await session.result('get_chip_parameter_timeseries', { parameter_name: 't1' });
    const first = await session.result('execute_python_analysis', { code: 'x' });
    await session.result('execute_python_analysis', { code: 'y' });
    expect(seen).toEqual([['t1'], ['t1', 'worst']]);
    expect(first.formattedSummary).toMatch(/^42\n.*Kept for later analysis: worst\./s);
    expect(first.source).toBe('SANDBOX');
  });

  test('what it makes is as old as the kept rows that it works on, and so is what is kept of it', async () => {
    const session = analyst(() => ({ output: '1', tables: { mine: [{ a: 1 }] } }));
    const summary = await session.result('get_chip_summary', {});
    const series = await session.result('get_chip_parameter_timeseries', { parameter_name: 't1' });
    const ageOf = async (code: string) =>
      (await session.result('execute_python_analysis', { code })).freshness;
    expect(await ageOf('data["chip_summary"]')).toEqual(summary.freshness);
    expect(await ageOf("len(data['t1'])")).toEqual(series.freshness);
    expect(await ageOf('data["mine"]')).toEqual(series.freshness);
    expect(await ageOf('list(data.values())')).toEqual(mergeFreshness(summary.freshness!, series.freshness!));
    expect(await ageOf('1 + 1')).toBeNull();
    expect(series.freshness).not.toEqual(summary.freshness);
  });

  test('passes figures on by their kind and refuses what nobody can show', async () => {
    const session = analyst(() => ({
      charts: [
        { data: [{ type: 'scatter', mode: 'markers', x: [1], y: [2] }], layout: { title: { text: 'A' } } },
        { data: [{ type: 'sankey' }], layout: { title: 'B' } },
        { data: [{ type: 'bar', x: ['x'.repeat(600_000)] }] },
      ],
    }));
    const result = await session.result('execute_python_analysis', { code: 'x' });
    expect(kindsOf(result)).toEqual(['SCATTER']);
    expect(result.formattedSummary).toMatch(/B: not shown.*Chart of the analysis: not shown/s);
  });

  test('an error keeps what was printed before it', async () => {
    const session = analyst(() => ({ output: 'so far', error: 'ZeroDivisionError: division by zero' }));
    const { status, error } = await session.call('execute_python_analysis', { code: 'x' });
    expect(status).toBe('ERROR');
    expect(error?.message).toMatch(/ZeroDivisionError.*\nPrinted before: so far/s);
  });
});

describe('bad arguments are answered with what would be right', () => {
  test.each([
    ['get_chip_summary', { chip_id: 'nope' }, /no chip nope .*demo-64/],
    ['get_chip_summary', { param_names: ['t9'] }, /t9/],
    ['get_qubit_params', { qid: 'Q99' }, /99.*Q?\d/],
    ['generate_chip_heatmap', { metric_name: 'tea' }, /tea.*t1/],
    ['rank_qubits', { metric_name: 'tea', order: 'best' }, /tea.*t1/],
    ['get_chip_parameter_timeseries', { parameter_name: 'tea' }, /tea.*t1/],
    ['compare_qubits', { qids: ['1', '77'] }, /77/],
  ])('%s %j', async (name, args, message) => {
    const { status, error } = await bench.call(name, args);
    expect(status).toBe('ERROR');
    expect(error?.message).toMatch(message);
  });

  test('a chip of another project is as unknown as any', async () => {
    const stranger = openToolBench({
      ...demo,
      viewer: { ...demoViewer, projectId: 'other' },
      chipId: null,
      now: DEMO_NOW,
    });
    const foreign = await stranger.call('get_chip_summary', { chip_id: 'demo-64' });
    const unknown = await stranger.call('get_chip_summary', { chip_id: 'nothing' });
    expect(foreign.error?.message.replace('demo-64', 'X')).toBe(
      unknown.error?.message.replace('nothing', 'X'),
    );
  });
});

describeWithSharedData('brisbane', () => {
  test("another chip than the session's is kept under its own key", async () => {
    const result = await bench.result('get_chip_parameter_timeseries', {
      chip_id: 'brisbane',
      parameter_name: 't1',
    });
    expect(result.modelData).toMatchObject({ data_key: 't1@brisbane' });
  });

  test('what its importer doubts is reported as such, and not as a note of a person', async () => {
    const { data, formattedSummary } = await bench.result('get_calibration_notes', { chip_id: 'brisbane' });
    expect(formattedSummary).toMatch(
      /^The importer, not a person, doubts 2 results on brisbane, newest first: T2 Echo of Q119: T2 of 139\.0 μs is above twice the T1 of 9\.9 μs; T2 Echo of Q102: /mu,
    );
    expect(formattedSummary).toMatch(/^Nobody left a note on brisbane\./);
    const { human_notes, importer_doubts } = data as {
      human_notes: unknown[];
      importer_doubts: { qid: string; excluded: boolean }[];
    };
    expect(human_notes).toEqual([]);
    expect(importer_doubts.map(({ qid, excluded }) => [qid, excluded])).toEqual([
      ['119', false],
      ['102', false],
    ]);
  });

  test('its layer fidelities are counted, not poured into the text of a model', async () => {
    const { data } = await bench.result('get_calibration_notes', { chip_id: 'brisbane', kind: 'machine' });
    expect(JSON.stringify(data)).toContain('layer_fidelity');
    expect(JSON.stringify(data).length).toBeLessThan(1_500);
  });

  test('its worst T1 are those of the file, and the disabled gate is no fidelity', async () => {
    const worst = await bench.result('rank_qubits', {
      chip_id: 'brisbane',
      metric_name: 't1',
      order: 'lowest',
      count: 1,
    });
    expect(worst.formattedSummary).toMatch(/Q119 9\.94 μs \(bad\)/);
    const gates = await bench.result('rank_qubits', {
      chip_id: 'brisbane',
      metric_name: 'zx90_gate_fidelity',
      order: 'worst',
      count: 1,
    });
    expect(gates.formattedSummary).toMatch(/of 143 couplings on brisbane/);
    expect(gates.formattedSummary).toMatch(/Disabled, so without a current value: Q025-Q024\./);
  });
});
