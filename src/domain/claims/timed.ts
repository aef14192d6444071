/** Claims of time: what is newest, and which way a series went. */
import { countOf, formatTime } from '../text/display-text.ts';
import type { Metric } from '../values/metric.ts';
import { FEWEST_TREND_POINTS, type Trend } from '../values/trend.ts';

/** A row that no other is newer than. */
export type Newest<Row> = { readonly type: 'NEWEST'; readonly row: Row; readonly at: Date };

/** The row of the latest time, of several at that time the last; null where no row has a time. */
export function newestOf<Row>(rows: readonly Row[], timeOf: (row: Row) => Date | null): Newest<Row> | null {
  const times = rows.map((row) => timeOf(row)?.getTime() ?? -Infinity);
  const row = rows[times.lastIndexOf(Math.max(...times))];
  const at = row === undefined ? null : timeOf(row);
  return row === undefined || at === null ? null : { type: 'NEWEST', row, at };
}

/** `newest 59.50 μs`. */
export const newestText = <Row>({ row }: Newest<Row>, show: (row: Row) => string): string =>
  `newest ${show(row)}`;

/** `since 2026-05-19 23:22 UTC`. */
export const sinceText = (at: Date): string => `since ${formatTime(at)}`;

/** Whether each row is as new as the next one or newer; a row without a time may only come at the end. */
export function isNewestFirst<Row>(rows: readonly Row[], at: (row: Row) => Date | null): boolean {
  const times = rows.map((row) => at(row)?.getTime() ?? -Infinity);
  return times.every((time, index) => time >= (times[index + 1] ?? -Infinity));
}

/** `the newest 5 runs`, or `5 runs` where these are all, or where their times do not show it. */
export function newestWords<Row>(
  rows: readonly Row[],
  { at, noun, hasMore }: { at: (row: Row) => Date | null; noun: string; hasMore: boolean },
): string {
  const count = countOf(rows.length, noun);
  return hasMore && isNewestFirst(rows, at) ? `the newest ${count}` : hasMore ? `${count} of more` : count;
}

/** Which way a series went. `trend` is null where none is significant. */
export type Course = { readonly trend: Trend | null; readonly results: number };

const TREND_WORDS: Readonly<Record<Trend, string>> = { UP: 'rising', DOWN: 'falling', STABLE: 'unchanged' };

/** What {@link courseWords} says of values that went up and down. */
export const NO_TREND = 'no clear trend';

/** `falling (worse)`, `no clear trend`; null for too few results to say anything. The metric knows what is better. */
export function courseWords({ trend, results }: Course, metric: Metric | null): string | null {
  if (trend === null) return results < FEWEST_TREND_POINTS ? null : NO_TREND;
  const direction = metric?.direction ?? 'NEUTRAL';
  if (trend === 'STABLE' || direction === 'NEUTRAL') return TREND_WORDS[trend];
  const isBetter = (direction === 'HIGHER_IS_BETTER') === (trend === 'UP');
  return `${TREND_WORDS[trend]} (${isBetter ? 'better' : 'worse'})`;
}
