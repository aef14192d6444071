import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import type { ChipSummary } from '../../src/domain/chip/chip-summary.ts';
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
import { openToolBench } from '../support/tool-bench.ts';

/** What the newest result says about a part decides what is current, wherever it is read. */

const CHIP = 'gates';
const CZ = 'cz_gate_fidelity';
const DISABLED_AT = '2026-02-24T02:00:00Z';

const cz = (value: number, taskId: string, at = DISABLED_AT): Document => ({
  [CZ]: parameter(value, 'a.u.', { task_id: taskId, calibrated_at: new Date(at) }),
});
const run = (qid: string, value: number, taskId: string, at = DISABLED_AT, rest: Document = {}): Document =>
  resultDocument(CHIP, qid, at, {
    name: 'CZInterleavedRandomizedBenchmarking',
    task_id: taskId,
    output_parameters: cz(value, taskId, at),
    ...rest,
  });

let qdash: QdashDatabase;
let chip: Chip;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  await qdash.db.collection('chip').insertOne(chipDocument(CHIP, { size: 4 }));
  await qdash.db.collection('qubit').insertMany(['0', '1', '2', '3'].map((qid) => entityDocument(CHIP, qid)));
  await qdash.db.collection('coupling').insertMany([
    entityDocument(CHIP, '0-1', cz(0, 'mark')),
    entityDocument(CHIP, '1-2', cz(0.99, 'good')),
    // A person excluded the mark: the result before it counts again.
    entityDocument(CHIP, '2-3', cz(0, 'excluded mark')),
    // Errors above 1 are marks too, and nothing good was ever measured.
    entityDocument(CHIP, '3-0', cz(-4, 'never')),
  ]);
  await qdash.db
    .collection('task_result_history')
    .insertMany([
      run('0-1', 0.97, 'old', '2025-02-20T00:00:00Z'),
      run('0-1', 0.98, 'last good', '2025-02-24T00:00:00Z'),
      run('0-1', 0, 'earlier mark', '2026-02-23T00:00:00Z'),
      run('0-1', 0, 'mark'),
      run('0-1', 0, 'failed', '2026-02-24T05:00:00Z', { status: 'failed', output_parameters: {} }),
      run('1-2', 0.99, 'good'),
      run('2-3', 0.96, 'before', '2026-02-20T00:00:00Z'),
      run('2-3', 0, 'excluded mark', DISABLED_AT, { excluded: true }),
      run('3-0', -4, 'never'),
    ]);
  chip = await qdash.services.chips.get(viewer, CHIP);
});
afterAll(() => qdash.close());

const lastGood = {
  value: 0.98,
  displayValue: 98,
  displayUnit: '%',
  taskId: 'last good',
  measuredAt: new Date('2025-02-24T00:00:00Z'),
};

test('a disabled gate has no current value, and its last good one is past', async () => {
  const [couplings = []] = await qdash.services.couplings.ofChips([chip]);
  const values = await qdash.services.couplings.parameters(couplings, null);
  expect(values.map(([each]) => [each?.state, each?.displayValue, each?.rating, each?.lastGood])).toEqual([
    ['DISABLED', null, 'UNKNOWN', expect.objectContaining(lastGood)],
    ['ENABLED', 99, 'EXCELLENT', null],
    ['DOUBTFUL', 96, 'GOOD', null],
    ['DISABLED', null, 'UNKNOWN', null],
  ]);
  expect(values[0]?.[0]?.stateReason).toBe(
    'its newest result of 2026-02-24 02:00 UTC, 0.00 %, marks it as disabled',
  );
  expect(values[2]?.[0]?.stateReason).toBe('older than 48 hours');
});

test.each(['LATEST', 'BEST', 'AVERAGE'] as const)('%s has no value of a disabled gate', async (selection) => {
  const metric = await qdash.services.chipMetrics.ofCouplings(chip, { name: CZ, selection });
  expect(metric.values.map(({ qid, displayValue, state }) => [qid, displayValue, state])).toEqual([
    ['0-1', null, 'DISABLED'],
    ['1-2', 99, 'ENABLED'],
    ['2-3', 96, 'ENABLED'],
    ['3-0', null, 'DISABLED'],
  ]);
  expect(metric.values[0]?.lastGood).toMatchObject(lastGood);
  expect(metric.statistics).toMatchObject({ missing: 2, display: { count: 2, min: 96, max: 99 } });
});

test('within a window a disabled gate is disabled, not merely without a result', async () => {
  const { values } = await qdash.services.chipMetrics.ofCouplings(chip, { name: CZ, withinHours: 24 });
  expect(values.map(({ state }) => state)).toEqual(['DISABLED', 'ENABLED', 'MISSING', 'DISABLED']);
});

test('marks are no points of a history and no part of a comparison', async () => {
  const { series } = await qdash.services.chipTimeseries.get(chip, { parameter: CZ });
  expect(series.map(({ points }) => points.map(({ displayValue }) => displayValue))).toEqual([
    [97, 98],
    [99],
    [96],
    [],
  ]);
});

