import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ToolResult } from '../../src/agent/tool.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { openToolBench, type ToolBench } from '../support/tool-bench.ts';

/** What the tools say of parameters that are measured on couplings. */

let demo: DemoDatabase;
let bench: ToolBench;
beforeAll(async () => {
  demo = await openDemoDatabase();
  bench = openToolBench({ services: demo.services, viewer: demoViewer, chipId: 'demo-64', now: DEMO_NOW });
});
afterAll(() => demo.close());

const PARAMETER = 'zx90_gate_fidelity';
const oneSeries = (qid: string, parameter_name = PARAMETER) => ({
  chip_id: null,
  parameter_name,
  qid,
  last_n: 20,
});
const series = (qids: readonly string[] | null) => ({
  chip_id: null,
  parameter_name: PARAMETER,
  qids,
  last_n: null,
});
const kindsOf = ({ visuals }: ToolResult) =>
  visuals.map((visual) => (visual.type === 'chart' ? visual.kind : 'TABLE'));

describe('histories of couplings', () => {
  test('of one are a line and a sentence, in display units', async () => {
    const result = await bench.result('get_parameter_timeseries', oneSeries('Q03-Q01'));
    expect(result.data).toMatchObject({
      qid: '3-1',
      scale: 100,
      display_unit: '%',
      trend: expect.anything(),
    });
    expect(result.formattedSummary).toMatch(
      /^ZX90 Gate Fidelity of Q03-Q01 on demo-64: newest 9\d\.\d+ % ± 0\.12 % \(2026-05-19 .*\)\.\n15 results, 9\d\.\d+ % to 9\d\.\d+ %, \w+/,
    );
    expect(kindsOf(result)).toEqual(['LINE']);
  });

  test('asked for against the drive answer by the twin and say so', async () => {
    const remark = 'Values are stored for Q03-Q01; the direction that was asked for, 1-3, has none.';
    const one = await bench.result('get_parameter_timeseries', oneSeries('1-3'));
    const some = await bench.result('get_chip_parameter_timeseries', series(['1-3', '3-1']));
    const compared = await bench.result('compare_periods', {
      chip_id: null,
      parameter_name: PARAMETER,
      window_hours: null,
      from: null,
      to: null,
      level: null,
      qids: ['1-3'],
      include_series: false,
    });
    for (const { formattedSummary } of [one, some, compared]) expect(formattedSummary).toContain(remark);
    expect(some.data).toMatchObject({ num_couplings: 1, couplings: [{ qid: '3-1' }] });
  });

  test('of the whole chip are counted as couplings, and kept for analysis', async () => {
    const result = await bench.result('get_chip_parameter_timeseries', series(null));
    const [listed = []] = await demo.services.couplings.ofChips([await demoChip()]);
    expect(result.data).toMatchObject({ num_couplings: listed.length });
    expect(result.data).not.toHaveProperty('qubits');
    expect(result.formattedSummary).toContain(`${listed.length} couplings, newest of each: median `);
    expect(result.visuals.at(-1)).toMatchObject({
      type: 'table',
      columns: [{ label: 'Coupling' }, {}, {}, {}, {}, {}, {}, {}],
    });
    expect(await bench.context.dataStore.get(PARAMETER)).toContain('"couplings"');
  });

  test('are told to whoever asks for a qubit', async () => {
    const { error } = await bench.call('get_parameter_timeseries', oneSeries('Q1'));
    expect(error?.message).toMatch(
      /Q1 is not a coupling, and zx90_gate_fidelity is measured on couplings; the couplings of Q1: 1-0, 3-1, 4-1/,
    );
    const wrong = await bench.call('get_parameter_timeseries', oneSeries('0-1', 't1'));
    expect(wrong.error?.message).toContain('there is no qubit 0-1 on chip demo-64');
  });
});

describe('couplings in two windows', () => {
  test('are compared one by one, never with qubits', async () => {
    const result = await bench.result('compare_periods', {
      chip_id: null,
      parameter_name: PARAMETER,
      window_hours: 24 * 14,
      from: null,
      to: null,
      level: null,
      qids: null,
      include_series: true,
    });
    const { rows } = result.data as { rows: readonly { entity: string; change: number | null }[] };
    expect(rows.every(({ entity }) => /^Q\d\d-Q\d\d$/u.test(entity))).toBe(true);
    expect(rows.filter(({ change }) => change !== null).length).toBeGreaterThan(50);
    expect(result.formattedSummary).toMatch(/Mean of \d+ couplings: 9\d\.\d+ %, before 9\d\.\d+ %;/);
    expect(result.formattedSummary).toMatch(/Changes: 5 of 112 shown, most sigma first: Q\d\d-Q\d\d [+-]\d/);
    expect(kindsOf(result)).toEqual(['LINE', 'TABLE']);
    expect(result.visuals[1]).toMatchObject({ columns: [{ label: 'Coupling' }, {}, {}, {}, {}, {}] });
  });
});

describe('current values of couplings', () => {
  const values = (param_names: readonly string[]) => ({
    chip_id: null,
    coupling_id: '3-1',
    qubit_id: null,
    param_names,
  });

  test('a name that there is not is an error that says which there are, not silence', async () => {
    const { error } = await bench.call('get_coupling_params', values(['frequency']));
    expect(error?.message).toMatch(
      /there is no parameter frequency on chip demo-64; its parameters: qubit_frequency/,
    );
    const { formattedSummary } = await bench.result('get_coupling_params', values(['static_zz_interaction']));
    expect(formattedSummary).toContain('Q03-Q01: no value of static_zz_interaction.');
  });
});

describe('ranked couplings', () => {
  const rank = (within_hours: number | null) =>
    bench.result('rank_qubits', {
      chip_id: null,
      metric_name: PARAMETER,
      order: 'best',
      count: 3,
      within_hours,
    });

  test('are those of the window asked for', async () => {
    const [all, recent] = [await rank(null), await rank(1)];
    expect(all.data).toMatchObject({ missing: 0 });
    expect(recent.data).toMatchObject({ measured: 0, rows: [] });
    expect(recent.formattedSummary).toBe(
      'No coupling of demo-64 has a usable result for ZX90 Gate Fidelity.',
    );
  });
});

async function demoChip() {
  return demo.services.chips.get(demoViewer, 'demo-64');
}
