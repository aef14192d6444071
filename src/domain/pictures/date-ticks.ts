/** Ticks of a time axis, in UTC: round steps from milliseconds to centuries. */
import type { Tick } from './ticks.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.4 * DAY;

/** Of fixed length. */
const STEPS = [
  ...[1, 10, 100].flatMap((power) => [power, 2 * power, 5 * power]),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 3, 7, 14].map((count) => count * DAY),
];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 6_000, 12_000];
const MOST_MONTHS = 120_000;
/** A Sunday, on which weeks begin as in Plotly. */
const SUNDAY = Date.UTC(2000, 0, 2);
const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Greatest time of JavaScript, in milliseconds. */
export const LAST_TIME = 8.64e15;

/** Between two times, `about` so many. */
export function dateTicks(range: readonly [number, number], about: number): readonly Tick[] {
  // The room around the values may reach past the last time that there is.
  const [low, high] = range.map((end) => Math.max(-LAST_TIME, Math.min(LAST_TIME, end))) as [number, number];
  const rough = (high - low) / Math.max(1, about);
  const step = STEPS.find((each) => each >= rough);
  const months = MONTHS.find((each) => each * MONTH >= rough) ?? MOST_MONTHS;
  const times = step === undefined ? monthly(low, high, months) : regular(low, high, step);
  const wordsOf = (time: Date): readonly [string, string] => {
    if (step !== undefined) return step < DAY ? timeWords(time, step) : dayWords(time);
    const year = String(time.getUTCFullYear());
    return months < 12 ? [NAMES[time.getUTCMonth()] ?? '', year] : [year, ''];
  };
  let before = '';
  return times.map((at) => {
    const [main, beside] = wordsOf(new Date(at));
    const lines = beside === before ? [main] : [main, beside];
    before = beside;
    return { at, lines };
  });
}

function regular(low: number, high: number, step: number): readonly number[] {
  const from = step % (7 * DAY) === 0 ? SUNDAY : 0;
  const [first, last] = [Math.ceil((low - from) / step), Math.floor((high - from) / step)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => from + (first + index) * step);
}

function monthly(low: number, high: number, months: number): readonly number[] {
  const start = new Date(low);
  const first = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
  const count = Math.ceil((high - low) / (months * 28 * DAY)) + 2;
  return Array.from({ length: count }, (_, index) => timeOfMonth(first + index * months)).filter(
    (at) => at >= low && at <= high,
  );
}

/** `Date.UTC` takes the years before 100 for those of the last century. */
const timeOfMonth = (months: number): number =>
  new Date(0).setUTCFullYear(Math.floor(months / 12), ((months % 12) + 12) % 12, 1);

const dayWords = (time: Date): readonly [string, string] => [
  `${NAMES[time.getUTCMonth()]} ${time.getUTCDate()}`,
  String(time.getUTCFullYear()),
];

function timeWords(time: Date, step: number): readonly [string, string] {
  const end = step < SECOND ? 23 : step < MINUTE ? 19 : 16;
  const [day, year] = dayWords(time);
  // Years before 0 and after 9999 are written longer.
  const text = time.toISOString();
  const start = text.indexOf('T') + 1;
  return [text.slice(start, start + end - 11), `${day}, ${year}`];
}

const WRITTEN =
  /^(-?\d{4,6})(?:-(\d\d?)(?:-(\d\d?)(?:[ T](\d\d?)(?::(\d\d?)(?::(\d\d?)(\.\d{1,9})?)?)?)?)?)?(?:Z|[+-]\d\d:?\d\d)?$/u;

/**
 * A time as Plotly reads it, in milliseconds: whatever zone it names, its hours are drawn as they are written. Null for
 * anything else.
 */
export function timeIn(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= LAST_TIME ? value : null;
  const parts = typeof value === 'string' ? WRITTEN.exec(value.trim()) : null;
  if (parts === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, fraction = 0] = parts
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const isReal =
    month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60;
  const start = new Date(0).setUTCFullYear(year, month - 1, day);
  const at = start + hour * HOUR + minute * MINUTE + (second + fraction) * SECOND;
  return isReal && Math.abs(at) <= LAST_TIME ? at : null;
}
