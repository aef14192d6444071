/**
 * Claims of order. The words for one (`worst first`, `lowest`, `newest`) come only from a value made here, which
 * carries its rows in order, and says which are equal.
 */
import type { Direction } from '../values/metric.ts';

/** Which end of a metric is asked for. `best` and `worst` need a metric that has a better direction. */
export type End = 'best' | 'worst' | 'highest' | 'lowest';

/** A row at its place; rows of the same number share a place. */
export type Placed<Row> = {
  readonly row: Row;
  readonly by: number;
  /** 1 for the first. */
  readonly place: number;
  readonly isTied: boolean;
};

/** Rows put in order by one number. */
export type Ranked<Row> = {
  readonly type: 'RANKED';
  /** What the order is called: `worst`, `largest change`. */
  readonly order: string;
  readonly descending: boolean;
  /** All rows, those at the asked end in front. Equal ones keep the order in which they came. */
  readonly rows: readonly Placed<Row>[];
};

/** Whether the greatest number comes first; null for best and worst of what has no better. */
export function isDescending(end: End, direction: Direction): boolean | null {
  if (end === 'highest' || end === 'lowest') return end === 'highest';
  return direction === 'NEUTRAL' ? null : (direction === 'HIGHER_IS_BETTER') === (end === 'best');
}

/** Puts rows in order. A row without a finite number has no place: name it beside the order. */
export function ranked<Row>(
  rows: readonly Row[],
  claim: { readonly order: string; readonly descending: boolean; readonly by: (row: Row) => number },
): Ranked<Row> {
  const { order, descending, by } = claim;
  const measured = rows.map((row) => ({ row, by: by(row) })).filter((each) => Number.isFinite(each.by));
  const sorted = measured.toSorted((a, b) => (descending ? b.by - a.by : a.by - b.by));
  const counts = Map.groupBy(sorted, (each) => each.by);
  const places = new Map<number, number>();
  for (const [index, each] of sorted.entries()) if (!places.has(each.by)) places.set(each.by, index + 1);
  return {
    type: 'RANKED',
    order,
    descending,
    rows: sorted.map((each) => ({
      ...each,
      place: places.get(each.by) ?? 0,
      isTied: (counts.get(each.by)?.length ?? 0) > 1,
    })),
  };
}

/** `worst first`; of a single row there is nothing to order. */
export const firstWords = ({ order, rows }: Ranked<unknown>): string =>
  rows.length > 1 ? `${order} first` : order;

/** The first `count` rows, and how many behind them have the number of the last of these. */
export function front<Row>(
  { rows }: Ranked<Row>,
  count: number,
): { readonly shown: readonly Placed<Row>[]; readonly tiedBehind: number } {
  const shown = rows.slice(0, count);
  const last = shown.at(-1);
  return { shown, tiedBehind: rows.slice(count).filter(({ by }) => by === last?.by).length };
}

/** `3 more are equal to the last of these.` */
export const tiedSentences = (tiedBehind: number): readonly string[] =>
  tiedBehind === 0
    ? []
    : [`${tiedBehind} more ${tiedBehind === 1 ? 'is' : 'are'} tied with the last of these.`];

/** Both ends of some rows; equal rows share an end. */
export type Extremes<Row> = {
  readonly type: 'EXTREMES';
  readonly lowest: readonly Row[];
  readonly highest: readonly Row[];
  readonly low: number;
  readonly high: number;
};

/** The least and the greatest; null without a finite number. */
export function extremes<Row>(rows: readonly Row[], by: (row: Row) => number): Extremes<Row> | null {
  const measured = rows.filter((row) => Number.isFinite(by(row)));
  if (measured.length === 0) return null;
  const numbers = measured.map(by);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const at = (end: number): readonly Row[] => measured.filter((row) => by(row) === end);
  return { type: 'EXTREMES', low, high, lowest: at(low), highest: at(high) };
}

/** Equal rows that are named before they are only counted. */
const NAMED_TIES = 3;

/** `lowest Q45 9.65 μs, highest Q31, Q40 (tied) 120.1 μs`; of a single value only that all have it. */
export function extremeWords<Row extends { readonly label: string }>(
  { lowest, highest, low, high }: Extremes<Row>,
  show: (value: number) => string,
): string {
  if (low === high && lowest.length > 1) return `all ${show(low)}`;
  return `lowest ${labelsOf(lowest)} ${show(low)}, highest ${labelsOf(highest)} ${show(high)}`;
}

function labelsOf(rows: readonly { readonly label: string }[]): string {
  const named = rows.slice(0, NAMED_TIES).map(({ label }) => label);
  const more = rows.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}${rows.length > 1 ? ' (tied)' : ''}`;
}
