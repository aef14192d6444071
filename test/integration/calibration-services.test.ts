import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectId } from 'mongodb';
import type { MetricSelection } from '../../src/domain/chip/chip-metric.ts';
import type { Chip } from '../../src/domain/chip/chip.ts';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  resultDocument,
  t1Result,
  viewer,
} from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';

let qdash: QdashDatabase;
beforeAll(async () => {
  qdash = await openQdashDatabase();
});
afterAll(() => qdash.close());

/** A chip of its own for each test, with the given qubits and results. */
async function makeChip(
  chipId: string,
  { qubits = [], results = [], chip = {} }: { qubits?: object[]; results?: object[]; chip?: object } = {},
) {
  await qdash.db.collection('chip').insertOne(chipDocument(chipId, chip));
  if (qubits.length > 0) await qdash.db.collection('qubit').insertMany(qubits);
  if (results.length > 0) await qdash.db.collection('task_result_history').insertMany(results);
  return qdash.services.chips.get(viewer, chipId);
}

const latestT1 = async (chip: Awaited<ReturnType<typeof makeChip>>) => {
  const { values } = await qdash.services.chipMetrics.get(chip, { name: 't1' });
  return Object.fromEntries(values.map(({ qid, value }) => [qid, value]));
};

describe('defects of the tools before ours', () => {
  test('last_n is per qubit: a qubit measured often pushes no other out', async () => {
    const often = Array.from({ length: 60 }, (_, index) =>
      t1Result('B1', '0', `2026-02-24T10:${String(index).padStart(2, '0')}:00Z`, 40 + index),
    );
    const chip = await makeChip('B1', {
      qubits: [entityDocument('B1', '0'), entityDocument('B1', '1')],
      results: [...often, t1Result('B1', '1', '2026-01-05T00:00:00Z', 33)],
    });
    const { series, statistics } = await qdash.services.chipTimeseries.get(chip, {
      parameter: 't1',
      qids: ['Q00', '1'],
      lastN: 5,
    });
    expect(series.map(({ qid, points }) => [qid, points.map(({ value }) => value)])).toEqual([
      ['0', [95, 96, 97, 98, 99]],
      ['1', [33]],
    ]);
    expect(statistics).toMatchObject({ missing: 0, stored: { count: 2, median: 66 } });
  });

  test('an unchanged negative value has a stable trend', async () => {
    const results = [1, 2, 3].map((day) =>
      resultDocument('B2', '0', `2026-02-0${day}T00:00:00Z`, {
        output_parameters: { anharmonicity: parameter(-0.3, 'GHz') },
      }),
    );
    const chip = await makeChip('B2', { qubits: [entityDocument('B2', '0')], results });
    const { series } = await qdash.services.chipTimeseries.get(chip, { parameter: 'anharmonicity' });
    expect(series[0]).toMatchObject({ trend: 'STABLE', latest: -0.3, scale: 1000, displayUnit: 'MHz' });
  });

  test('values are given as stored and as shown, and rated as shown', async () => {
    const outputs = { average_readout_fidelity: parameter(0.998, 'a.u.') };
    const chip = await makeChip('B3', {
      qubits: [entityDocument('B3', '0', outputs)],
      results: [resultDocument('B3', '0', '2026-02-24T00:00:00Z', { output_parameters: outputs })],
    });
    const { values, statistics } = await qdash.services.chipMetrics.get(chip, {
      name: 'average_readout_fidelity',
    });
    expect(values).toMatchObject([{ value: 0.998, displayValue: 99.8, rating: 'EXCELLENT' }]);
    expect(statistics).toMatchObject({
      unit: 'a.u.',
      displayUnit: '%',
      stored: { mean: 0.998 },
      display: { mean: 99.8 },
    });
    const [qubit] = await qdash.services.qubits.getMany(chip, ['0']);
    const [[current] = []] = await qdash.services.qubits.parameters([qubit!], null);
    expect(current).toMatchObject({ value: 0.998, unit: 'a.u.', displayValue: 99.8, displayUnit: '%' });
  });

  test('less is better where the catalogue says so, also for BEST', async () => {
    const results = [-0.25, -0.34, -0.3].map((value, day) =>
      resultDocument('B4', '0', `2026-02-0${day + 1}T00:00:00Z`, {
        output_parameters: { anharmonicity: parameter(value, 'GHz') },
      }),
    );
    const chip = await makeChip('B4', { qubits: [entityDocument('B4', '0')], results });
    const best = await qdash.services.chipMetrics.get(chip, { name: 'anharmonicity', selection: 'BEST' });
    expect(best.values).toMatchObject([{ displayValue: -340, rating: 'EXCELLENT' }]);
  });

  test('an excluded result is in no statistic; the one before it counts again', async () => {
    const excluded = t1Result('B5', '0', '2026-02-24T00:00:00Z', 500, {
      excluded: true,
      task_id: 'B5-excluded',
    });
    const chip = await makeChip('B5', {
      qubits: [entityDocument('B5', '0', { t1: parameter(500, 'μs', { task_id: 'B5-excluded' }) })],
      results: [t1Result('B5', '0', '2026-02-20T00:00:00Z', 48), excluded],
    });
    expect(await latestT1(chip)).toEqual({ '0': 48 });
    const [summary] = await qdash.services.chipSummaries.getMany([{ chip, parameters: ['t1'] }]);
    expect(summary).toMatchObject({ parameters: [{ stored: { count: 1, max: 48 } }] });
    const { series } = await qdash.services.chipTimeseries.get(chip, { parameter: 't1' });
    expect(series[0]!.points.map(({ value }) => value)).toEqual([48]);
    const average = await qdash.services.chipMetrics.get(chip, { name: 't1', selection: 'AVERAGE' });
    expect(average.values).toMatchObject([{ value: 48, runs: 1, taskId: null }]);
    const { items } = await qdash.services.taskResults.page(chip, { first: 10 });
    expect(items.map(({ item }) => item.excluded)).toEqual([true, false]);
  });

  test('D10: the best and the average are of the current cool-down and of results that name none', async () => {
    const run = (at: string, value: number, cooldown: unknown) =>
      t1Result('D10', '0', at, value, { cooldown_id: cooldown });
    const chip = await makeChip('D10', {
      qubits: [entityDocument('D10', '0')],
      results: [
        run('2026-02-18T00:00:00Z', 90, 'cd-1'),
        run('2026-02-19T00:00:00Z', 50, 'cd-2'),
        run('2026-02-20T00:00:00Z', 60, ''),
        run('2026-02-21T00:00:00Z', 40, null),
      ],
    });
    const values = async (now: Chip, selection: MetricSelection) =>
      (await qdash.services.chipMetrics.get(now, { name: 't1', selection })).values.map(({ value }) => value);
    const second = { ...chip, currentCooldownId: 'cd-2' };
    expect([await values(second, 'BEST'), await values(second, 'AVERAGE')]).toEqual([[60], [50]]);
    expect([await values(chip, 'BEST'), await values(chip, 'AVERAGE')]).toEqual([[90], [60]]);
    expect(await values(second, 'LATEST')).toEqual([40]);
  });

  test('D10: the best of a metric that has no better is the latest of the current cool-down', async () => {
    const run = (at: string, value: number, cooldown: string) =>
      resultDocument('D10n', '0', at, {
        cooldown_id: cooldown,
        output_parameters: { qubit_frequency: parameter(value, 'GHz') },
      });
    const chip = await makeChip('D10n', {
      qubits: [entityDocument('D10n', '0')],
      results: [run('2026-02-20T00:00:00Z', 4.7, 'cd-2'), run('2026-02-21T00:00:00Z', 4.9, 'cd-1')],
    });
    const second = { ...chip, currentCooldownId: 'cd-2' };
    const valueOf = async (selection: MetricSelection) =>
      (await qdash.services.chipMetrics.get(second, { name: 'qubit_frequency', selection })).values[0]?.value;
    expect([await valueOf('BEST'), await valueOf('LATEST')]).toEqual([4.7, 4.9]);
  });

  test('a chip id of two projects is two chips, and two users of one chip are one', async () => {
    const chip = await makeChip('B6', {
      qubits: [
        entityDocument('B6', '0', {
          t1: parameter(40, 'μs', { calibrated_at: new Date('2026-02-20T00:00:00Z') }),
        }),
        entityDocument('B6', '0', { t1: parameter(60, 'μs') }, { username: 'kai' }),
        entityDocument('B6', '0', { t1: parameter(999, 'μs') }, { project_id: 'p2' }),
        entityDocument('B6', '9', { t1: parameter(999, 'μs') }, { project_id: 'p2' }),
      ],
      results: [
        t1Result('B6', '0', '2026-02-24T00:00:00Z', 60),
        t1Result('B6', '0', '2026-02-24T05:00:00Z', 999, { project_id: 'p2' }),
      ],
    });
    await qdash.db
      .collection('chip')
      .insertMany([
        chipDocument('B6', { username: 'kai', size: 64, installed_at: new Date('2026-02-01T00:00:00Z') }),
        chipDocument('B6', { project_id: 'p2', size: 144 }),
      ]);
    const chips = await qdash.services.chips.list(viewer);
    expect(chips.filter(({ chipId }) => chipId === 'B6')).toMatchObject([{ projectId: 'p1', size: 64 }]);
    const [summary] = await qdash.services.chipSummaries.getMany([{ chip, parameters: null }]);
    expect(summary).toMatchObject({ qubitCount: 1, parameters: [{ stored: { count: 1, mean: 60 } }] });
    expect(await latestT1(chip)).toEqual({ '0': 60 });
  });

  test('times keep their year', async () => {
    const chip = await makeChip('B10', {
      qubits: [entityDocument('B10', '0')],
      results: [t1Result('B10', '0', '2024-02-24T02:22:04Z', 48)],
    });
    const { values, freshness } = await qdash.services.chipMetrics.get(chip, { name: 't1' });
    expect(values[0]!.measuredAt).toEqual(new Date('2024-02-24T02:22:04Z'));
    expect(freshness).toMatchObject({ source: 'SNAPSHOT', staleAfterSeconds: 172_800 });
  });

  test('NaN and booleans are no values, and statistics of nothing are null', async () => {
    const bad = [Number.NaN, true, 'good', null, Infinity];
    const chip = await makeChip('B11', {
      qubits: bad.map((_, index) => entityDocument('B11', String(index))),
      results: bad.map((value, index) => t1Result('B11', String(index), '2026-02-24T00:00:00Z', value)),
    });
    const { values, statistics } = await qdash.services.chipMetrics.get(chip, { name: 't1' });
    expect(values.map(({ value }) => value)).toEqual([null, null, null, null, null]);
    expect(statistics).toMatchObject({ missing: 5, display: { count: 0, mean: null, median: null } });
  });

  test('ids that are not numbers, and a chip of size 0, break nothing', async () => {
    const chip = await makeChip('B12', {
      qubits: ['spare', '10', '2'].map((qid) => entityDocument('B12', qid)),
      results: [t1Result('B12', 'spare', '2026-02-24T00:00:00Z', 48)],
      chip: { size: 0, topology_id: null },
    });
    const [qubits] = await qdash.services.qubits.ofChips([chip]);
    expect(qubits!.map(({ qid, label }) => [qid, label])).toEqual([
      ['2', 'Q02'],
      ['10', 'Q10'],
      ['spare', 'spare'],
    ]);
    expect(await latestT1(chip)).toEqual({ '2': null, '10': null, spare: 48 });
  });

  test('histories of two chips are two results for the loaders', async () => {
    const chips = await Promise.all(
      ['B13a', 'B13b'].map((chipId, index) =>
        makeChip(chipId, {
          qubits: [entityDocument(chipId, '0')],
          results: [t1Result(chipId, '0', '2026-02-24T00:00:00Z', 10 + index)],
        }),
      ),
    );
    const loaders = createLoaders(qdash.services, viewer);
    const both = await Promise.all(
      chips.map((chip) => loaders.chipTimeseries.load({ chip, parameter: 't1' })),
    );
    expect(both.map(({ series }) => series[0]!.latest)).toEqual([10, 11]);
  });

  test('an unknown id is distinguished from no data, and ids may be written as labels', async () => {
    const chip = await makeChip('B16', { qubits: [entityDocument('B16', '7'), entityDocument('B16', '8')] });
    expect(await qdash.services.qubits.get(chip, 'Q07')).toMatchObject({ qid: '7', label: 'Q07' });
    await expect(qdash.services.qubits.get(chip, 'Q99')).rejects.toThrow(
      'there is no qubit Q99 on chip B16; its qubits: Q07, Q08',
    );
    await expect(qdash.services.chips.get(viewer, 'nope')).rejects.toThrow(
      /no chip nope in project p1; chips here: .*B16/,
    );
    const { series } = await qdash.services.chipTimeseries.get(chip, { parameter: 't1', qids: ['Q7'] });
    expect(series).toMatchObject([{ qid: '7', points: [], latest: null, trend: null }]);
    await expect(qdash.services.chipTimeseries.get(chip, { parameter: 't9' })).rejects.toThrow(
      'there is no parameter t9 on chip B16',
    );
    await expect(qdash.services.chipMetrics.get(chip, { name: 'T1' })).rejects.toThrow(
      /there is no metric T1; qubit metrics: qubit_frequency.* and \d+ more/,
    );
    await expect(qdash.services.chipMetrics.get(chip, { name: 'bell_state_fidelity' })).rejects.toThrow(
      /is measured on couplings/,
    );
  });

  test('a coupling asked for in the other direction answers with its twin and says so', async () => {
    const chip = await makeChip('B17', { qubits: [entityDocument('B17', '0'), entityDocument('B17', '1')] });
    await qdash.db
      .collection('coupling')
      .insertMany([
        entityDocument('B17', '0-1', { zx90_gate_fidelity: parameter(0.96, 'a.u.') }),
        entityDocument('B17', '1-0'),
        entityDocument('B17', '4-1', { zx90_gate_fidelity: parameter(0.9, 'a.u.') }),
        entityDocument('B17', '2-3'),
        entityDocument('B17', '3-2'),
      ]);
    const { couplings } = qdash.services;
    expect(await couplings.get(chip, 'Q01-Q00')).toMatchObject({
      reversed: true,
      coupling: { couplingId: '0-1' },
    });
    expect(await couplings.get(chip, '0-1')).toMatchObject({
      reversed: false,
      coupling: { controlQid: '0' },
    });
    expect(await couplings.get(chip, '1-4')).toMatchObject({
      reversed: true,
      coupling: { couplingId: '4-1' },
    });
    expect(await couplings.get(chip, '3-2')).toMatchObject({
      reversed: true,
      coupling: { couplingId: '2-3' },
    });
    await expect(couplings.get(chip, '5-6')).rejects.toThrow(
      /no coupling 5-6 on chip B17; its couplings: 0-1, 2-3, 4-1/,
    );
    const [listed] = await couplings.ofChips([chip]);
    expect(listed!.map(({ couplingId }) => couplingId)).toEqual(['0-1', '2-3', '4-1']);
    const [[fidelity] = []] = await couplings.parameters(listed!.slice(0, 1), null);
    expect(fidelity).toMatchObject({ displayValue: 96, rating: 'GOOD' });
  });
});

