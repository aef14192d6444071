/** Puts the times of a board in place of those of a call, by the names that arguments of times have in all tools. */
import type { z } from 'zod';
import { hoursOf, type TimeSpan } from '../../domain/values/time-range.ts';
import type { JsonObject } from '../../domain/visuals.ts';

/** Newest results of each that a history shows once times bound it. */
const MOST_RESULTS = 200;

/** The arguments with these times; null for a tool that cannot be asked for them. */
export function withRange(
  args: z.ZodObject,
  given: Record<string, unknown>,
  span: TimeSpan,
  now: Date,
): Record<string, unknown> | null {
  const has = (name: string): boolean => name in args.shape;
  const asked = has('from') && has('to') ? fromTo(span) : has('within_hours') ? withinHours(span, now) : null;
  if (asked === null) return null;
  const ranged = {
    ...given,
    ...(has('window_hours') && { window_hours: null }),
    ...(has('previous_from') && { previous_from: null, previous_to: null }),
    ...(has('last_n') && { last_n: MOST_RESULTS }),
    ...asked,
  };
  return args.safeParse(ranged).success ? ranged : null;
}

const fromTo = ({ from, to }: TimeSpan): JsonObject => ({
  from: from?.toISOString() ?? null,
  to: to?.toISOString() ?? null,
});

/** Null where the span ends before now: current values cannot be asked for those. */
function withinHours(span: TimeSpan, now: Date): JsonObject | null {
  const hours = hoursOf(span, now);
  return hours === null ? null : { within_hours: hours };
}
