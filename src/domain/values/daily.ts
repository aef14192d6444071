/**
 * Results by calendar day, and by cool-down. A day is one of the lab's own calendar, however long its clock makes it.
 */
import { compareLatest, type UsableMeasurement } from './measurement.ts';

/**
 * Whether `name` is a zone of the IANA time zone database; a fixed offset such as `+09:00` is not, since it
 * has no calendar of its own.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/u.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The calendar day of a moment in an IANA time zone, as `2026-02-24`. @throws RangeError for an unknown zone.
 */
export function localDay(at: Date, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format.format(at);
}

const DAY_MS = 86_400_000;

/**
 * The last millisecond of a calendar day (`2026-02-24`) in an IANA time zone, whatever its clock did that day. Invalid
 * for text that is no day.
 */
export function endOfDay(day: string, timeZone: string): Date {
  const middle = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(middle)) return new Date(Number.NaN);
  // No zone is further than 14 hours from UTC, so the end lies within a day and a half of UTC's noon.
  let [inside, outside] = [middle - DAY_MS, middle + 1.5 * DAY_MS];
  while (outside - inside > 1) {
    const between = Math.floor((inside + outside) / 2);
    if (localDay(new Date(between), timeZone) <= day) inside = between;
    else outside = between;
  }
  return new Date(inside);
}

/** A result with the day that it represents. */
export type DailyMeasurement = UsableMeasurement & { readonly day: string };

/**
 * One row a chip, cool-down, qubit, task and day: the latest. What is measured again because it went badly does not
 * count more often than what went well at once. Oldest day first, then in order of qid and task; no order of arrival
 * changes anything.
 */
export function latestPerDay(
  measurements: readonly UsableMeasurement[],
  timeZone: string,
): readonly DailyMeasurement[] {
  const kept = new Map<string, DailyMeasurement>();
  for (const measurement of measurements) {
    const { chipId, cooldownId, qid, taskName, at } = measurement;
    const day = localDay(at, timeZone);
    const key = JSON.stringify([day, chipId, cooldownId, qid, taskName]);
    const held = kept.get(key);
    if (!held || compareLatest(measurement, held) < 0) kept.set(key, { ...measurement, day });
  }
  return [...kept].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, measurement]) => measurement);
}

/** The cool-downs that results are of, the one of the newest result first; results that name none are left out. */
export function cooldownsOf(measurements: readonly UsableMeasurement[]): readonly string[] {
  return [...new Set(measurements.toSorted(compareLatest).flatMap(({ cooldownId }) => cooldownId ?? []))];
}

/** Results of one cool-down and those that name none; others are of another state of the device. */
export function ofCooldown<Result extends UsableMeasurement>(
  measurements: readonly Result[],
  cooldownId: string | null,
): readonly Result[] {
  if (cooldownId === null) return measurements;
  return measurements.filter((each) => each.cooldownId === null || each.cooldownId === cooldownId);
}
