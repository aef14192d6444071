/**
 * Reads periods that a question gives by dates: `since 2026-05-01`, `between 1 and 14 May`, `5月1日以降`. Days are those of
 * UTC. Periods given by their length (`last 3 weeks`, `昨日から`) are not read here.
 */

/**
 * From the beginning of one day to the end of another. ISO text; `from` null: no begin, `to` null: until now. `named` is
 * the end of a month or day that is named and not over yet.
 */
export type Period = { readonly from: string | null; readonly to: string | null; readonly named?: string };

/** A period that cannot be looked up; `text` is how the question puts it. */
export type PeriodProblem = {
  readonly problem: 'NO_SUCH_DAY' | 'BACKWARDS' | 'FUTURE' | 'NO_COOLDOWN';
  readonly text: string;
};

/**
 * The period of a clause, and the clause with its words blanked. `ends` are the periods of the two dates of a range,
 * for questions that compare one with the other.
 */
export type PeriodRead = {
  readonly period: Period | PeriodProblem | null;
  readonly ends: readonly [Period, Period] | null;
  /** The day, month or year that a `since` begins with; null for other periods. */
  readonly since: Period | null;
  /** The words of the period; empty for none. */
  readonly text: string;
  readonly rest: string;
  /** Its first day as it was written. */
  readonly day: Day | null;
};

/** Whether a period can be looked up. */
export const isPeriod = (period: Period | PeriodProblem | null): period is Period =>
  period !== null && 'from' in period;

const periodOrNull = (period: Period | PeriodProblem): Period | null => (isPeriod(period) ? period : null);

/** Whether the question names a period that cannot be looked up. */
export const isImpossible = (period: Period | PeriodProblem | null): period is PeriodProblem =>
  period !== null && 'problem' in period;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may(?! (?:i|we|you|be|have|it|not|also|need|want)\\b)|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b';
const DAY = '\\d{1,2}(?:st|nd|rd|th)?(?!\\d)';
const YEAR = '(?:,?\\s+\\d{4}\\b)?';
/** `2026-05-01`, `2026年5月1日`, `5月`, `1 May 2026`, `May 1st`, `May`. */
const DATE = [
  '\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}(?!\\d)',
  '(?:\\d{4}\\s*年\\s*)?\\d{1,2}\\s*月(?:\\s*\\d{1,2}\\s*日)?',
  `${DAY}\\s+(?:of\\s+)?${MONTH}${YEAR}`,
  `${MONTH}\\s+${DAY}${YEAR}`,
  `${MONTH}${YEAR}`,
  '(?:19|20)\\d{2}-(?:0[1-9]|1[0-2])(?![\\d-])',
  '(?:19|20)\\d{2}(?:\\s*年(?!\\s*\\d))?(?![\\d.%-]|\\s*(?:[uμnm]s|[gmk]?hz)\\b)',
].join('|');
/** In a range, one end may leave out what the other one has. */
const END = `${DATE}|\\d{1,2}\\s*日|${DAY}`;

type Shape = 'RANGE' | 'SINCE' | 'AFTER' | 'UNTIL' | 'BEFORE' | 'IN';

/** The longer ones first. */
const SHAPES: readonly (readonly [shape: Shape, pattern: RegExp])[] = (
  [
    [
      'RANGE',
      `\\b(?:between|from)\\s+(${END})\\s*(?:\\band|\\bto|\\buntil|\\btill|\\bthrough|[-–~〜])\\s*(${END})`,
    ],
    [
      'RANGE',
      `(?<![\\w-])(${END})\\s*(?:\\bto|\\bthrough|\\buntil|[-–~〜]|から)\\s*(${END})\\s*(?:まで|の間)?`,
    ],
    ['SINCE', `\\b(?:since|from)\\s+(${DATE})(?:\\s+on(?:wards?)?\\b)?|(${DATE})\\s*(?:以降|以後|から)`],
    ['AFTER', `\\bafter\\s+(${DATE})|(${DATE})\\s*より後`],
    ['UNTIL', `\\b(?:until|till|up to|through)\\s+(${DATE})|(${DATE})\\s*まで`],
    ['BEFORE', `\\bbefore\\s+(${DATE})|(${DATE})\\s*(?:以前|より前)`],
    [
      'IN',
      `\\b(?:in|during|on|of|for|within|throughout|as of|at|by)\\s+(${DATE})|\\b(?:with|than|than in|and|and in|versus|vs\\.?|against|to)\\s+(${DATE})|(?<![\\w-])(${MONTH},?\\s+\\d{4}\\b)|(?<![\\w/-])(\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}(?!\\d)|\\d[\\d年\\s]{0,12}月(?:\\s*\\d{1,2}\\s*日)?|20[012]\\d\\s*年(?!\\s*\\d)|20[012]\\d(?![\\w.%/-]|\\s*(?:[uμnm]?s|[gmk]?hz|%)(?![a-z]))|${MONTH}(?=\\s*(?:vs|versus|and|to|or|than|[?,]|$)))`,
    ],
  ] as const
).map(([shape, source]) => [shape, new RegExp(source, 'iu')]);

