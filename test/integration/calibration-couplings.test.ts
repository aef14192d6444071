import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import { statisticsOf } from '../../src/domain/values/statistics.ts';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import { AGED_CHIP, writeAgedDatabase } from '../support/qdash-ages.ts';
import type { QdashAge } from '../support/qdash-ages.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  parameter,
  resultDocument,
  t1Result,
  viewer,
} from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';

/** A completed run that put out `value` of a parameter, by default the ZX90 fidelity of a coupling. */
function run(chipId: string, qid: string, at: string, value: unknown, rest: Document = {}): Document {
  return resultDocument(chipId, qid, at, {
    name: 'ZX90InterleavedRandomizedBenchmarking',
    output_parameters: { zx90_gate_fidelity: parameter(value, 'a.u.') },
    ...rest,
  });
}

describe.each<QdashAge>(['V1', 'HEAD'])('couplings of a database of QDash %s', (age) => {
  let qdash: QdashDatabase;
  let chip: Chip;
  beforeAll(async () => {
    qdash = await openQdashDatabase();
    await writeAgedDatabase(qdash.db, age);
    const failed = { status: 'failed', output_parameters: {}, output_parameter_names: [] };
    await qdash.db.collection('coupling').insertMany([
      // Both directions of this pair are driven, each with values of its own.
      entityDocument(AGED_CHIP, '2-3', { zx90_gate_fidelity: parameter(0.9, 'a.u.') }),
      entityDocument(AGED_CHIP, '3-2', { zx90_gate_fidelity: parameter(0.8, 'a.u.') }),
    ]);
    await qdash.db.collection('task_result_history').insertMany([
      run(AGED_CHIP, '0-1', '2026-02-21T02:00:00Z', 0.95),
      run(AGED_CHIP, '0-1', '2026-02-22T02:00:00Z', 0.96),
      run(AGED_CHIP, '0-1', '2026-02-24T02:00:00Z', 0.97),
      run(AGED_CHIP, '0-1', '2026-02-24T05:00:00Z', 0, { task_id: 'worse', ...failed }),
      run(AGED_CHIP, '0-1', '2026-02-24T06:00:00Z', 0.1, { project_id: 'p2' }),
      // One tool keeps the bare number.
      run(AGED_CHIP, '2-3', '2026-02-22T02:00:00Z', 0.9, { output_parameters: { zx90_gate_fidelity: 0.9 } }),
      run(AGED_CHIP, '2-3', '2026-02-24T02:00:00Z', 0.91),
      run(AGED_CHIP, '3-2', '2026-02-24T02:00:00Z', 0.8),
      run(AGED_CHIP, '0-1', '2026-02-24T02:00:00Z', 0.4, {
        name: 'CheckCrossResonance',
        output_parameters: { cr_amplitude: parameter(0.4, 'a.u.') },
      }),
    ]);
    chip = await qdash.services.chips.get(viewer, AGED_CHIP);
  });
  afterAll(() => qdash.close());

  test('have histories as qubits have, each in its own direction', async () => {
    const history = await qdash.services.chipTimeseries.get(chip, { parameter: 'zx90_gate_fidelity' });
    expect(history).toMatchObject({ kind: 'COUPLING', displayUnit: '%', twins: [] });
    expect(
      history.series.map(({ qid, label, points }) => [qid, label, points.map(({ value }) => value)]),
    ).toEqual([
      ['0-1', 'Q00-Q01', [0.95, 0.96, 0.97]],
      ['2-3', 'Q02-Q03', [0.9, 0.91]],
      ['3-2', 'Q03-Q02', [0.8]],
    ]);
    // Three results at most show no trend.
    expect(history.series.map(({ trend }) => trend)).toEqual([null, null, null]);
    expect(history.statistics).toMatchObject({ missing: 0, display: { count: 3, median: 91 } });
  });

  test('have latest values, with the failed run that came after one', async () => {
    const { values, statistics } = await qdash.services.chipMetrics.ofCouplings(chip, {
      name: 'zx90_gate_fidelity',
    });
    expect(values.map(({ qid, displayValue, rating }) => [qid, displayValue, rating])).toEqual([
      ['0-1', 97, 'GOOD'],
      ['2-3', 91, 'FAIR'],
      ['3-2', 80, 'BAD'],
    ]);
    expect(values[0]?.newerFailure).toMatchObject({ taskId: 'worse' });
    expect(statistics.display.median).toBe(91);
  });

  test('are compared over two windows, one by one and over the chip', async () => {
    const request = { parameter: 'zx90_gate_fidelity', windowHours: 24 * 2 } as const;
    const { periodComparisons } = qdash.services;
    const { kind, rows, total } = await periodComparisons.get(chip, request);
    expect(kind).toBe('COUPLING');
    expect(rows.map(({ entity, change }) => [entity, change])).toEqual([
      ['Q00-Q01', expect.closeTo(0.01, 9)],
      ['Q02-Q03', expect.closeTo(0.01, 9)],
      ['Q03-Q02', null],
    ]);
    expect(total).toMatchObject({ entity: AGED_CHIP, members: 2, better: true });
    const [overChip] = (await periodComparisons.get(chip, { ...request, level: 'CHIP' })).rows;
    expect(overChip).toEqual(total);
    await expect(periodComparisons.get(chip, { ...request, level: 'MUX' })).rejects.toThrow(
      'level: couplings belong to no MUX',
    );
  });

  test('asked for in the direction without values, answer by their twin and say so', async () => {
    const { chipTimeseries, periodComparisons } = qdash.services;
    const asked = { parameter: 'zx90_gate_fidelity', qids: ['Q01-Q00', '3-2'] };
    const history = await chipTimeseries.get(chip, asked);
    const comparison = await periodComparisons.get(chip, { ...asked, windowHours: 48 });
    const twins = [{ asked: 'Q01-Q00', couplingId: '0-1', label: 'Q00-Q01' }];
    expect([history.twins, comparison.twins]).toEqual([twins, twins]);
    expect(history.series.map(({ qid, latest }) => [qid, latest])).toEqual([
      ['0-1', 0.97],
      ['3-2', 0.8],
    ]);
  });

  test('have histories of what only their tasks put out', async () => {
    const { kind, series } = await qdash.services.chipTimeseries.get(chip, { parameter: 'cr_amplitude' });
    expect(kind).toBe('COUPLING');
    expect(series.map(({ qid, latest }) => [qid, latest])).toEqual([
      ['0-1', 0.4],
      ['2-3', null],
      ['3-2', null],
    ]);
  });

  test.each([
    [
      { parameter: 'zx90_gate_fidelity', qids: ['2'] },
      '2 is not a coupling, and zx90_gate_fidelity is measured on couplings; the couplings of 2: 2-3, 3-2',
    ],
    [
      { parameter: 'zx90_gate_fidelity', qids: ['7-8'] },
      'there is no coupling 7-8 on chip aged; its couplings: 0-1, 2-3, 3-2',
    ],
    [{ parameter: 't1', qids: ['0-1'] }, 'there is no qubit 0-1 on chip aged'],
    [{ parameter: 't1', kind: 'COUPLING' as const }, 't1 is measured on qubits, not on couplings'],
    [
      { parameter: 'cr_amplitude', kind: 'QUBIT' as const },
      'cr_amplitude is measured on couplings, not on qubits',
    ],
    [{ parameter: 'warp', qids: ['0-1'] }, 'there is no parameter warp on chip aged'],
  ])('%j is refused: %s', async (request, message) => {
    await expect(qdash.services.chipTimeseries.get(chip, request)).rejects.toThrow(message);
  });

  test('are read for two fields with as many commands as for one', async () => {
    const load = async (...ids: readonly string[]) => {
      const { series } = createLoaders(qdash.services, viewer);
      qdash.commands.length = 0;
      const key = { kind: 'COUPLING', chipId: AGED_CHIP, parameter: 'zx90_gate_fidelity', lastN: 5 } as const;
      const loaded = await series.loadMany(ids.map((qid) => ({ ...key, qid })));
      return { loaded, commands: qdash.commands.length };
    };
    const [one, two] = [await load('0-1'), await load('2-3', '3-2')];
    expect(two.loaded).toMatchObject([{ latest: 0.91 }, { latest: 0.8 }]);
    expect(two.commands).toBe(one.commands);
  });

  test('a qubit with a dash in its name is no coupling', async () => {
    const { taskResults, parameterNames, notes } = qdash.services;
    const { items } = await taskResults.page(chip, { first: 5, filter: { qid: 'readout-test' } });
    expect(items.map(({ item }) => item.outputParameters[0]?.rating)).toEqual(['GOOD', 'FAIR', 'FAIR']);
    expect(await parameterNames.list(chip, 'readout-test')).toEqual(['nickname', 't1']);
    expect(await notes.recorded(chip, 'readout-test')).toMatchObject({ notes: [] });
  });
});