describe('the latest value of a qubit', () => {
  test('is not hidden by a newer failed run, which is reported beside it', async () => {
    const chip = await makeChip('L1', {
      qubits: [entityDocument('L1', '0'), entityDocument('L1', '1')],
      results: [
        t1Result('L1', '0', '2026-02-20T00:00:00Z', 48),
        resultDocument('L1', '0', '2026-02-24T00:00:00Z', {
          status: 'failed',
          output_parameters: {},
          task_id: 'L1-failed',
        }),
        resultDocument('L1', '1', '2026-02-19T00:00:00Z', { status: 'failed', output_parameters: {} }),
        t1Result('L1', '1', '2026-02-20T00:00:00Z', 50),
      ],
    });
    const { values } = await qdash.services.chipMetrics.get(chip, { name: 't1' });
    expect(values).toMatchObject([
      {
        value: 48,
        newerFailure: { taskId: 'L1-failed', status: 'FAILED', at: new Date('2026-02-24T00:00:00Z') },
      },
      { value: 50, newerFailure: null },
    ]);
  });

  test('goes by the end of the run, else its start, and of equals by the greater document id', async () => {
    const at = '2026-02-24T00:00:00Z';
    const chip = await makeChip('L2', {
      qubits: ['0', '1', '2'].map((qid) => entityDocument('L2', qid)),
      results: [
        // Started first, ended last.
        t1Result('L2', '0', '2026-02-24T09:00:00Z', 1, { start_at: new Date('2026-02-24T01:00:00Z') }),
        t1Result('L2', '0', '2026-02-24T08:00:00Z', 2, { start_at: new Date('2026-02-24T07:00:00Z') }),
        t1Result('L2', '1', at, 3, { _id: new ObjectId('ffffffffffffffffffffffff') }),
        t1Result('L2', '1', at, 4, { _id: new ObjectId('aaaaaaaaaaaaaaaaaaaaaaaa') }),
        t1Result('L2', '2', at, 5, { end_at: null, start_at: new Date('2026-02-24T10:00:00Z') }),
        t1Result('L2', '2', at, 6),
      ],
    });
    expect(await latestT1(chip)).toEqual({ '0': 1, '1': 3, '2': 5 });
  });

  test('comes from a deployment of either age', async () => {
    const chip = await makeChip('L3', {
      qubits: [
        entityDocument('L3', '0', { t1: 44, note: 'warm' }),
        entityDocument('L3', '1'),
        { project_id: 'p1', chip_id: 'L3', qid: '2', username: 'rin' },
      ],
      results: [
        t1Result('L3', '0', '2026-02-24T00:00:00Z', 0, {
          output_parameters: { t1: 44 },
          end_at: '2026-02-24T02:21:40+00:00',
          start_at: '2026-02-24T02:21:00+00:00',
          elapsed_time: '0:00:40',
          excluded: undefined,
          cooldown_id: undefined,
        }),
      ],
      chip: { activity_status: undefined, size: undefined },
    });
    const { values } = await qdash.services.chipMetrics.get(chip, { name: 't1' });
    expect(values).toMatchObject([
      { qid: '0', value: 44, unit: '', measuredAt: new Date('2026-02-24T02:21:40Z') },
      { qid: '1', value: null },
      { qid: '2', value: null },
    ]);
    const qubits = await qdash.services.qubits.getMany(chip, ['0', '2']);
    const [first, last] = await qdash.services.qubits.parameters(qubits, null);
    expect(first).toMatchObject([
      { name: 't1', value: 44, text: null },
      { name: 'note', value: null, text: 'warm' },
    ]);
    expect(last).toEqual([]);
    const { items } = await qdash.services.taskResults.page(chip, { first: 5 });
    expect(items[0]!.item).toMatchObject({ elapsedSeconds: 40, endAt: new Date('2026-02-24T02:21:40Z') });
  });

  test('is found whichever task wrote it, also one that no longer does', async () => {
    const old = { name: 'CheckT1Old', task_id: 'L7-old' };
    const chip = await makeChip('L7', {
      qubits: [
        entityDocument('L7', '0', { t1: parameter(30, 'μs', { task_id: 'L7-old' }) }),
        entityDocument('L7', '1'),
      ],
      results: [
        t1Result('L7', '0', '2026-01-01T00:00:00Z', 30, old),
        resultDocument('L7', '0', '2026-02-01T00:00:00Z', {
          name: 'CheckT1Old',
          output_parameters: { t1_std: parameter(1) },
        }),
        t1Result('L7', '1', '2026-02-01T00:00:00Z', 50),
        t1Result('L7', '1', '2026-02-02T00:00:00Z', 51, { name: 'CheckT1Average' }),
      ],
    });
    expect(await latestT1(chip)).toEqual({ '0': 30, '1': 51 });
    const { series } = await qdash.services.chipTimeseries.get(chip, { parameter: 't1', qids: ['1'] });
    expect(series[0]!.points.map(({ value, taskName }) => [value, taskName])).toEqual([
      [50, 'CheckT1'],
      [51, 'CheckT1Average'],
    ]);
  });

  test('is one of the last hours if asked so', async () => {
    const chip = await makeChip('L4', {
      qubits: [entityDocument('L4', '0'), entityDocument('L4', '1')],
      results: [
        t1Result('L4', '0', '2026-02-24T23:00:00Z', 48),
        t1Result('L4', '1', '2026-02-23T23:00:00Z', 50),
      ],
    });
    const { values } = await qdash.services.chipMetrics.get(chip, { name: 't1', withinHours: 24 });
    expect(values.map(({ value }) => value)).toEqual([48, null]);
  });

  test('never comes from results of couplings', async () => {
    const chip = await makeChip('L5', {
      qubits: [entityDocument('L5', '0')],
      results: [
        t1Result('L5', '0-1', '2026-02-24T00:00:00Z', 48),
        t1Result('L5', '0', '2026-02-23T00:00:00Z', 40),
      ],
    });
    expect(await latestT1(chip)).toEqual({ '0': 40 });
  });

  test('is the last point of the series, and what summary and heatmap show', async () => {
    const results = [20, 21, 22].map((day, index) =>
      t1Result('L6', '0', `2026-02-${day}T00:00:00Z`, 40 + index),
    );
    const chip = await makeChip('L6', {
      qubits: [entityDocument('L6', '0', { t1: parameter(42) })],
      results,
    });
    const metric = await qdash.services.chipMetrics.get(chip, { name: 't1' });
    const { series } = await qdash.services.chipTimeseries.get(chip, { parameter: 't1' });
    const [summary] = await qdash.services.chipSummaries.getMany([{ chip, parameters: ['t1'] }]);
    expect(series[0]!.points.at(-1)).toMatchObject({ value: 42 });
    expect(metric.statistics.display.median).toBe(42);
    expect(metric.heatmap.data[0]!['z']).toEqual([[42]]);
    expect(summary).toMatchObject({ parameters: [{ display: { median: 42 } }] });
  });
});

