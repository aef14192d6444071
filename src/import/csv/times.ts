/** Times as tables write them: with an offset, or on the clock of the laboratory. */
import { InvalidInputError } from '../../base/errors.ts';
import { impossibleTime } from '../../domain/values/physical-limits.ts';
import { toTime } from '../../sources/tables/column-values.ts';

/** Reads the text of a time, or returns what is wrong with it. */
export type ReadTime = (text: string) => Date | string;

const OFFSET = /(?:Z|UTC|:\d{2}(?:\.\d+)?\s*[+-]\d{2}:?\d{2})$/iu;
/** Seconds or milliseconds since 1970, for any day from 2001 on. */
const EPOCH = /^(\d{10})(?:\.\d+)?$|^\d{13}$/u;
const DAY_MS = 86_400_000;

/**
 * A reader of times; those without an offset are on the clock of `timeZone` (IANA). Of an hour that an autumn night has
 * twice, the first is meant.
 * @throws InvalidInputError for an unknown zone.
 */
export function createTimeReader(timeZone: string, now: Date): ReadTime {
  const clock = clockOf(timeZone);
  return (text) => {
    const time = EPOCH.test(text) ? epochTime(text) : zonedTime(text, clock);
    if (time === null) {
      return `time ${JSON.stringify(text)}: write 2026-05-20 14:30, with +09:00 or Z behind it or in the zone of --time-zone`;
    }
    if (time === 'skipped') {
      return `time ${JSON.stringify(text)}: the clocks of ${timeZone} skipped that hour: write it with its offset, or give another --time-zone`;
    }
    const impossible = impossibleTime(time, now);
    return impossible === null ? time : `time ${JSON.stringify(text)} ${impossible}`;
  };
}

const epochTime = (text: string): Date => new Date(text.length === 13 ? Number(text) : Number(text) * 1000);

/** Offset of the zone's clocks at a moment, in milliseconds. */
type Clock = (at: Date) => number;

function clockOf(timeZone: string): Clock {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch (cause) {
    const message = `--time-zone ${timeZone} is not a time zone: write one such as Europe/Berlin, Asia/Tokyo or UTC`;
    throw Object.assign(InvalidInputError.at([], message), { cause });
  }
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /^GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/u.exec(name) ?? [];
    const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  };
}

function zonedTime(text: string, clock: Clock): Date | 'skipped' | null {
  const written = text.replaceAll('/', '-');
  const time = toTime(written);
  if (time === null || OFFSET.test(written)) return time;
  // What the clock shows, taken as UTC, lies within a day of the moment: the offset is one of these two.
  const offsets = [-DAY_MS, DAY_MS].map((shift) => clock(new Date(time.getTime() + shift)));
  const fitting = offsets
    .map((offset) => new Date(time.getTime() - offset))
    .filter((moment) => moment.getTime() + clock(moment) === time.getTime());
  return fitting.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? 'skipped';
}
