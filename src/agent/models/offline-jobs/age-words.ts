import { countOf } from '../../../domain/display-text.ts';

const HOUR_MS = 3_600_000;

/** Hours between two times, 0 where the clocks disagree. */
export const hoursBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / HOUR_MS);

/** `1 hour`, or in days from two days on. */
export function ageWords(from: Date, to: Date): string {
  const hours = hoursBetween(from, to);
  return hours < 48 ? countOf(Math.round(hours), 'hour') : countOf(Math.round(hours / 24), 'day');
}