describe('histories', () => {
  test('are cut to a window that includes its start and not its end', async () => {
    const results = [20, 21, 22].map((day) => t1Result('H1', '0', `2026-02-${day}T00:00:00Z`, day));
    const chip = await makeChip('H1', { qubits: [entityDocument('H1', '0')], results });
    const { series } = await qdash.services.chipTimeseries.get(chip, {
      parameter: 't1',
      from: new Date('2026-02-20T00:00:00Z'),
      to: new Date('2026-02-22T00:00:00Z'),
    });
    expect(series[0]!.points.map(({ value }) => value)).toEqual([20, 21]);
  });

  test.each([
    [{ parameter: 't1', lastN: 0 }, /lastN: 0 is not a whole number from 1 to 200/],
    [{ parameter: 't1', lastN: 201 }, /lastN: 201/],
    [{ parameter: 'a.b$c' }, /is not a valid parameter name/],
    [{ parameter: 't1', from: new Date(5), to: new Date(5) }, /to: must be later than from/],
  ])('refuse %p with words', async (request, message) => {
    const [chip] = await qdash.services.chips.list(viewer);
    await expect(qdash.services.chipTimeseries.get(chip!, request)).rejects.toThrow(message);
  });
});

describe('task results', () => {
  test('come in pages, newest start first, whatever is stored as start, each exactly once', async () => {
    const starts = [
      ...Array.from({ length: 7 }, () => new Date('2026-02-24T00:00:00Z')),
      new Date('2026-02-25T00:00:00Z'),
      '2026-02-24T05:00:00+00:00',
      '2026-02-24T06:00:00+00:00',
      null,
      undefined,
      null,
    ];
    const results = starts.map((start_at, index) =>
      t1Result('T1', '0', '2026-02-24T00:00:00Z', 48, {
        start_at,
        task_id: `t${String(index).padStart(2, '0')}`,
      }),
    );
    const chip = await makeChip('T1', { qubits: [entityDocument('T1', '0')], results });
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const page = await qdash.services.taskResults.page(chip, { first: 2, after });
      seen.push(...page.items.map(({ item }) => item.taskId));
      after = page.items.at(-1)?.cursor ?? null;
      if (!page.hasNextPage) break;
    }
    expect(seen).toEqual([
      't07',
      't06',
      't05',
      't04',
      't03',
      't02',
      't01',
      't00',
      't09',
      't08',
      't12',
      't11',
      't10',
    ]);
  });

  test('are narrowed by task, qubit, status, execution and exclusion', async () => {
    const chip = await makeChip('T2', {
      qubits: [entityDocument('T2', '7'), entityDocument('T2', '8')],
      results: [
        t1Result('T2', '7', '2026-02-24T00:00:00Z', 1, { task_id: 'T2-a' }),
        t1Result('T2', '8', '2026-02-24T01:00:00Z', 1, { task_id: 'T2-b', status: 'failed' }),
        t1Result('T2', '7', '2026-02-24T02:00:00Z', 1, {
          task_id: 'T2-c',
          excluded: true,
          name: 'CheckT1Average',
        }),
      ],
    });
    const ids = async (filter: object) => {
      const { items } = await qdash.services.taskResults.page(chip, { filter, first: 10 });
      return items.map(({ item }) => item.taskId);
    };
    expect(await ids({})).toEqual(['T2-c', 'T2-b', 'T2-a']);
    expect(await ids({ qid: 'Q07' })).toEqual(['T2-c', 'T2-a']);
    expect(await ids({ status: ['FAILED'] })).toEqual(['T2-b']);
    expect(await ids({ taskName: 'CheckT1Average' })).toEqual(['T2-c']);
    expect(await ids({ includeExcluded: false })).toEqual(['T2-b', 'T2-a']);
    expect(await ids({ executionId: 'none' })).toEqual([]);
    await expect(ids({ qid: '99' })).rejects.toThrow(/no qubit 99/);
  });

  test('refuse a cursor that is none, and pages too large', async () => {
    const [chip] = await qdash.services.chips.list(viewer);
    await expect(qdash.services.taskResults.page(chip!, { first: 10, after: 'rubbish' })).rejects.toThrow(
      /cursor/,
    );
    await expect(qdash.services.taskResults.page(chip!, { first: 101 })).rejects.toThrow(/1 to 100/);
  });

  test('are found by id within the project only, and the newest usable one by task', async () => {
    const chip = await makeChip('T3', {
      qubits: [entityDocument('T3', '0')],
      results: [
        t1Result('T3', '0', '2026-02-24T00:00:00Z', 41, { task_id: 'T3-good' }),
        t1Result('T3', '0', '2026-02-24T01:00:00Z', 42, { task_id: 'T3-excluded', excluded: true }),
        t1Result('T3', '0', '2026-02-24T02:00:00Z', 43, { task_id: 'T3-foreign', project_id: 'p2' }),
      ],
    });
    const found = await qdash.services.taskResults.getMany(viewer, ['T3-foreign', 'T3-excluded', 'none']);
    expect(found.map((result) => result?.taskId ?? null)).toEqual([null, 'T3-excluded', null]);
    const latest = await qdash.services.taskResults.latest(chip, { taskName: 'CheckT1', qids: ['0', '1'] });
    expect([...latest].map(([qid, { taskId }]) => [qid, taskId])).toEqual([['0', 'T3-good']]);
  });
});