/** `since the last cool-down`: since the chip was cooled down. */
const SINCE_COOLDOWN =
  /\b(?:ever )?(?:since|from|after)\s+(?:the\s+|its\s+|our\s+)?(?:(?:last|latest|current|newest|most recent|present)\s+)?cool-?down(?:\s+(?:began|started))?\b|(?:最後|最新|現在|今回|直近|前回)?の?(?:冷却|クールダウン)(?:の開始)?(?:以降|以後|から)/iu;

/**
 * Reads the first two periods of a clause; the second read is the first one where there is only one. A year that is
 * said of one of them is that of the other, too: `May against June 2024`.
 */
export function readPeriods(
  clause: string,
  now: Date,
  { dataUntil = null, cooldownStart = null }: ChipTimes = {},
): readonly [first: PeriodRead, second: PeriodRead] {
  const cooldown = readCooldown(clause, cooldownStart);
  if (cooldown !== null) return [cooldown, cooldown];
  const at = { now, dataUntil: dataUntil !== null && dataUntil < now ? dataUntil : now };
  const first = readPeriod(clause, at);
  const second = first.period === null ? first : readPeriod(first.rest, at, first.day);
  if (second === first || second.period === null || first.day?.year != null) return [first, second];
  const again = readPeriod(clause, at, second.day);
  return [again, readPeriod(again.rest, at, second.day)];
}

/** When the newest value of the chip was measured, and when its cool-down began; null or absent where it is not known. */
export type ChipTimes = { readonly dataUntil?: Date | null; readonly cooldownStart?: Date | null };

function readCooldown(clause: string, start: Date | null): PeriodRead | null {
  const found = SINCE_COOLDOWN.exec(clause);
  if (found === null) return null;
  const [text] = found;
  const from = start?.toISOString();
  const dayBefore = start === null ? null : new Date(start.getTime() - 86_400_000).toISOString();
  return {
    period: from === undefined ? { problem: 'NO_COOLDOWN', text } : { from, to: null },
    ends: null,
    // Values of a chip that is being cooled down are of no use: those of the day before count.
    since: from === undefined ? null : { from: dayBefore, to: from },
    text,
    rest: clause.replace(text, '◇'.repeat(text.length)),
    day: null,
  };
}

/** The time, and that of the chip's newest value: a day without a year is one that has data. */
type Clock = { readonly now: Date; readonly dataUntil: Date };

/**
 * Reads the first period of a clause. A day without a year is the one nearest to `other`, else the newest such day that
 * is not in the future.
 */
function readPeriod(clause: string, at: Clock, other: Day | null = null): PeriodRead {
  for (const [written, pattern] of SHAPES) {
    const found = pattern.exec(clause);
    if (found === null) continue;
    const [text, ...parts] = found;
    const [first, second] = parts
      .filter((part) => part !== undefined)
      .map((part) => withYearOf(other, readDay(part)));
    const shape = written === 'SINCE' && isDateOfResults(clause, found, first) ? 'IN' : written;
    // Two numbers alone are no days: `between 1 and 14`.
    if (first === undefined || (shape === 'RANGE' && !isDated(first) && !isDated(second ?? first))) continue;
    const rest = `${clause.slice(0, found.index)}${'◇'.repeat(text.length)}${clause.slice(found.index + text.length)}`;
    const asked = { text: text.trim(), ...at };
    const pair = shape === 'RANGE' ? endsOf([first, second ?? first]) : null;
    const ends = pair?.map((day) => periodOf('IN', [day, day], asked)) ?? [];
    const [begin, end] = ends;
    return {
      period: periodOf(shape, [first, second ?? first], asked),
      ends:
        begin !== undefined && end !== undefined && isPeriod(begin) && isPeriod(end) ? [begin, end] : null,
      since:
        shape === 'SINCE' || shape === 'AFTER' ? periodOrNull(periodOf('IN', [first, first], asked)) : null,
      text: asked.text,
      rest,
      day: first,
    };
  }
  return { period: null, ends: null, since: null, text: '', rest: clause, day: null };
}

