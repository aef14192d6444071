import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import { endOfDay } from '../../domain/values/daily.ts';

/** A time, as {@link timeOf} reads it. */
export const timeArg = z.string().nullable();

const DAY = /^\d{4}-\d\d-\d\d$/u;

/**
 * The time that an argument names: a date, or a time in UTC unless it has an offset. Null for null or no text.
 * @throws InvalidInputError for text that is not a time.
 */
export function timeOf(name: string, text: string | null): Date | null {
  if (!text) return null;
  const time = new Date(/[zZ]$|[+-]\d\d:?\d\d$/u.test(text) || DAY.test(text) ? text : `${text}Z`);
  if (!Number.isNaN(time.getTime())) return time;
  throw InvalidInputError.at([name], `${text} is no time; write 2026-02-24T00:00:00Z`);
}

/**
 * As {@link timeOf} for what was known at a time: a date means the end of that day of the lab, or now while it lasts.
 */
export function pointOf(
  name: string,
  text: string | null,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): Date | null {
  const time = timeOf(name, text);
  if (time === null || text === null || !DAY.test(text)) return time;
  const end = endOfDay(text, timeZone);
  return end > now && time <= now ? now : end;
}
