/**
 * Reads fields of calibration databases tolerantly. Deployments of different ages store the same thing in different
 * ways: what cannot be understood is null, never a guess and never an error.
 */
import type { Json, JsonObject } from '../visuals.ts';

/** A finite number, also one of BSON's long and decimal types; null for booleans and numeric text. */
export function readNumber(raw: unknown): number | null {
  const number = isBsonNumber(raw) ? Number(raw.toString()) : raw;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

const isBsonNumber = (raw: unknown): raw is { readonly _bsontype: string; toString(): string } =>
  typeof raw === 'object' &&
  raw !== null &&
  '_bsontype' in raw &&
  (raw._bsontype === 'Long' || raw._bsontype === 'Decimal128');

/** Text that is not empty. */
export function readText(raw: unknown): string | null {
  return typeof raw === 'string' && raw !== '' ? raw : null;
}

/** The strings of an array; anything else is left out. */
export function readTexts(raw: unknown): readonly string[] {
  return Array.isArray(raw)
    ? raw.filter((item): item is string => typeof item === 'string' && item !== '')
    : [];
}

/** An object that is not an array and not a date; empty otherwise. */
export function readRecord(raw: unknown): Readonly<Record<string, unknown>> {
  return isRecord(raw) ? raw : {};
}

/** Whether `raw` is an object with named fields: no array, no date, no value of a BSON class. */
export function isRecord(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return (
    typeof raw === 'object' &&
    raw !== null &&
    !Array.isArray(raw) &&
    !(raw instanceof Date) &&
    !('_bsontype' in raw)
  );
}

/** A time: a date, or ISO text. Text without an offset is UTC, as QDash writes it. */
export function readDate(raw: unknown): Date | null {
  if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? null : raw;
  if (typeof raw !== 'string') return null;
  const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/u.exec(raw.trim());
  if (!iso) return null;
  const [, day, time, fraction = '', offset = 'Z'] = iso;
  const date = new Date(`${day}T${time}${fraction.slice(0, 4)}${offset}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

const UNIT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
]);

/**
 * Seconds that something took: a number, `0:05:12`, `1 day, 0:05:12`, or words such as `5 minutes` and `an hour`.
 * Words too vague to be a number of seconds are null.
 */
export function readElapsedSeconds(raw: unknown): number | null {
  if (typeof raw !== 'string') return readNumber(raw);
  const clock = /^(?:(\d+) days?, )?(\d+):(\d\d):(\d\d(?:\.\d+)?)$/u.exec(raw.trim());
  if (clock) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = clock.slice(1).map((part) => Number(part ?? 0));
    return days * 86_400 + hours * 3600 + minutes * 60 + seconds;
  }
  const words = /^(an?|\d+(?:\.\d+)?) (second|minute|hour|day)s?$/u.exec(raw.trim());
  if (!words) return null;
  const [, amount = '', unit = ''] = words;
  return (amount.startsWith('a') ? 1 : Number(amount)) * (UNIT_SECONDS.get(unit) ?? Number.NaN);
}

/** Seconds from one time to another, null where one is missing. */
export function secondsBetween(from: Date | null, to: Date | null): number | null {
  return from === null || to === null ? null : (to.getTime() - from.getTime()) / 1000;
}

/**
 * As JSON: dates as ISO text, whole longs and decimals as text where a number would not be exact, NaN and infinities as
 * null.
 */
export function readJson(raw: unknown): Json {
  if (raw === null || raw === undefined) return null;
  if (typeof raw === 'string' || typeof raw === 'boolean') return raw;
  if (typeof raw === 'number') return readNumber(raw);
  if (isBsonNumber(raw)) return exactNumber(raw);
  if (raw instanceof Date) return readDate(raw)?.toISOString() ?? null;
  if (Array.isArray(raw)) return raw.map(readJson);
  return isRecord(raw) ? readJsonObject(raw) : null;
}

function exactNumber(raw: { toString(): string }): Json {
  const number = readNumber(raw);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? raw.toString() : number;
}

/** As {@link readJson}, for what should be an object; empty otherwise. */
export function readJsonObject(raw: unknown): JsonObject {
  return Object.fromEntries(Object.entries(readRecord(raw)).map(([key, value]) => [key, readJson(value)]));
}
