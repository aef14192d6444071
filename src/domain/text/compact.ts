/**
 * Shorter forms of values for a model to read: four significant figures and short times. Only what a model reads is
 * shortened; stored results and charts keep full precision.
 */
import type { Json, JsonObject } from '../visuals.ts';

/** Rounds to four significant figures, ties away from zero. Integers, which are counts and ids, stay as they are. */
export function compactNumber(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value;
  return Number(value.toPrecision(4));
}

/** Stored times without an offset are UTC, which JavaScript would read as local time. */
const WITHOUT_OFFSET = /\d\d:\d\d(:\d\d(\.\d+)?)?$/;
const WITH_OFFSET = /[+-]\d\d:\d\d$/;

/**
 * `02-24 02:22 UTC`, with the year in front unless it is the year of `now`. Null and empty text give empty text; text
 * that is not a time is returned as it is.
 */
export function compactTimestamp(time: Date | string | null, now: Date): string {
  if (time === null || time === '') return '';
  const date = typeof time === 'string' ? parseUtc(time) : time;
  if (Number.isNaN(date.getTime())) return String(time);
  const iso = date.toISOString();
  const from = date.getUTCFullYear() === now.getUTCFullYear() ? 5 : 0;
  return `${iso.slice(from, 10)} ${iso.slice(11, 16)} UTC`;
}

const parseUtc = (text: string): Date =>
  new Date(WITHOUT_OFFSET.test(text) && !WITH_OFFSET.test(text) ? `${text}Z` : text);

/**
 * Of each stored output parameter only value, unit (unless empty) and error (unless 0), numbers shortened. What is not
 * in the stored form passes through.
 */
export function compactOutputParameters(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      isParameter(parameter) ? compactParameter(parameter) : parameter,
    ]),
  );
}

function isParameter(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && 'value' in value;
}

function compactParameter({ value = null, unit, error }: JsonObject): JsonObject {
  return {
    value: compactJsonNumber(value),
    ...(typeof unit === 'string' && unit !== '' ? { unit } : {}),
    ...(typeof error === 'number' && error !== 0 ? { error: compactJsonNumber(error) } : {}),
  };
}

const compactJsonNumber = (value: Json): Json =>
  typeof value !== 'number' ? value : Number.isFinite(value) ? compactNumber(value) : null;