test('a task result that carries the mark says so instead of a value', async () => {
  const [found] = await qdash.services.taskResults.getMany(viewer, ['mark']);
  expect(found?.outputParameters).toMatchObject([{ state: 'DISABLED', value: null, displayValue: null }]);
});

test('reads of disabled gates take as many commands for all as for one', async () => {
  const [couplings = []] = await qdash.services.couplings.ofChips([chip]);
  const commandsFor = async (count: number): Promise<number> => {
    qdash.commands.length = 0;
    await qdash.services.couplings.parameters(couplings.slice(0, count), null);
    return qdash.commands.length;
  };
  await commandsFor(4);
  const one = await commandsFor(1);
  // One more for the exclusion among them, none for further gates.
  expect(await commandsFor(2)).toBe(one);
});

test('tools name disabled gates and give no value of them', async () => {
  const bench = openToolBench({ services: qdash.services, viewer, chipId: CHIP, now: NOW });
  const one = await bench.result('get_coupling_params', { coupling_id: '0-1' });
  expect(one.formattedSummary).toContain(
    'CZ Gate Fidelity disabled, last good 98.00 % at 2025-02-24 00:00 UTC',
  );
  expect(one.data).toMatchObject({
    couplings: [{ parameters: [{ value: null, state: 'DISABLED', last_good: { value: 0.98 } }] }],
  });
  const ranked = await bench.result('rank_qubits', { metric_name: CZ, order: 'worst', count: 5 });
  expect(ranked.formattedSummary).toContain('of 2 couplings');
  expect(ranked.formattedSummary).toContain(
    'Disabled, so without a current value: Q00-Q01 (last good 98.00 % at 2025-02-24 00:00 UTC), Q03-Q00.',
  );
});

test('list_entities names the disabled couplings, and which gate', async () => {
  const bench = openToolBench({ services: qdash.services, viewer, chipId: CHIP, now: NOW });
  const disabled = { kind: 'coupling', name_contains: null, state: 'disabled' };
  const { formattedSummary, data } = await bench.result('list_entities', disabled);
  expect(formattedSummary).toBe('gates: 2 of its 4 couplings disabled: Q00-Q01, Q03-Q00 (CZ Gate Fidelity).');
  expect(data).toMatchObject({
    entities: [{ qid: '0-1', last_good: { value: 98, unit: '%' } }, { qid: '3-0' }],
  });
  const { error } = await bench.call('list_entities', { ...disabled, kind: 'task' });
  expect(error?.message).toContain('only qubits and couplings have a state');
});

test('what fell by many standard errors this week comes before what is a little below its limit', async () => {
  const t1 = (qid: string, value: number, at: string) =>
    t1Result('falls', qid, at, value, {
      task_id: `${qid} ${at}`,
      output_parameters: { t1: parameter(value, 'μs', { error: 2, task_id: `${qid} ${at}` }) },
    });
  const now = '2026-02-24T02:00:00Z';
  const current = { 0: 48.5, 1: 110, 2: 112, 3: 111 };
  await qdash.db.collection('chip').insertOne(chipDocument('falls', { size: 4 }));
  await qdash.db.collection('qubit').insertMany(
    Object.entries(current).map(([qid, value]) =>
      entityDocument('falls', qid, {
        t1: parameter(value, 'μs', { error: 2, task_id: `${qid} ${now}`, calibrated_at: new Date(now) }),
      }),
    ),
  );
  await qdash.db
    .collection('task_result_history')
    .insertMany([
      ...Object.entries(current).map(([qid, value]) => t1(qid, value, now)),
      t1('0', 49, '2026-02-16T00:00:00Z'),
      t1('1', 150, '2026-02-16T00:00:00Z'),
      t1('2', 114, '2026-02-16T00:00:00Z'),
    ]);
  const bench = openToolBench({ services: qdash.services, viewer, chipId: 'falls', now: NOW });
  const { formattedSummary, data } = await bench.result('get_chip_summary', { param_names: null });
  expect(formattedSummary).toContain(
    'Problems: 1 value worse than good, on 2 parts; 1 value is much worse than a week before. By the distance past the limits or the fall, worst first: Q01 T1 from 150.0 μs to 110.0 μs (14.1 standard errors); Q00 T1 48.50 μs (fair, limit 50.00 μs).',
  );
  expect(data).toMatchObject({ falls: [{ qid: '1', before: 150, after: 110 }] });
});

