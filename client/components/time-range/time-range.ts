/** Time ranges as written in an address: `36h`, `cooldown`, or `2026-05-01T08:00/2026-05-03T20:00` in UTC. */
import type { TimeRangeInput } from '../../gql/graphql.ts';

/** Null: all times, or those of each. */
export type Times =
  | { readonly kind: 'LAST'; readonly hours: number }
  | { readonly kind: 'COOLDOWN' }
  | { readonly kind: 'BETWEEN'; readonly from: string | null; readonly to: string | null }
  | null;

const MOST_HOURS = 87_600;
const HOUR_MS = 3_600_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Reads the part of an address; what cannot be understood is as if it were not there. */
export function readTimes(text: string | null): Times {
  if (text === null) return null;
  if (text === 'cooldown') return { kind: 'COOLDOWN' };
  const hours = /^(\d{1,5})h$/.exec(text)?.[1];
  if (hours !== undefined) return lastHours(Number(hours));
  const [from = '', to = '', ...more] = text.split('/');
  const isTime = [from, to].every((each) => each === '' || isRealTime(each));
  if (!isTime || more.length > 0 || from + to === '' || (from !== '' && to !== '' && from >= to)) return null;
  return { kind: 'BETWEEN', from: isoOf(from), to: isoOf(to) };
}

/** The last hours as far as they can be asked for; null for others. */
export const lastHours = (hours: number): Times =>
  Number.isInteger(hours) && hours >= 1 && hours <= MOST_HOURS ? { kind: 'LAST', hours } : null;

const isRealTime = (text: string): boolean => TIME.test(text) && !Number.isNaN(Date.parse(`${text}Z`));
const isoOf = (text: string): string | null => (text === '' ? null : `${text}:00.000Z`);

/** The part of an address; null for none. */
export function writeTimes(times: Times): string | null {
  if (times === null) return null;
  if (times.kind === 'COOLDOWN') return 'cooldown';
  if (times.kind === 'LAST') return `${times.hours}h`;
  return [times.from, times.to].map((at) => at?.slice(0, 16) ?? '').join('/');
}

/** As the server is asked. */
export function toRange(times: Times): TimeRangeInput | null {
  if (times === null) return null;
  if (times.kind === 'LAST') return { kind: 'LAST', hours: times.hours };
  if (times.kind === 'COOLDOWN') return { kind: 'COOLDOWN' };
  return { kind: 'BETWEEN', from: times.from, to: times.to };
}

/** As the server has it stored; seconds are left out. */
export function fromRange(
  range: { kind: string; hours: number | null; from: string | null; to: string | null } | null,
): Times {
  if (range === null) return null;
  if (range.kind === 'LAST') return range.hours === null ? null : { kind: 'LAST', hours: range.hours };
  if (range.kind === 'COOLDOWN') return { kind: 'COOLDOWN' };
  return { kind: 'BETWEEN', from: range.from, to: range.to };
}

/** From when until when, for reads that take two times; null: open. A cool-down of an unknown beginning is all times. */
export function spanOf(
  times: Times,
  { nowMs, cooldownStart }: { readonly nowMs: number; readonly cooldownStart: string | null },
): { readonly from: string | null; readonly to: string | null } {
  if (times === null) return { from: null, to: null };
  if (times.kind === 'BETWEEN') return { from: times.from, to: times.to };
  if (times.kind === 'COOLDOWN') return { from: cooldownStart, to: null };
  return { from: new Date(nowMs - times.hours * HOUR_MS).toISOString(), to: null };
}

/** A time as an input of the browser has it, in the reader's zone, and back. */
export function toLocalInput(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
export const fromLocalInput = (text: string): string | null => {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
};
