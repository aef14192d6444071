/** Times that results are asked for: since so many hours ago, since the chip was cooled down, or from one time to another. */
export const TIME_RANGE_KINDS = ['LAST', 'COOLDOWN', 'BETWEEN'] as const;
export type TimeRangeKind = (typeof TIME_RANGE_KINDS)[number];

/** `hours` is of LAST, `from` and `to` of BETWEEN, either of which may be open. */
export type TimeRange = {
  readonly kind: TimeRangeKind;
  readonly hours: number | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

/** From `from` until before `to`; null: open. */
export type TimeSpan = { readonly from: Date | null; readonly to: Date | null };

const HOUR_MS = 3_600_000;

/** The times of a range at this moment. `cooldownStart`: when the chip was cooled down; null where that is unknown. */
export function spanOf(
  { kind, hours, from, to }: TimeRange,
  { now, cooldownStart }: { readonly now: Date; readonly cooldownStart: Date | null },
): TimeSpan {
  if (kind === 'BETWEEN') return { from, to };
  if (kind === 'COOLDOWN') return { from: cooldownStart, to: null };
  return { from: new Date(now.getTime() - (hours ?? 0) * HOUR_MS), to: null };
}

/** Whole hours from the beginning of a span until now, at least one; null where it has no beginning, or another end. */
export function hoursOf({ from, to }: TimeSpan, now: Date): number | null {
  if (from === null || (to !== null && to < now)) return null;
  return Math.max(1, Math.ceil((now.getTime() - from.getTime()) / HOUR_MS));
}