test('what is old and implausible is reported as implausible', async () => {
  const old = { calibrated_at: new Date('2025-02-24T02:00:00Z') };
  await qdash.db.collection('chip').insertOne(chipDocument('old', { size: 4 }));
  await qdash.db
    .collection('qubit')
    .insertMany([
      entityDocument('old', '0', { t1: parameter(20, 'μs', old), t2_echo: parameter(50, 'μs', old) }),
      entityDocument('old', '1', { t1: parameter(80, 'μs', old), t2_echo: parameter(50, 'μs', old) }),
    ]);
  const bench = openToolBench({ services: qdash.services, viewer, chipId: 'old', now: NOW });
  const { formattedSummary } = await bench.result('get_chip_summary', { param_names: null });
  expect(formattedSummary).toContain('Doubtful: T2 Echo on 1 of 2 qubits (Q00).');
  expect(formattedSummary).toMatch(/^old: 2 qubits, 0 couplings, health poor /);
});

test('a coupling that the newest snapshot lacks is past, and a flipped direction is no new one', async () => {
  const newest = new Date('2026-02-24T02:00:00Z');
  const before = new Date('2026-02-01T02:00:00Z');
  const coupling = (qid: string, updated_at: Date) =>
    entityDocument('snap', qid, cz(0.99, `snap ${qid}`), { system_info: { created_at: before, updated_at } });
  await qdash.db.collection('chip').insertOne(chipDocument('snap', { size: 4, snapshot_at: newest }));
  await qdash.db
    .collection('qubit')
    .insertMany(['0', '1', '2', '3'].map((qid) => entityDocument('snap', qid)));
  await qdash.db
    .collection('coupling')
    .insertMany([
      coupling('0-1', newest),
      coupling('1-0', before),
      coupling('1-3', before),
      coupling('2-3', newest),
    ]);
  await qdash.db.collection('task_result_history').insertMany(
    ['0-1', '2-3'].map((qid) =>
      resultDocument('snap', qid, DISABLED_AT, {
        name: 'CZInterleavedRandomizedBenchmarking',
        task_id: `snap ${qid}`,
        output_parameters: cz(0.99, `snap ${qid}`),
      }),
    ),
  );
  const snap = await qdash.services.chips.get(viewer, 'snap');
  const [couplings = []] = await qdash.services.couplings.ofChips([snap]);
  expect(couplings.map(({ couplingId, lastSeenAt }) => [couplingId, lastSeenAt])).toEqual([
    ['0-1', null],
    ['1-3', before],
    ['2-3', null],
  ]);
  const values = await qdash.services.couplings.parameters(couplings, null);
  expect(values.map(([each]) => [each?.state, each?.displayValue, each?.lastGood?.displayValue])).toEqual([
    ['ENABLED', 99, undefined],
    ['MISSING', null, 99],
    ['ENABLED', 99, undefined],
  ]);
  const [summary] = await qdash.services.chipSummaries.getMany([{ chip: snap, parameters: null }]);
  expect(summary).toMatchObject({
    couplingCount: 2,
    couplingParameters: [{ name: CZ, missing: 0, display: { count: 2 } }],
    parts: expect.arrayContaining([expect.objectContaining({ qid: '1-3', lastSeenAt: before })]),
  });
  const { health } = summary as ChipSummary;
  expect(health.components.map(({ name }) => name)).not.toContain('MISSING');
  const metric = await qdash.services.chipMetrics.ofCouplings(snap, { name: CZ });
  expect(metric.values.map(({ state }) => state)).toEqual(['ENABLED', 'MISSING', 'ENABLED']);
  expect(metric.values[1]?.stateReason).toBe(
    'the newest snapshot lacks it; last seen at 2026-02-01 02:00 UTC',
  );
  expect(metric.statistics).toMatchObject({ missing: 0, display: { count: 2 } });

  const bench = openToolBench({ services: qdash.services, viewer, chipId: 'snap', now: NOW });
  const past = 'Past couplings, not in the newest snapshot: Q01-Q03 (last seen 2026-02-01 02:00 UTC).';
  const listed = await bench.result('list_entities', { kind: 'coupling', name_contains: null, state: null });
  expect(listed.formattedSummary).toBe(`snap: 2 couplings: Q00-Q01 and Q02-Q03.\n${past}`);
  for (const [tool, args] of [
    ['get_chip_topology', {}],
    ['get_chip_summary', { param_names: null }],
    ['rank_qubits', { metric_name: CZ, order: 'worst', count: 5 }],
    ['query_values', { show: CZ, where: [], join: 'and', order: 'lowest' }],
  ] as const) {
    expect([tool, (await bench.result(tool, args)).formattedSummary]).toEqual([
      tool,
      expect.stringContaining(past),
    ]);
  }
});

test.each(['square-lattice-mux-16', null])('a layout (%s) has no past couplings', async (topologyId) => {
  const snap = { ...(await qdash.services.chips.get(viewer, 'snap')), topologyId };
  const [topology] = await qdash.services.topologies.ofChips([snap]);
  const pairs = topology?.couplings.map((pair) => pair.toSorted().join('-'));
  expect(pairs).toEqual(expect.arrayContaining(['0-1', '2-3']));
  expect(pairs).not.toContain('1-3');
});
