/**
 * A person excludes a result, and QDash leaves its value in `qubit.data` and `coupling.data`. Nothing may tell that value
 * as current, whichever way it is asked for.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/http.ts';
import { post } from '../support/graphql-client.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  parameter,
  resultDocument,
  t1Result,
  viewer,
  type QdashDatabase,
} from '../support/qdash-database.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { argumentsOf, openToolBench, type ToolBench } from '../support/tool-bench.ts';

/** Values of the excluded results: no text of ours may hold these digits, nor the display forms of them. */
const WRONG = /999|66\.6/u;
const BAD_DAY = '2026-02-24T00:00:00Z';
const GOOD_DAY = '2026-02-20T00:00:00Z';

let qdash: QdashDatabase;
let server: RunningServer;
let bench: ToolBench;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  const current = (value: number, task_id: string, unit = 'μs') =>
    parameter(value, unit, { task_id, calibrated_at: new Date(BAD_DAY) });
  const fidelity = (value: number) => ({ zx90_gate_fidelity: parameter(value, 'a.u.') });
  const gate = (at: string, value: number, rest: object) =>
    resultDocument('X', '0-1', at, {
      name: 'ZX90InterleavedRandomizedBenchmarking',
      output_parameters: fidelity(value),
      ...rest,
    });
  await qdash.db.collection('project').insertOne({ project_id: 'p1', name: 'p1', owner_username: 'rin' });
  await qdash.db.collection('chip').insertOne(chipDocument('X', { size: 4, topology_id: null }));
  await qdash.db.collection('qubit').insertMany([
    entityDocument('X', '0', { t1: current(999, 'bad-0'), t2_echo: current(70, 'echo-0') }),
    // Nothing but the excluded result was ever measured.
    entityDocument('X', '1', { t1: current(999, 'bad-1') }),
    entityDocument('X', '2', { t1: current(52, 'good-2') }),
    // Another user's row of the same qubit, with the older value.
    entityDocument('X', '2', { t1: current(999, 'bad-2') }, { username: 'ann' }),
    entityDocument('X', '3', { t1: current(50, 'good-3') }),
  ]);
  await qdash.db
    .collection('coupling')
    .insertMany([
      entityDocument('X', '0-1', { zx90_gate_fidelity: current(0.666, 'bad-gate', 'a.u.') }),
      entityDocument('X', '1-0'),
    ]);
  const excluded = { excluded: true, excluded_reason: 'Pump was on' };
  await qdash.db
    .collection('task_result_history')
    .insertMany([
      t1Result('X', '0', GOOD_DAY, 48, { task_id: 'good-0' }),
      t1Result('X', '0', BAD_DAY, 999, { task_id: 'bad-0', ...excluded }),
      t1Result('X', '1', BAD_DAY, 999, { task_id: 'bad-1', ...excluded }),
      t1Result('X', '2', GOOD_DAY, 52, { task_id: 'good-2' }),
      t1Result('X', '2', BAD_DAY, 999, { task_id: 'bad-2', ...excluded }),
      t1Result('X', '3', BAD_DAY, 50, { task_id: 'good-3' }),
      gate(GOOD_DAY, 0.97, { task_id: 'good-gate' }),
      gate(BAD_DAY, 0.666, { task_id: 'bad-gate', ...excluded }),
    ]);
  const version = (task: string, at: string, value: number, number: number) => ({
    entity_id: `t1:0:20260224-001:${task}`,
    parameter_name: 't1',
    qid: '0',
    value,
    value_type: 'float',
    unit: 'μs',
    error: 0,
    version: number,
    valid_from: new Date(at),
    valid_until: null,
    execution_id: '20260224-001',
    task_id: task,
    task_name: 'CheckT1',
    project_id: 'p1',
    chip_id: 'X',
  });
  await qdash.db
    .collection('parameter_versions')
    .insertMany([version('good-0', GOOD_DAY, 48, 1), version('bad-0', BAD_DAY, 999, 2)]);
  server = await startTestServer(qdash.services);
  bench = openToolBench({ services: qdash.services, viewer, chipId: 'X', now: NOW });
});
afterAll(async () => {
  await server.close();
  await qdash.close();
});

async function ask(selection: string): Promise<Record<string, unknown>> {
  const query = `{ chip(chipId: "X") { ${selection} } }`;
  const { data, errors } = await post(server.url, query, { headers: { 'x-project-id': 'p1' } });
  expect(errors).toEqual([]);
  return data?.['chip'] as Record<string, unknown>;
}

