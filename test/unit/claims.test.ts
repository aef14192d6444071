/** Each claim of order, extreme and time against all pairs of its rows, by rules of this file's own. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  extremes,
  extremeWords,
  firstWords,
  front,
  isDescending,
  ranked,
  type End,
  type Extremes,
  type Ranked,
} from '../../src/domain/claims/ranked.ts';
import { courseWords, isNewestFirst, newestOf, newestWords } from '../../src/domain/claims/timed.ts';
import type { Direction, Metric } from '../../src/domain/values/metric.ts';
import { trendOf } from '../../src/domain/values/trend.ts';
import { finiteNumber } from '../support/calibration-arbitraries.ts';
import { shippedMetrics } from '../support/catalogue.ts';

type Row = { readonly label: string; readonly value: number; readonly at: Date | null };

const RUNS = { numRuns: 2_000 };
const ENDS: readonly End[] = ['best', 'worst', 'highest', 'lowest'];
/** Few different numbers and times, so that many are equal. */
const number = fc.oneof(finiteNumber, fc.constantFrom(0, 1, 1.5, 2, 50), fc.constantFrom(NaN, Infinity));
const time = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 9 }).map((day) => new Date(Date.UTC(2026, 1, 1 + day))) },
  fc.constant(null),
);
const rows = fc
  .array(fc.record({ value: number, at: time }), { maxLength: 40 })
  .map((all) => all.map((row, index): Row => ({ ...row, label: `Q${index}` })));
const metrics = shippedMetrics.metrics;

/** Whether `a` deserves a place before `b`. */
function comesBefore(end: End, direction: Direction, a: number, b: number): boolean {
  if (end === 'highest') return a > b;
  if (end === 'lowest') return a < b;
  const isBetter = direction === 'HIGHER_IS_BETTER' ? a > b : a < b;
  return end === 'best' ? isBetter : a !== b && !isBetter;
}

/** What is wrong with an order; empty for none. */
function faultsOfOrder(claim: Ranked<Row>, given: readonly Row[], before: (a: number, b: number) => boolean) {
  const placed = claim.rows.map(({ row }) => row);
  const numbers = given.filter(({ value }) => Number.isFinite(value));
  const faults: string[] = [];
  if (placed.length !== numbers.length || !numbers.every((row) => placed.includes(row))) faults.push('rows');
  for (const [index, { row, place, isTied }] of claim.rows.entries()) {
    if (placed.slice(index).some(({ value }) => before(value, row.value))) faults.push(`order ${row.label}`);
    if (place !== 1 + numbers.filter(({ value }) => before(value, row.value)).length) faults.push('place');
    if (isTied !== numbers.filter(({ value }) => value === row.value).length > 1) faults.push('tie');
  }
  return faults;
}

function faultsOfExtremes(ends: Extremes<Row> | null, given: readonly Row[]): readonly string[] {
  const numbers = given.filter(({ value }) => Number.isFinite(value));
  if (ends === null) return numbers.length === 0 ? [] : ['none found'];
  const { low, high, lowest, highest } = ends;
  return [
    ...numbers.filter(({ value }) => value < low || value > high).map(() => 'not the end'),
    ...(lowest.length === numbers.filter(({ value }) => value === low).length ? [] : ['ties of lowest']),
    ...(highest.length === numbers.filter(({ value }) => value === high).length ? [] : ['ties of highest']),
    ...(lowest.every(({ value }) => value === low) && highest.every(({ value }) => value === high)
      ? []
      : ['wrong row']),
  ];
}

describe('T5: a claim of order', () => {
  test('is true of its rows for every metric and each end, ties included', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(...metrics), fc.constantFrom(...ENDS), (given, metric, end) => {
        const descending = isDescending(end, metric.direction);
        if (descending === null) {
          expect([metric.direction, end]).toEqual(['NEUTRAL', expect.stringMatching(/best|worst/)]);
          return;
        }
        const claim = ranked(given, { order: end, descending, by: ({ value }) => value });
        const before = (a: number, b: number) => comesBefore(end, metric.direction, a, b);
        expect(faultsOfOrder(claim, given, before)).toEqual([]);
        expect(firstWords(claim)).toBe(claim.rows.length > 1 ? `${end} first` : end);
      }),
      RUNS,
    );
  });

  test('says how many that are not shown equal the last that is', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 12 }), (given, count) => {
        const claim = ranked(given, { order: 'lowest', descending: false, by: ({ value }) => value });
        const { shown, tiedBehind } = front(claim, count);
        const last = shown.at(-1)?.row.value;
        const same = given.filter(({ value }) => value === last && Number.isFinite(value)).length;
        expect(tiedBehind).toBe(same - shown.filter(({ row }) => row.value === last).length);
      }),
      RUNS,
    );
  });

  test.each([
    ['a wrong comparator', (claim: Ranked<Row>) => ({ ...claim, rows: claim.rows.toReversed() })],
    ['a row left out', (claim: Ranked<Row>) => ({ ...claim, rows: claim.rows.slice(1) })],
  ])('with %s is found by these rules', (_, spoil) => {
    const given = [3, 1, 2].map((value, index): Row => ({ label: `Q${index}`, value, at: null }));
    const claim = ranked(given, { order: 'worst', descending: false, by: ({ value }) => value });
    expect(faultsOfOrder(claim, given, (a, b) => a < b)).toEqual([]);
    expect(faultsOfOrder(spoil(claim), given, (a, b) => a < b)).not.toEqual([]);
  });
});

