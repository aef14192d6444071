import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { UsableMeasurement } from '../../src/domain/values/measurement.ts';
import { comparePeriods } from '../../src/domain/values/period-comparison.ts';
import type { EntityLevel } from '../../src/domain/values/period-comparison.ts';
import { periodBefore } from '../../src/domain/values/period-values.ts';
import { statisticsOf } from '../../src/domain/values/statistics.ts';
import { shuffled } from '../support/calibration-arbitraries.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const period = { from: new Date('2026-02-20T00:00:00Z'), to: new Date('2026-02-24T00:00:00Z') };
const before = periodBefore(period);
const qids = ['0', '1', '2', '10'];
const qubits = qids.map((qid) => ({ qid, label: `Q${qid.padStart(2, '0')}` }));

let documents = 0;
const result = (
  qid: string,
  hours: number,
  value: number,
  rest: Partial<UsableMeasurement> = {},
): UsableMeasurement => ({
  documentId: String((documents += 1)).padStart(8, '0'),
  chipId: 'C1',
  qid,
  taskId: 't',
  taskName: 'CheckT1',
  executionId: null,
  cooldownId: null,
  status: 'COMPLETED',
  excluded: false,
  at: new Date(period.from.getTime() + hours * 3_600_000),
  value,
  error: null,
  unit: 'μs',
  ...rest,
});

const compare = (
  now: readonly UsableMeasurement[],
  then: readonly UsableMeasurement[],
  { level = 'QUBIT', name = 't1' }: { level?: EntityLevel; name?: string } = {},
) =>
  comparePeriods({
    kind: 'QUBIT',
    parameter: name,
    metric: shippedMetrics.find(name, 'QUBIT'),
    chipId: 'C1',
    level,
    entities: qubits,
    twins: [],
    muxOf: new Map([
      ['0', 0],
      ['1', 0],
      ['2', 1],
      ['10', 1],
    ]),
    timeZone: 'UTC',
    current: { ...period, measurements: now },
    previous: { ...before, measurements: then },
  });

test('the window before is as long and ends where the other begins', () => {
  expect(before).toEqual({ from: new Date('2026-02-16T00:00:00Z'), to: period.from });
});

describe('a comparison of qubits', () => {
  test('is of the latest value in each window, with the change in combined errors and what it means', () => {
    const now = [result('0', 1, 99), result('0', 30, 46, { error: 3 })];
    const { rows } = compare(now, [result('0', -2, 56, { error: 4 })]);
    expect(rows[0]).toEqual({
      entity: 'Q00',
      current: 46,
      previous: 56,
      change: -10,
      changeSigma: -2,
      better: false,
      members: 1,
    });
  });

  test('says nothing of a change where a window has no value, and no sigma without errors', () => {
    const { rows } = compare([result('0', 1, 40), result('1', 1, 40)], [result('1', -1, 40)]);
    expect(rows[0]).toMatchObject({ current: 40, previous: null, change: null, better: null, members: 0 });
    expect(rows[1]).toMatchObject({ change: 0, changeSigma: null, better: null });
    expect(rows[3]).toMatchObject({ entity: 'Q10', current: null, previous: null });
  });

  test('knows which way is better, for negative values too, and that frequencies have no better', () => {
    const anharmonicity = (value: number, hours: number) => [result('0', hours, value, { unit: 'GHz' })];
    const lower = compare(anharmonicity(-0.33, 1), anharmonicity(-0.3, -1), { name: 'anharmonicity' });
    expect(lower.rows[0]).toMatchObject({ better: true });
    expect(lower).toMatchObject({ scale: 1000, displayUnit: 'MHz' });
    const frequency = compare(anharmonicity(5, 1), anharmonicity(4.9, -1), { name: 'qubit_frequency' });
    expect(frequency.rows[0]).toMatchObject({ change: expect.closeTo(0.1, 9), better: null });
  });

  test('converts values that were stored in another unit of the same kind', () => {
    const now = [result('0', 1, 40), result('1', 1, 0.05, { unit: 'ms' }), result('2', 1, 30)];
    expect(compare(now, []).rows.map(({ current }) => current)).toEqual([40, 50, 30, null]);
  });
});