describe('over GraphQL an excluded value', () => {
  test('of a qubit gives way to the result before it, with the time and record of that one', async () => {
    const { qubits } = await ask(
      'qubits { qid parameters(names: ["t1"]) { value rating calibratedAt taskId } }',
    );
    expect(qubits).toEqual([
      {
        qid: '0',
        parameters: [
          { value: 48, rating: 'FAIR', calibratedAt: '2026-02-20T00:00:00.000Z', taskId: 'good-0' },
        ],
      },
      { qid: '1', parameters: [] },
      { qid: '2', parameters: [expect.objectContaining({ value: 52, taskId: 'good-2' })] },
      { qid: '3', parameters: [expect.objectContaining({ value: 50, taskId: 'good-3' })] },
    ]);
    const one = await ask('qubits { parameter(name: "t1") { value } }');
    expect(JSON.stringify(one)).not.toMatch(WRONG);
  });

  test('of a coupling does, too', async () => {
    const { couplings } = await ask('couplings { couplingId parameters { value taskId } }');
    expect(couplings).toEqual([{ couplingId: '0-1', parameters: [{ value: 0.97, taskId: 'good-gate' }] }]);
  });

  test('is in no summary, map, history or comparison', async () => {
    const seen = await ask(
      `summary { parameters { name max } health { problems { qubit { label } } } }
       metric(name: "t1") { values { value rating } }
       timeseries(parameter: "t1") { series { points { value } } }
       comparison(parameter: "t1", windowHours: 96) { rows { current previous } }`,
    );
    expect(JSON.stringify(seen)).not.toMatch(WRONG);
    expect(seen['summary']).toMatchObject({
      parameters: expect.arrayContaining([{ name: 't1', max: 52 }]),
    });
  });

  test('is marked among the origins of a value', async () => {
    const { qubits } = await ask(
      'qubits(first: 1) { lineage(parameter: "t1", lastN: 1) { provenance { nodes { nodeId excluded } } } }',
    );
    expect(JSON.stringify(qubits)).toContain('{"nodeId":"t1:0:20260224-001:bad-0","excluded":true}');
  });

  test('is among the versions of the parameter, marked, and holds for no time', async () => {
    const { qubits } = await ask(
      'qubits { qid lineage(parameter: "t1") { version excluded validFrom validUntil } }',
    );
    expect((qubits as readonly object[])[0]).toEqual({
      qid: '0',
      lineage: [
        {
          version: 2,
          excluded: true,
          validFrom: '2026-02-24T00:00:00.000Z',
          validUntil: '2026-02-24T00:00:00.000Z',
        },
        { version: 1, excluded: false, validFrom: '2026-02-20T00:00:00.000Z', validUntil: null },
      ],
    });
  });
});

describe('a tool never reports an excluded value as current:', () => {
  test.each<[string, object]>([
    ['get_qubit_params', { qid: '0' }],
    ['get_qubit_params', { qid: '1' }],
    ['get_coupling_params', { qubit_id: '0' }],
    ['compare_qubits', { qids: ['0', '1', '2', '3'], param_names: ['t1'] }],
    ['get_chip_summary', {}],
    ['rank_qubits', { metric_name: 't1', order: 'highest' }],
    ['find_outliers', { metric_name: 't1' }],
    ['generate_chip_heatmap', { metric_name: 't1' }],
    ['get_parameter_timeseries', { parameter_name: 't1', qid: '0' }],
    ['get_chip_parameter_timeseries', { parameter_name: 't1' }],
    ['compare_periods', { parameter_name: 't1', window_hours: 96, include_series: true }],
  ])('%s %j', async (name, args) => {
    const { output, error } = await bench.call(name, argumentsOf(name, args));
    expect(error).toBeNull();
    expect(output).not.toMatch(WRONG);
    if (name === 'get_qubit_params') expect(output).not.toMatch(/EXCELLENT/u);
  });

  test.each(['get_latest_task_result', 'get_task_history'])('%s lists it as excluded only', async (name) => {
    const { formattedSummary } = await bench.result(
      name,
      argumentsOf(name, { task_name: 'CheckT1', qid: '0' }),
    );
    expect(formattedSummary).not.toMatch(WRONG);
    expect(formattedSummary).toMatch(/T1 48\.00 μs/u);
    expect(formattedSummary).toContain('excluded');
  });

  test('get_parameter_lineage names the version that counts', async () => {
    const { formattedSummary } = await bench.result('get_parameter_lineage', {
      ...argumentsOf('get_parameter_lineage', { parameter_name: 't1', qid: '0' }),
    });
    expect(formattedSummary).toContain('Current: version 1, 48.00 μs as stored');
    expect(formattedSummary).toContain('Not current: version 2; its result was excluded.');
    expect(formattedSummary).not.toMatch(WRONG);
  });
});

test('reading qubits costs the same commands however many values are excluded', async () => {
  const chip = await qdash.services.chips.get(viewer, 'X');
  const countFor = async (qids: readonly string[]): Promise<number> => {
    const qubits = await qdash.services.qubits.getMany(chip, qids);
    await qdash.services.qubits.parameters(qubits, null);
    qdash.commands.length = 0;
    await qdash.services.qubits.parameters(qubits, null);
    return qdash.commands.length;
  };
  expect(await countFor(['0', '1', '2'])).toBe(await countFor(['0']));
  // None is excluded: the values, and the look at which of their results are.
  expect(await countFor(['3'])).toBe(2);
});