/** `results from January 2025` are those of that month; `T1 from 5 January on`, and a course from then, have no end. */
function isDateOfResults(clause: string, { 0: text, index }: RegExpExecArray, day: Day | undefined): boolean {
  const [before, after] = [clause.slice(0, index), clause.slice(index + text.length)];
  if (!/^from\b/iu.test(text) || /\son(?:wards?)?$/iu.test(text) || OPEN_END.test(after)) return false;
  const isOfCourse = isOfMoves(clause) || COURSE.test(clause);
  return OF_RESULTS.test(before) || (day?.day === null && before.trim() !== '' && !isOfCourse);
}
const OPEN_END = /^\s*,?\s*(?:forwards?|until|till|up to|through|to (?:now|today|date)|(?:and|or) later)\b/iu;
const OF_RESULTS =
  /\b(?:results?|values?|data|measurements?|readings?|numbers?|figures?|snapshots?|calibrations?|runs?|records?)\s+$/iu;
const COURSE =
  /\b(?:trends?|history|course|evol\w*|develop\w*|over time|plot|chart|graph|drift\w*|happened)\b/iu;

/** The months of a year, as a number that grows with time. */
const monthsOf = (year: number, month: number): number => 12 * year + month;

/** A month that says no year, in the year that brings it nearest to another month. */
function withYearOf(other: Day | null, day: Day): Day {
  const { year = null, month = null } = other ?? {};
  if (day.year !== null || day.month === null || year === null) return day;
  const own = day.month;
  const distance = (candidate: number) => Math.abs(monthsOf(candidate, own) - monthsOf(year, month ?? own));
  const [nearest = year] = [year, year - 1, year + 1].toSorted((a, b) => distance(a) - distance(b));
  return { ...day, year: nearest };
}

const isDated = ({ year, month }: Day): boolean => month !== null || year !== null;

/** Parts of a date as they were written; null for those that were not. */
type Day = { readonly year: number | null; readonly month: number | null; readonly day: number | null };

function readDay(text: string): Day {
  const [, year, numbered, ofMonth] =
    /^(?:(\d{4})\s*[-/年]\s*)?(\d{1,2})\s*[-/月]\s*(\d{1,2})?/u.exec(text) ?? [];
  if (numbered !== undefined) {
    return { year: numberOr(year), month: Number(numbered), day: numberOr(ofMonth) };
  }
  const [, ofYear, monthly] = /^(\d{4})-(\d\d)$/u.exec(text) ?? [];
  if (ofYear !== undefined) return { year: Number(ofYear), month: Number(monthly), day: null };
  const ofYearAlone = /^(\d{4})\s*年?$/u.exec(text)?.[1];
  if (ofYearAlone !== undefined) return { year: Number(ofYearAlone), month: null, day: null };
  const named = /[a-z]{3,}/iu.exec(text)?.[0].slice(0, 3).toLowerCase() ?? '';
  const month = MONTHS.indexOf(named) + 1;
  return {
    year: numberOr(/\b\d{4}\b/u.exec(text)?.[0]),
    month: month === 0 ? null : month,
    day: numberOr(/(?<!\d)\d{1,2}(?!\d)/u.exec(text)?.[0]),
  };
}

const numberOr = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

function periodOf(
  shape: Shape,
  days: readonly [Day, Day],
  { text, now, dataUntil }: Clock & { readonly text: string },
): Period | PeriodProblem {
  const refuse = (problem: PeriodProblem['problem']): PeriodProblem => ({ problem, text });
  const [first, last] = shape === 'RANGE' ? endsOf(days) : days;
  const begun = first.year ?? newestYear(first, dataUntil);
  const begin = begun === null ? null : dayIn(first, begun);
  const isOver = first.year === null && (last.month ?? 0) < (first.month ?? 0);
  const end = begun === null ? null : dayIn(last, last.year ?? (isOver ? begun + 1 : begun));
  if (begin === null || end === null) return refuse('NO_SUCH_DAY');
  const until = end.next >= now ? null : end.next.toISOString();
  switch (shape) {
    case 'UNTIL':
      return { from: null, to: until };
    case 'BEFORE':
      return { from: null, to: begin.from >= now ? null : begin.from.toISOString() };
    case 'AFTER':
    case 'SINCE': {
      const from = shape === 'AFTER' ? begin.next : begin.from;
      return from > now ? refuse('FUTURE') : { from: from.toISOString(), to: null };
    }
    case 'RANGE':
    case 'IN':
      if (end.next <= begin.from) return refuse('BACKWARDS');
      if (begin.from > now) return refuse('FUTURE');
      return {
        from: begin.from.toISOString(),
        to: until,
        ...(until === null ? { named: end.next.toISOString() } : {}),
      };
    default:
      return shape satisfies never;
  }
}