describe('parameter names', () => {
  test('are those set on the chip, or on one qubit or coupling', async () => {
    const chip = await makeChip('N1', {
      qubits: [
        entityDocument('N1', '0', { t1: parameter(1), zz: 2 }),
        entityDocument('N1', '1', { t2_echo: 3 }),
      ],
    });
    await qdash.db.collection('coupling').insertOne(entityDocument('N1', '0-1', { zx90_gate_fidelity: 0.9 }));
    const { parameterNames } = qdash.services;
    expect(await parameterNames.list(chip)).toEqual(['t1', 't2_echo', 'zx90_gate_fidelity', 'zz']);
    expect(await parameterNames.list(chip, 'Q01')).toEqual(['t2_echo']);
    expect(await parameterNames.list(chip, '1-0')).toEqual(['zx90_gate_fidelity']);
  });

  test('that a chip does not have are an error in a summary, beside other summaries that succeed', async () => {
    const chip = await makeChip('N2', { qubits: [entityDocument('N2', '0', { odd: 1 })] });
    const [bad, good, empty] = await qdash.services.chipSummaries.getMany([
      { chip, parameters: ['nope'] },
      { chip, parameters: ['odd', 't1'] },
      { chip: await makeChip('N2-empty'), parameters: null },
    ]);
    expect(bad).toMatchObject({
      message: 'parameters: there is no parameter nope on chip N2; its parameters: odd',
    });
    await qdash.db.collection('coupling').insertOne(entityDocument('N2', '0-1', { zx90: 0.9 }));
    expect(await qdash.services.chipSummaries.getMany([{ chip, parameters: ['zx90'] }])).toMatchObject([
      { parameters: [], couplingParameters: [{ name: 'zx90', stored: { count: 1, max: 0.9 } }] },
    ]);
    expect(good).toMatchObject({
      parameters: [
        { name: 'odd', missing: 0 },
        { name: 't1', missing: 1 },
      ],
    });
    expect(empty).toBeNull();
  });
});
