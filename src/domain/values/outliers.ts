import { medianOf } from './statistics.ts';

/** An outlier; `score` is its modified z-score, negative below the median. */
export type Outlier<Row> = { readonly row: Row; readonly score: number };

/** Cut-off that Iglewicz and Hoaglin recommend. */
export const OUTLIER_SCORE = 3.5;

/** With fewer values there are no outliers. */
const FEWEST_VALUES = 5;

/**
 * Rows with outlying values, farthest first: modified z-score by median and median absolute deviation
 * (Iglewicz and Hoaglin 1993), so that outliers do not hide themselves by widening the spread. Where more
 * than half of the values are equal, the mean absolute deviation takes its place, as they advise.
 */
export function findOutliers<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => number,
  cutOff = OUTLIER_SCORE,
): readonly Outlier<Row>[] {
  const values = rows.map(valueOf);
  const median = medianOf(values);
  if (median === null || values.length < FEWEST_VALUES) return [];
  const distances = values.map((value) => Math.abs(value - median));
  const spread = 1.4826 * (medianOf(distances) ?? 0);
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  const scale = spread > 0 ? spread : 1.2533 * mean;
  if (scale === 0) return [];
  return rows
    .map((row) => ({ row, score: (valueOf(row) - median) / scale }))
    .filter(({ score }) => Math.abs(score) > cutOff)
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score));
}
