import { medianOf } from './statistics.ts';

/** Which way a series goes over time. Whether that is good depends on the metric's direction. */
export const TRENDS = ['UP', 'DOWN', 'STABLE'] as const;
export type Trend = (typeof TRENDS)[number];

/** A change over the whole series of at most this fraction of the median's magnitude is not a trend. */
const STABLE_WITHIN = 0.01;

/**
 * Trend by the Theil–Sen estimator (Sen 1968): the median slope of all pairs of points times the time spanned,
 * relative to the magnitude of the median value, so that one outlier or a negative sign does not decide. Null below
 * two points.
 */
export function trendOf(points: readonly { readonly at: Date; readonly value: number }[]): Trend | null {
  if (points.length < 2) return null;
  const times = points.map(({ at }) => at.getTime());
  const spanMs = Math.max(...times) - Math.min(...times);
  // Values are taken relative to the largest, so that slopes of huge ones stay finite.
  const largest = Math.max(...points.map(({ value }) => Math.abs(value)));
  if (spanMs === 0 || largest === 0) return 'STABLE';
  const values = points.map(({ value }) => value / largest);
  const slope = medianSlope(
    times.map((time) => time / spanMs),
    values,
  );
  const magnitude = Math.abs(medianOf(values) ?? 0);
  if (Math.abs(slope) <= STABLE_WITHIN * magnitude) return 'STABLE';
  return slope > 0 ? 'UP' : 'DOWN';
}

/** Change over the whole span, as time runs from 0 to 1; pairs measured at the same time have no slope. */
function medianSlope(times: readonly number[], values: readonly number[]): number {
  const slopes: number[] = [];
  for (const [i, time] of times.entries()) {
    for (let j = i + 1; j < times.length; j += 1) {
      const elapsed = (times[j] ?? time) - time;
      if (elapsed !== 0) slopes.push(((values[j] ?? 0) - (values[i] ?? 0)) / elapsed);
    }
  }
  return medianOf(slopes) ?? 0;
}