/** Each end completed by the other one: `1 and 14 May`, `May 1 to 14`, `5月1日から14日`. */
function endsOf([first, last]: readonly [Day, Day]): readonly [Day, Day] {
  const month = { first: first.month ?? last.month, last: last.month ?? first.month };
  const isOver = (month.last ?? 0) < (month.first ?? 0);
  const begun = first.year ?? (last.year === null ? null : last.year - (isOver ? 1 : 0));
  return [
    { ...first, month: month.first, year: begun },
    { ...last, month: month.last, year: last.year ?? (begun === null ? null : begun + (isOver ? 1 : 0)) },
  ];
}

/** A year with 29 February is among any eight that follow each other, but for turns of centuries. */
const YEARS = 9;

function newestYear(day: Day, now: Date): number | null {
  const years = Array.from({ length: YEARS }, (_, ago) => now.getUTCFullYear() - ago);
  return years.find((year) => (dayIn(day, year)?.from ?? Infinity) <= now) ?? null;
}

/** The beginning of the day (of the month, without a day) and of the next one; null for one that does not exist. */
function dayIn({ month, day }: Day, year: number): { readonly from: Date; readonly next: Date } | null {
  if (month === null) {
    const isYear = day === null && year > 0;
    return isYear ? { from: new Date(Date.UTC(year, 0, 1)), next: new Date(Date.UTC(year + 1, 0, 1)) } : null;
  }
  const from = new Date(Date.UTC(year, month - 1, day ?? 1));
  if (from.getUTCMonth() !== month - 1 || (day ?? 1) !== from.getUTCDate()) return null;
  return { from, next: new Date(day === null ? Date.UTC(year, month, 1) : from.getTime() + 86_400_000) };
}

/** A period, and the earlier one that it is to be compared with. */
export type Compared = { readonly period: Period | PeriodProblem | null; readonly before: Period | null };

const COMPARED =
  /\bcompar|\bdiffer|\bversus\b|\bvs\b|\bthan\b|\bagainst\b|\bwhat(?:'s| has| have| is| all)? (?:changed|moved|is new)|\b(?:appear|disappear|(?:newly )?disabled|enabled|gone|biggest|largest|most|least)|\bhow much\b|比較|比べ|違い|何が変|一番|最も|幅が/iu;
/** `was it better in May`, `is it better than in May`. */
const LESS_OR_MORE = /\b(?:was|were|is|are)\b.{0,200}\b(?:better|worse|higher|lower|longer|shorter)\b/iu;
const saysNow = (clause: string): boolean =>
  COMPARED.test(clause) &&
  /\b(?:now|today|current(?:ly)?|at present|these days)\b|現在|今(?!週|月|年)/iu.test(clause);

/** Words for values that moved. */
export const MOVED =
  /\bchang|\bimprov|\bbetter|\bworse|\bdeclin|\bde?grad|\bdeteriorat|\bmov(?:e|ed|ing)\b|\bgain|\blos[ts]|\blose|\bfell\b|\bfall|\bdrop|\bgr[eo]w|\brose\b|\bris(?:e|en)\b|\b(?:in|de)creas|\bshift|\bjump|\bwent (?:up|down)|\bstay|変化|変わ|悪化|劣化|改善|低下|上が|下が|落ち|伸び|増え|減/iu;

/** Whether a clause is about how values moved. */
export const isOfMoves = (clause: string): boolean => MOVED.test(clause);

/** Two dates are compared with each other where the question has a word for that; else they are the ends of one period. */
export function comparedPeriods(clause: string, first: PeriodRead, second: PeriodRead): Compared {
  const inOrder = (a: Period, b: Period): Compared =>
    (a.from ?? '') <= (b.from ?? '') ? { period: b, before: a } : { period: a, before: b };
  const isCompared = COMPARED.test(clause) || isOfMoves(clause);
  if (second !== first && isPeriod(first.period) && isPeriod(second.period)) {
    return inOrder(first.period, second.period);
  }
  if (first.ends !== null && isCompared && isPeriod(first.period)) return inOrder(...first.ends);
  return { period: isImpossible(second.period) ? second.period : first.period, before: null };
}

/** `since May`, `2021 against now`: a period in the past against the current values; else what was compared already. */
export function againstNow(clause: string, said: PeriodRead, compared: Compared): Compared {
  const { period, before } = compared;
  if (before !== null || !isPeriod(period) || period.from === null || said.ends !== null) return compared;
  const isMove = isOfMoves(clause) || COMPARED.test(clause);
  if (said.since !== null && isMove) {
    // Of what is not over yet, its first day.
    const to = said.since.to ?? new Date(Date.parse(said.since.from ?? '') + 86_400_000).toISOString();
    return { period: { from: to, to: null }, before: { from: said.since.from, to } };
  }
  const isPast = period.to !== null && (saysNow(clause) || LESS_OR_MORE.test(clause));
  return isPast ? { period: { from: period.to, to: null }, before: period } : compared;
}