describe('D3: qubits and couplings with a parameter of the same name', () => {
  let qdash: QdashDatabase;
  let chip: Chip;
  const QIDS = ['0', '1'];
  const COUPLINGS = ['0-1', '1-0'];
  beforeAll(async () => {
    qdash = await openQdashDatabase();
    const { db } = qdash;
    const set = { detuning: parameter(1, 'MHz') };
    await db.collection('chip').insertOne(chipDocument('C1'));
    await db.collection('qubit').insertMany(QIDS.map((qid) => entityDocument('C1', qid, set)));
    await db.collection('coupling').insertMany(COUPLINGS.map((id) => entityDocument('C1', id, set)));
    chip = await qdash.services.chips.get(viewer, 'C1');
  });
  afterAll(() => qdash.close());

  const runs = fc.uniqueArray(
    fc.record({
      qid: fc.constantFrom(...QIDS, ...COUPLINGS),
      hour: fc.integer({ min: 1, max: 90 }),
      value: fc.integer({ min: 1, max: 1000 }),
    }),
    { selector: ({ qid, hour }) => `${qid}@${hour}`, maxLength: 24 },
  );

  test('are never in one figure, and neither are the two directions of a coupling', async () => {
    const { chipTimeseries, periodComparisons } = qdash.services;
    const results = qdash.db.collection('task_result_history');
    await fc.assert(
      fc.asyncProperty(runs, async (history) => {
        await results.deleteMany({});
        const documents = history.map(({ qid, hour, value }) =>
          t1Result('C1', qid, new Date(NOW.getTime() - hour * 3_600_000).toISOString(), value, {
            name: 'CheckDetuning',
            output_parameters: { detuning: parameter(value, 'MHz') },
          }),
        );
        if (documents.length > 0) await results.insertMany(documents);
        for (const ids of [QIDS, COUPLINGS]) {
          const own = ids.map((id) =>
            history
              .filter(({ qid }) => qid === id)
              .toSorted((a, b) => b.hour - a.hour)
              .map(({ value }) => value),
          );
          const latest = own.flatMap((values) => values.at(-1) ?? []);
          const { series, statistics } = await chipTimeseries.get(chip, {
            parameter: 'detuning',
            qids: ids,
            lastN: 200,
          });
          expect(series.map(({ points }) => points.map(({ value }) => value))).toEqual(own);
          expect(statistics.stored).toEqual(statisticsOf(latest));
          const { rows, current } = await periodComparisons.get(chip, {
            parameter: 'detuning',
            qids: ids,
            windowHours: 100,
          });
          expect(rows.map((row) => row.current)).toEqual(own.map((values) => values.at(-1) ?? null));
          expect(current.statistics.stored).toEqual(statisticsOf(latest));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('are distinguished by the ids, and without any it is the qubits', async () => {
    const kindOf = async (qids: readonly string[] | null) =>
      (await qdash.services.chipTimeseries.get(chip, { parameter: 'detuning', qids })).kind;
    expect(await Promise.all([kindOf(null), kindOf(['1']), kindOf(['0-1', 'Q01-Q00'])])).toEqual([
      'QUBIT',
      'QUBIT',
      'COUPLING',
    ]);
  });
});
