import { medianOf } from './statistics.ts';

/** Which way a series goes over time. Whether that is good depends on the metric's direction. */
export const TRENDS = ['UP', 'DOWN', 'STABLE'] as const;
export type Trend = (typeof TRENDS)[number];

/** A point of a series. */
export type TimedValue = { readonly at: Date; readonly value: number };

/** With fewer points nothing is significant: four that all go one way do so by chance in one of twelve series. */
export const FEWEST_TREND_POINTS = 5;
/** Standard deviations of the Mann–Kendall score; chance alone passes in less than 2 % of series. */
const CLEAR_SCORE = 2.4;

/**
 * Trend by the Mann–Kendall test: pairs of points that go up minus pairs that go down, against what chance gives.
 * Values that went up and down have none, and neither have those whose newest is back where the oldest was. STABLE
 * only where all are equal. Null for anything else, and below {@link FEWEST_TREND_POINTS}.
 */
export function trendOf(points: readonly TimedValue[]): Trend | null {
  const [first, ...others] = points;
  if (first === undefined || others.length === 0) return null;
  if (others.every(({ value }) => value === first.value)) return 'STABLE';
  if (points.length < FEWEST_TREND_POINTS) return null;
  const score = pairScore(points);
  const isClear = Math.abs(score) >= CLEAR_SCORE * scoreDeviation(points.map(({ value }) => value));
  return isClear && Math.sign(newestLessOldest(points)) === Math.sign(score)
    ? score > 0
      ? 'UP'
      : 'DOWN'
    : null;
}

/** Of pairs measured at different times: later ones that are greater less later ones that are smaller. */
function pairScore(points: readonly TimedValue[]): number {
  let score = 0;
  for (const [index, a] of points.entries()) {
    for (let other = index + 1; other < points.length; other += 1) {
      const b = points[other] ?? a;
      score += Math.sign(b.at.getTime() - a.at.getTime()) * Math.sign(b.value - a.value);
    }
  }
  return score;
}

/** Standard deviation of the score of values in random order; equal values make it smaller. */
function scoreDeviation(values: readonly number[]): number {
  const pairs = (count: number): number => count * (count - 1) * (2 * count + 5);
  const ties = [...Map.groupBy(values, (value) => value).values()];
  return Math.sqrt((pairs(values.length) - ties.reduce((sum, { length }) => sum + pairs(length), 0)) / 18);
}

/** Of several at one time their median. */
function newestLessOldest(points: readonly TimedValue[]): number {
  const times = points.map(({ at }) => at.getTime());
  const at = (time: number): number =>
    medianOf(points.filter((point) => point.at.getTime() === time).map(({ value }) => value)) ?? 0;
  const [newest, oldest] = [at(Math.max(...times)), at(Math.min(...times))];
  // Compared, not subtracted: a difference of huge values overflows.
  return newest === oldest ? 0 : newest > oldest ? 1 : -1;
}
