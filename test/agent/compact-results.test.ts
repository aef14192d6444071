/** How short the values are that a model reads of each tool, and how whole those that are kept for analysis. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compactNumber } from '../../src/domain/text/compact.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { argumentsOf, openToolBench, type ToolBench } from '../support/tool-bench.ts';

let demo: DemoDatabase;
/** Calls whose results a language model reads, and calls whose results our own programs read. */
let [models, programs]: ToolBench[] = [];

beforeAll(async () => {
  demo = await openDemoDatabase();
  const session = { ...demo, viewer: demoViewer, chipId: 'demo-64', now: DEMO_NOW };
  models = openToolBench({ ...session, readsWhole: false });
  programs = openToolBench({ ...session, readsWhole: true });
});
afterAll(() => demo.close());

/** What is read in `data` of a call. */
async function dataRead(bench: ToolBench, name: string, given: object): Promise<unknown> {
  await bench.result(name, argumentsOf(name, given));
  return (JSON.parse(bench.made.at(-1)!.output) as { data: unknown }).data;
}

/** Every value at every depth. */
const valuesOf = (data: unknown): readonly unknown[] =>
  typeof data === 'object' && data !== null ? Object.values(data).flatMap(valuesOf) : [data];

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/u;
const tooLong = (data: unknown) =>
  valuesOf(data).filter((value) =>
    typeof value === 'number'
      ? value !== compactNumber(value)
      : typeof value === 'string' && ISO_TIME.test(value),
  );

describe('the data of a direct tool', () => {
  test.each<[string, object]>([
    ['search_task_results', { task_name: 'CheckT1' }],
    ['get_task_history', { task_name: 'CheckT1', qid: '7', last_n: 3 }],
    ['get_latest_task_result', { task_name: 'CheckT1', qid: '7' }],
    ['compare_qubits', { qids: ['3', '7', '12'], param_names: null }],
    ['get_execution_history', {}],
    ['get_parameter_lineage', { parameter_name: 't1', qid: '7' }],
  ])('%s is read with four significant figures and short times', async (name, given) => {
    const data = await dataRead(models!, name, given);
    expect(valuesOf(data).some((value) => typeof value === 'number')).toBe(true);
    expect(tooLong(data)).toEqual([]);
  });

  test('compare_qubits of 60 qubits is read with the value of each', async () => {
    const qids = Array.from({ length: 60 }, (_, at) => String(at));
    await models!.result('compare_qubits', argumentsOf('compare_qubits', { qids, param_names: ['t1'] }));
    const values = [...models!.made.at(-1)!.output.matchAll(/Q(\d\d) \d[\d.]* μs/g)];
    expect(values.map(([, qid]) => Number(qid))).toEqual(qids.map(Number));
  });

  test('get_provenance_lineage_graph is read so too, as one list of nodes and one of edges', async () => {
    const { versions } = (await dataRead(programs!, 'get_parameter_lineage', {
      parameter_name: 't1',
      qid: '7',
    })) as {
      versions: readonly { entity_id: string }[];
    };
    const data = (await dataRead(models!, 'get_provenance_lineage_graph', {
      entity_id: versions[0]!.entity_id,
    })) as {
      nodes: { rows: readonly object[] };
      edges: { rows: readonly object[] } | readonly object[];
    };
    expect(data.nodes.rows.length).toBeGreaterThan(1);
    expect(('rows' in data.edges ? data.edges.rows : data.edges).length).toBeGreaterThan(0);
    expect(tooLong(data)).toEqual([]);
  });
});

describe('a stored tool', () => {
  test.each([
    ['get_chip_summary', {}],
    ['get_chip_parameter_timeseries', { parameter_name: 't1' }],
  ])('the statistics of %s are compacted', async (name, given) => {
    const data = (await dataRead(programs!, name, given)) as { statistics: object };
    const numbers = valuesOf(data.statistics).filter((value) => typeof value === 'number');
    expect(numbers.length).toBeGreaterThan(3);
    expect(numbers.filter((value) => value !== compactNumber(value))).toEqual([]);
  });

  test('what is kept for analysis has every digit and whole times', async () => {
    await dataRead(models!, 'get_chip_parameter_timeseries', { parameter_name: 't1' });
    const kept = JSON.parse(await models!.context.dataStore.all()) as { t1: { timeseries: object } };
    const values = valuesOf(kept.t1.timeseries);
    expect(
      values.filter((value) => typeof value === 'string' && ISO_TIME.test(value)).length,
    ).toBeGreaterThan(100);
    expect(
      values.filter((value) => typeof value === 'number' && value !== compactNumber(value)).length,
    ).toBeGreaterThan(100);
  });
});