describe('a comparison of several qubits', () => {
  test('is a mean over qubits measured in both windows, never over means and never over different sets', () => {
    const now = [result('0', 1, 50), result('1', 1, 60), result('2', 1, 10)];
    const then = [result('0', -1, 40), result('1', -1, 54), result('10', -1, 500)];
    const { rows, total, current, previous } = compare(now, then, { level: 'MUX' });
    expect(rows).toMatchObject([
      { entity: 'MUX 0', current: 55, previous: 47, change: 8, members: 2 },
      { entity: 'MUX 1', current: 10, previous: 500, change: null, members: 0 },
    ]);
    expect(rows[0]!.changeSigma).toBeCloseTo(8 / ((Math.SQRT2 * 2) / Math.SQRT2), 9);
    expect(total).toMatchObject({ entity: 'C1', current: 55, previous: 47, members: 2 });
    expect([current.statistics.stored.count, current.statistics.missing]).toEqual([3, 1]);
    expect(previous.statistics.stored.mean).toBeCloseTo((40 + 54 + 500) / 3, 9);
  });

  test('is the same row for the chip as the total, and only that', () => {
    const { rows, total } = compare([result('0', 1, 50)], [result('0', -1, 40)], { level: 'CHIP' });
    expect(rows).toEqual([total]);
  });
});

describe('a window', () => {
  test('D10: that spans two cool-downs is of the newer one and says so', () => {
    const now = [
      result('0', 1, 40, { cooldownId: 'old' }),
      result('1', 2, 41, { cooldownId: 'old' }),
      result('0', 3, 50, { cooldownId: 'new' }),
    ];
    const { rows, current } = compare(now, [result('1', -1, 41, { cooldownId: 'old' })]);
    expect(current.cooldownIds).toEqual(['new', 'old']);
    expect(rows.map((row) => row.current)).toEqual([50, null, null, null]);
  });

  test('has one point a day, each qubit once whatever was measured again and by how many tasks', () => {
    const now = [
      result('0', 1, 999),
      result('0', 2, 40),
      result('0', 3, 44, { taskName: 'CheckT1Average' }),
      result('1', 4, 50),
      result('1', 26, 60),
    ];
    expect(compare(now, []).current.series).toEqual([
      { day: '2026-02-20', elapsedHours: 4, value: 47, members: 2 },
      { day: '2026-02-21', elapsedHours: 26, value: 60, members: 1 },
    ]);
  });
});

const someResults = (sign: 1 | -1) =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...qids), fc.integer({ min: 1, max: 95 }), fc.integer({ min: 1, max: 100 }))
      .map(([qid, hours, value]) => result(qid, sign * hours, value)),
    { maxLength: 25 },
  );

test('no order of arrival changes a comparison, and rows of a level add up to the total', () => {
  fc.assert(
    fc.property(
      someResults(1).chain((rows) => fc.tuple(fc.constant(rows), shuffled(rows))),
      someResults(-1),
      fc.constantFrom<EntityLevel>('QUBIT', 'MUX', 'CHIP'),
      ([now, other], then, level) => {
        const comparison = compare(now, then, { level });
        expect(compare(other, then.toReversed(), { level })).toEqual(comparison);
        const { rows, total, current } = comparison;
        const weighted = rows.reduce((sum, row) => sum + (row.change ?? 0) * row.members, 0);
        expect(rows.reduce((sum, row) => sum + row.members, 0)).toBe(total.members);
        if (total.change !== null) expect(weighted / total.members).toBeCloseTo(total.change, 6);
        if (level === 'QUBIT') {
          const values = rows.flatMap((row) => row.current ?? []);
          expect(current.statistics.stored).toEqual(statisticsOf(values));
        }
      },
    ),
  );
});
