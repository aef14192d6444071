import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uniform } from '../../src/import/demo/random.ts';
import { parameterStatistics } from '../../src/domain/values/parameter-statistics.ts';
import { statisticsOf } from '../../src/domain/values/statistics.ts';
import { trendOf } from '../../src/domain/values/trend.ts';
import { finiteNumber, shuffled } from '../support/calibration-arbitraries.ts';

describe('statistics', () => {
  test('of nothing are null, not 0', () => {
    expect(statisticsOf([])).toEqual({
      count: 0,
      mean: null,
      median: null,
      stdev: null,
      min: null,
      max: null,
    });
  });

  test('use the sample deviation, which one number does not have', () => {
    expect(statisticsOf([2, 4, 4, 4, 5, 5, 7, 9]).stdev).toBeCloseTo(2.13809, 5);
    expect(statisticsOf([5]).stdev).toBeNull();
  });

  test('lie within their numbers and do not depend on their order, however large those are', () => {
    fc.assert(
      fc.property(
        fc
          .array(finiteNumber, { minLength: 1, maxLength: 40 })
          .chain((list) => fc.tuple(fc.constant(list), shuffled(list))),
        ([numbers, others]) => {
          const result = statisticsOf(numbers);
          expect(statisticsOf(others)).toEqual(result);
          const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
          for (const figure of [result.mean, result.median]) {
            expect(figure).toBeGreaterThanOrEqual(min);
            expect(figure).toBeLessThanOrEqual(max);
          }
          if (numbers.length > 1) expect(Number.isFinite(result.stdev)).toBe(true);
        },
      ),
    );
  });
});

describe('statistics of a parameter', () => {
  test('count qubits without a usable value as missing', () => {
    const values = [
      { value: 40, unit: 'μs' },
      { value: null, unit: 'μs' },
    ];
    expect(parameterStatistics('t1', null, values, 4)).toMatchObject({ missing: 3, stored: { count: 1 } });
  });

  test('convert other units of the same kind and leave out what cannot be converted', () => {
    const values = [
      { value: 40, unit: 'μs' },
      { value: 50, unit: 'µs' },
      { value: 0.06, unit: 'ms' },
      { value: 5, unit: 'GHz' },
    ];
    const result = parameterStatistics('t1', null, values, 4);
    expect(result).toMatchObject({ unit: 'μs', missing: 1, stored: { count: 3, min: 40, max: 60 } });
  });
});

describe('the trend of a series', () => {
  const series = (...values: number[]) =>
    values.map((value, day) => ({ at: new Date(Date.UTC(2026, 0, 1 + day)), value }));

  test.each<[string, number[], string | null]>([
    ['nothing', [], null],
    ['one point', [5], null],
    ['an unchanged negative value', [-0.3, -0.3, -0.3], 'STABLE'],
    ['a negative value that grows', [-0.33, -0.32, -0.31, -0.3, -0.28], 'UP'],
    ['a negative value that falls', [-0.28, -0.3, -0.33, -0.34, -0.35], 'DOWN'],
    ['four values that all fall, which is not rare by chance', [100, 97, 95, 91], null],
    ['a steady decline', [100, 97, 95, 91, 90], 'DOWN'],
    ['values that went up and down', [160, 68, 146, 185, 92], null],
    ['a fall and a recovery', [10, 9, 8, 7, 6, 5, 4, 3, 9, 10], null],
    ['noise', [100, 100.4, 99.8, 100.5, 100.1, 99.9], null],
    ['a steady level with one outlier at the end', [50, 50, 50, 50, 50, 90], null],
    ['a change around zero', [-2, -1, 0, 1, 2], 'UP'],
    ['nothing but zero', [0, 0, 0], 'STABLE'],
  ])('is right for %s', (_, values, expected) => {
    expect(trendOf(series(...values))).toBe(expected);
  });

  test('is rare in values of random order, and found in most series that drift by half their noise in each step', () => {
    const share = (drift: number): number => {
      const all = Array.from({ length: 4_000 }, (_, at) =>
        series(...Array.from({ length: 5 + (at % 8) }, (_each, day) => uniform(at, day) + drift * day)),
      );
      return all.filter((points) => trendOf(points) !== null).length / all.length;
    };
    expect(share(0)).toBeLessThan(0.02);
    expect(share(0.5)).toBeGreaterThan(0.8);
  });

  test('of points at the same time is none', () => {
    const at = new Date('2026-01-01T00:00:00Z');
    expect(
      trendOf([
        { at, value: 1 },
        { at, value: 9 },
      ]),
    ).toBeNull();
  });

  test('goes by time, not by the order of points, and turns round with the sign', () => {
    const points = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 1000 }).map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute))),
        value: finiteNumber,
      }),
      { maxLength: 12 },
    );
    const opposite = { UP: 'DOWN', DOWN: 'UP', STABLE: 'STABLE' } as const;
    fc.assert(
      fc.property(
        points.chain((list) => fc.tuple(fc.constant(list), shuffled(list))),
        ([list, others]) => {
          const trend = trendOf(list);
          expect(trendOf(others)).toBe(trend);
          const turned = trendOf(list.map(({ at, value }) => ({ at, value: -value })));
          expect(turned).toBe(trend === null ? null : opposite[trend]);
        },
      ),
    );
  });
});
