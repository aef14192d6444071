/** Finds dates and times of day in a plain text. They are UTC unless the text says JST. */

/** A date, a time, or both. Parts that the text leaves out are null. */
export type TextTime = {
  readonly start: number;
  readonly end: number;
  readonly year: number | null;
  /** 1 to 12. */
  readonly month: number | null;
  readonly day: number | null;
  readonly hour: number | null;
  readonly minute: number | null;
  readonly second: number | null;
  /** Minutes that the written time is ahead of UTC. */
  readonly offsetMinutes: number;
};

const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const MONTH = `(?<name>(?:${MONTHS})[a-z]*)\\.?`;
const CLOCK =
  '(?<hour>[01]?\\d|2[0-3]):(?<minute>[0-5]\\d)(?::(?<second>[0-5]\\d)(?:\\.\\d+)?)?(?:\\s?(?<zone>UTC|GMT|Z|JST|[+-]\\d\\d:?\\d\\d))?';
const DAYS: readonly string[] = [
  '(?<year>(?:19|20)\\d\\d)[-/.](?<month>0?[1-9]|1[0-2])[-/.](?<day>0?[1-9]|[12]\\d|3[01])',
  '(?:(?<year>(?:19|20)\\d\\d)年\\s?)?(?<month>0?[1-9]|1[0-2])月\\s?(?<day>[12]\\d|3[01]|0?[1-9])日',
  `${MONTH}\\s(?<day>[12]\\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?:,?\\s(?<year>(?:19|20)\\d\\d))?`,
  `(?<day>[12]\\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\\s${MONTH}(?:,?\\s(?<year>(?:19|20)\\d\\d))?`,
  '(?<month>0[1-9]|1[0-2])[-/](?<day>0[1-9]|[12]\\d|3[01])(?=[ T]\\d{1,2}:\\d\\d)',
];
const EDGES = ['(?<![\\w.])', '(?![\\d:])'] as const;
const WITH_CLOCK = `(?:(?:T|,?\\s(?:at\\s)?|の|\\s?\\()?${CLOCK})?`;

const PATTERNS: readonly RegExp[] = [
  ...DAYS.map((day) => new RegExp(`${EDGES[0]}${day}${WITH_CLOCK}${EDGES[1]}`, 'gu')),
  new RegExp(`${EDGES[0]}${CLOCK}${EDGES[1]}`, 'gu'),
];

/** All times of a text, in order; none lies in another. */
export function findTimes(plain: string): readonly TextTime[] {
  let left = plain;
  const found: TextTime[] = [];
  for (const pattern of PATTERNS) {
    for (const match of left.matchAll(pattern)) {
      const start = match.index;
      found.push(readTime(match.groups ?? {}, start, start + match[0].trimEnd().length));
    }
    left = left.replaceAll(pattern, (whole) => ' '.repeat(whole.length));
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** `text` with its times as blanks. */
export function withoutTimes(plain: string, times: readonly TextTime[]): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of times) {
    rest += plain.slice(from, start) + ' '.repeat(end - start);
    from = end;
  }
  return rest + plain.slice(from);
}

function readTime(
  groups: Readonly<Record<string, string | undefined>>,
  start: number,
  end: number,
): TextTime {
  const part = (name: string): number | null => {
    const written = groups[name];
    return written === undefined ? null : Number(written);
  };
  const named = groups['name'];
  return {
    start,
    end,
    year: part('year'),
    month: named === undefined ? part('month') : MONTHS.split('|').indexOf(named.slice(0, 3)) + 1,
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    offsetMinutes: offsetOf(groups['zone']),
  };
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || /^(?:UTC|GMT|Z)$/u.test(zone)) return 0;
  if (zone === 'JST') return 540;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
}

/**
 * Whether the text means this moment, at the precision of the text. A time of day may be cut or rounded to
 * its minute.
 */
export function isTime(written: TextTime, at: Date): boolean {
  const shown = new Date(at.getTime() + written.offsetMinutes * 60_000);
  return (
    agrees(written, shown) ||
    (written.second === null && written.minute !== null && agrees(written, roundedToMinute(shown)))
  );
}

const roundedToMinute = (time: Date): Date => new Date(Math.round(time.getTime() / 60_000) * 60_000);

const agrees = ({ year, month, day, hour, minute, second }: TextTime, at: Date): boolean =>
  (year === null || year === at.getUTCFullYear()) &&
  (month === null || month === at.getUTCMonth() + 1) &&
  (day === null || day === at.getUTCDate()) &&
  (hour === null || hour === at.getUTCHours()) &&
  (minute === null || minute === at.getUTCMinutes()) &&
  (second === null || second === at.getUTCSeconds());
