/** Whatever the schema of a tool lets a model say is said here, and changes the answer as it should. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Json } from '../../../src/domain/visuals.ts';
import { openTurnLive } from '../../../src/agent/live/turn-live.ts';
import { startControlServer } from '../../../src/import/demo/control-server/control-server.ts';
import { createLiveSource } from '../../../src/sources/live/live-source.ts';
import { createLogger } from '../../../src/base/log.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase } from '../../support/demo-database.ts';
import {
  argumentsOf,
  everyTool,
  openToolBench,
  sandboxAnswering,
  type ToolBench,
} from '../../support/tool-bench.ts';
import { openUploadedTable } from '../../support/uploaded-table.ts';
import { ANALYSIS_CASES, SWEEP } from './analysis-cases.ts';
import type { ArgumentCase } from './argument-case.ts';
import { CHIP_CASES } from './chip-cases.ts';
import { HISTORY_CASES } from './history-cases.ts';
import { QUERY_CASES } from './query-cases.ts';
import { said, sayable } from './said.ts';

const CASES = [...CHIP_CASES, ...QUERY_CASES, ...HISTORY_CASES, ...ANALYSIS_CASES];

let bench: ToolBench;
/** A session about a chip that there is not, so that only what a call names counts. */
let elsewhere: ToolBench;
let close: () => Promise<void>;

beforeAll(async () => {
  const now = () => DEMO_NOW;
  const [demo, control, table] = await Promise.all([
    openDemoDatabase(),
    startControlServer({ port: 0, seed: 1, now }),
    openUploadedTable(SWEEP),
  ]);
  const source = createLiveSource({
    url: `${control.url}/chips/{chip}`,
    limiter: { take: async () => ({ allowed: true }), quota: async () => null },
    now,
    log: createLogger('silent'),
  });
  const { signal } = new AbortController();
  const options = {
    services: demo.services,
    viewer: demoViewer,
    now: DEMO_NOW,
    datasets: table.datasets,
    live: openTurnLive({ source, question: '', emit: () => {}, signal }),
    sandbox: sandboxAnswering((code) => ({ output: `ran ${code}` })),
  };
  bench = openToolBench({ ...options, chipId: 'demo-64' });
  elsewhere = openToolBench({ ...options, chipId: 'elsewhere' });
  close = async () => void (await Promise.all([demo.close(), control.close(), table.close()]));
});
afterAll(() => close());

const argsOf = async ({ tool, args }: ArgumentCase): Promise<object> =>
  argumentsOf(tool, typeof args === 'function' ? await args(bench) : args);

test.each(CASES.map((each) => [each.tool, each.says, each] as const))(
  '%s is told: %s',
  async (tool, _says, each) => {
    const result = await bench.result(tool, await argsOf(each));
    each.holds(result.data, result);
  },
);

const namesChip = everyTool.schemas.filter(({ parameters }) =>
  Object.hasOwn(parameters['properties'] as object, 'chip_id'),
);

describe('the chip that a call names counts, not that of the conversation:', () => {
  test.each(namesChip.map(({ name }) => [name]))('%s', async (name) => {
    const args = await argsOf(CASES.find(({ tool }) => tool === name)!);
    const unnamed = await elsewhere.call(name, args);
    expect(unnamed.error?.message).toMatch(/no chip elsewhere.*demo-64/);
    const named = await elsewhere.call(name, { ...args, chip_id: 'demo-64' });
    expect(named.error).toBeNull();
  });
});

test('nothing that a schema lets a model say was left unsaid', async () => {
  const calls = [...bench.made, ...elsewhere.made];
  const heard = new Set(calls.flatMap(({ name, args }) => said(args as Json, name)));
  const all = everyTool.schemas.flatMap(({ name, parameters }) => sayable(parameters, name));
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((words) => !heard.has(words))).toEqual([]);
});

/** Tools whose answers may stand on no row that was measured at some time, or on rows of another source. */
const TIMELESS = ['list_entities', 'get_lab_context', 'execute_python_analysis', 'make_chart', 'propose_job'];

test('every answer has data, a summary, an age where it has one, and a source', () => {
  const made = [...bench.made, ...elsewhere.made];
  expect(new Set(made.map(({ name }) => name))).toEqual(new Set(everyTool.names));
  for (const { name, output } of made) {
    const { data, formattedSummary, freshness, source } = JSON.parse(output) as Record<string, unknown>;
    expect(data).toEqual(expect.any(Object));
    expect(formattedSummary).toMatch(/^(?!.*(undefined|NaN|\[object))..*/s);
    expect(source).toMatch(/^[A-Z]+$/);
    const isTimeless = TIMELESS.includes(name);
    if (isTimeless && freshness === null) continue;
    const parts = ['newestAt', 'oldestAt', 'source', 'staleAfterSeconds'];
    expect(Object.keys(freshness as object).toSorted()).toEqual(parts);
    if (!isTimeless) expect(freshness).toMatchObject({ source });
  }
});

test('what can be said is found at every depth of a schema', () => {
  const { parameters } = everyTool.schemas.find(({ name }) => name === 'query_dataset')!;
  const words = sayable(parameters, 'query');
  expect(words).toEqual(
    expect.arrayContaining([
      'query.columns[]',
      'query.filters[].op = "<="',
      'query.aggregate[].figure = "stdev"',
      'query.descending = true',
      'query.limit',
    ]),
  );
  const call = { columns: null, filters: [{ column: '', op: '<=', value: '2' }], descending: false };
  expect(said(call, 'query').filter((each) => words.includes(each))).toEqual([
    'query.filters[].op = "<="',
    'query.filters[].value',
    'query.descending = false',
  ]);
});
