/** The few figures that expected answers need, written out here rather than taken from what is examined. */

/** Arithmetic mean of at least one number. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sample standard deviation of at least two numbers. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Percentile by linear interpolation between the two nearest of at least one number. */
export function percentileOf(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = ((sorted.length - 1) * percent) / 100;
  const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

/** Middle of at least one number. */
export const medianOf = (values: readonly number[]): number => percentileOf(values, 50);

/** Pearson's correlation coefficient of pairs. */
export function correlationOf(pairs: readonly (readonly [number, number])[]): number {
  const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
  const [meanX, meanY] = [meanOf(xs), meanOf(ys)];
  const products = pairs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return products / ((pairs.length - 1) * deviationOf(xs) * deviationOf(ys));
}

/** Those whose modified z-score by the median of distances from the median is above 3.5 (Iglewicz and Hoaglin 1993). */
export function standingApart<Item extends { readonly value: number }>(
  items: readonly Item[],
): readonly Item[] {
  const centre = medianOf(items.map(({ value }) => value));
  const spread = medianOf(items.map(({ value }) => Math.abs(value - centre)));
  return spread === 0 ? [] : items.filter(({ value }) => (0.6745 * Math.abs(value - centre)) / spread > 3.5);
}