describe('lowest and highest', () => {
  test('are the ends of the rows, with all that are equal', () => {
    fc.assert(
      fc.property(rows, (given) => {
        expect(
          faultsOfExtremes(
            extremes(given, ({ value }) => value),
            given,
          ),
        ).toEqual([]);
      }),
      RUNS,
    );
  });

  test.each([
    [[1, 2, 3], 'lowest Q0 1, highest Q2 3'],
    [[1, 1, 3], 'lowest Q0, Q1 (tied) 1, highest Q2 3'],
    [[0, 0, 0, 0, 0, 3], 'lowest Q0, Q1, Q2 and 2 more (tied) 0, highest Q5 3'],
    [[2, 2], 'all 2'],
  ])('of %j read: %s', (values, words) => {
    const given = values.map((value, index) => ({ label: `Q${index}`, value }));
    expect(
      extremeWords(
        extremes(given, ({ value }) => value)!,
        String,
      ),
    ).toBe(words);
  });
});

describe('newest', () => {
  test('is what no other row is newer than; "the newest 5" are in that order', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const at = (row: Row) => row.at;
        const newest = newestOf(given, at);
        const times = given.flatMap((row) => row.at?.getTime() ?? []);
        expect(newest === null).toBe(times.length === 0);
        for (const each of times) expect(newest!.at!.getTime()).toBeGreaterThanOrEqual(each);
        const isInOrder = given.every((row, index) =>
          given
            .slice(index + 1)
            .every((later) => later.at === null || (row.at !== null && row.at >= later.at)),
        );
        expect(isNewestFirst(given, at)).toBe(isInOrder);
        const words = newestWords(given, { at, noun: 'run', hasMore: true });
        expect(words.startsWith('the newest ')).toBe(isInOrder);
        expect(newestWords(given, { at, noun: 'run', hasMore: false })).not.toContain('newest');
      }),
      RUNS,
    );
  });
});

describe('a trend word', () => {
  const metric = (direction: Direction) => ({ direction }) as Metric;

  test('is never said where as many pairs of points go the other way, nor against the ends', () => {
    const walk = fc.array(fc.record({ value: finiteNumber, at: time.filter((each) => each !== null) }), {
      maxLength: 30,
    });
    const drifting = fc
      .tuple(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 30 }),
        fc.constantFrom(-0.2, 0, 0.2),
      )
      .map(([noise, slope]) =>
        noise.map((each, day) => ({ value: each + slope * day, at: new Date(Date.UTC(2026, 0, 1 + day)) })),
      );
    const said = new Map<string | null, number>();
    fc.assert(
      fc.property(fc.oneof(walk, drifting), (points) => {
        const trend = trendOf(points);
        const words = courseWords({ trend, results: points.length }, metric('HIGHER_IS_BETTER'));
        said.set(words, (said.get(words) ?? 0) + 1);
        const pairs = points.flatMap((a) => points.flatMap((b) => (a.at < b.at ? [b.value - a.value] : [])));
        const [up, down] = [pairs.filter((each) => each > 0).length, pairs.filter((each) => each < 0).length];
        if (words === 'rising (better)') expect(up).toBeGreaterThan(2 * down);
        if (words === 'falling (worse)') expect(down).toBeGreaterThan(2 * up);
        if (words === 'unchanged') expect(new Set(points.map(({ value }) => value + 0)).size).toBe(1);
        if (points.length < 5) expect([null, 'unchanged']).toContain(words);
      }),
      RUNS,
    );
    for (const words of ['rising (better)', 'falling (worse)', 'no clear trend', null]) {
      expect(said.get(words)).toBeGreaterThan(20);
    }
  });

  test.each([
    ['UP', 'HIGHER_IS_BETTER', 'rising (better)'],
    ['UP', 'LOWER_IS_BETTER', 'rising (worse)'],
    ['DOWN', 'HIGHER_IS_BETTER', 'falling (worse)'],
    ['DOWN', 'NEUTRAL', 'falling'],
    ['STABLE', 'HIGHER_IS_BETTER', 'unchanged'],
    [null, 'HIGHER_IS_BETTER', 'no clear trend'],
  ] as const)('for %s of %s reads: %s', (trend, direction, words) => {
    expect(courseWords({ trend, results: 9 }, metric(direction))).toBe(words);
  });
});
