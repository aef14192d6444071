/** What the values of a named period, or of two times, say: figures, values of parts, and a ranking by change. */
import { isPeriod, type Period } from '../../domain/questions/period.ts';
import { front, ranked } from '../../domain/claims/ranked.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { endOf } from '../../domain/questions/order.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { headedList } from '../shared/text.ts';
import { isErrorOf, titleFor } from './calls.ts';
import type { AnswerWords } from './messages.ts';
import type { Figures, Times, TimesRow } from './two-times.ts';

/** Parts that are listed where the question says no number. */
const DEFAULT_COUNT = 5;
/** Up to so many named parts are listed one by one. */
const FEW_PARTS = 16;

/** `2025-01-22`, `2025-01`, `2021`, `2025-01-03 – 2025-01-09`; null where nothing bounds it. */
export function periodName(period: Period | null): string | null {
  const { from = null, to: end = null, named = null } = period ?? {};
  const to = end ?? named;
  if (from === null) return to === null ? null : `– ${lastDay(to)}`;
  const day = from.slice(0, 10);
  if (to === null) return `${day} –`;
  const last = lastDay(to);
  if (last === day) return day;
  const isFirst = [from, to].every((at) => /-01T00:00:00/u.test(at));
  if (isFirst && last === `${day.slice(0, 4)}-12-31` && day.slice(5, 7) === '01') return day.slice(0, 4);
  return isFirst && last.startsWith(day.slice(0, 7)) ? day.slice(0, 7) : `${day} – ${last}`;
}

const lastDay = (to: string): string => new Date(Date.parse(to) - 1).toISOString().slice(0, 10);

type Writing = {
  readonly ask: Ask;
  readonly words: AnswerWords;
  readonly chip: string;
  readonly title: string;
  readonly when: readonly [before: string, after: string];
  /** In the quantity that was asked for, which may be an error. */
  readonly show: (value: number | null) => string;
  readonly better: (difference: number) => boolean | null;
};

/** The text of one parameter. */
export function timesText(ask: Ask, written: Times, chip: string, words: AnswerWords): string {
  const isError = isErrorOf(ask, written.metric);
  const times = isError ? asErrors(written) : written;
  const way = directionIn(times.rows);
  const period = isPeriod(ask.period) ? ask.period : null;
  const writing: Writing = {
    ask,
    words,
    chip,
    title: titleFor(ask, written.metric, written.title),
    when: [
      periodName(ask.before ?? period) ?? words.t('windowBefore'),
      isPeriod(ask.period) && ask.period.to !== null ? (periodName(period) ?? '') : words.t('now'),
    ],
    show: (value) => formatQuantity(value, times.unit),
    better: (difference) => (difference === 0 || way === null ? null : difference > 0 === way),
  };
  // A window up to now is compared with the one before it.
  return ask.before === null && ask.period !== null ? onePeriod(times, writing) : twoTimes(times, writing);
}

/** Whether more is better, as the rows say; null where neither is, or none says. */
function directionIn(rows: readonly TimesRow[]): boolean | null {
  const [first] = rows.flatMap(({ before, after, better }) =>
    before === null || after === null || better === null || before === after
      ? []
      : [after > before === better],
  );
  return first ?? null;
}

const asErrors = (times: Times): Times => {
  const flipped = (value: number | null): number | null =>
    value === null ? null : Number(((times.unit === '%' ? 100 : 1) - value).toPrecision(12));
  const ofFigures = ({ count, mean, median }: Figures): Figures => ({
    count,
    mean: flipped(mean),
    median: flipped(median),
  });
  const { rows, before, after } = times;
  return {
    ...times,
    rows: rows.map((row) => ({ ...row, before: flipped(row.before), after: flipped(row.after) })),
    before: ofFigures(before),
    after: ofFigures(after),
  };
};

/** Of one period: its figures, or the values of parts in order. */
function onePeriod(times: Times, { ask, words, chip, title, when: [when], show }: Writing): string {
  const rows = times.rows.flatMap(({ label, after: value }) => (value === null ? [] : [{ label, value }]));
  const { hasSeveral: isLast, after: own } = times;
  if (rows.length === 0) return words.t('noneInPeriod', { title, chip, when });
  const isRanked = ask.said.order !== undefined;
  if (isLast && (isRanked || ask.statistic !== null)) {
    return words.t('severalResults', { title, chip, when });
  }
  const order = endOf(ask.order, { metric: times.metric, isError: ask.isError });
  const claim = ranked(rows, { order, descending: order === 'highest', by: ({ value }) => value });
  const { shown, tiedBehind: ties } = front(claim, ask.count ?? (isRanked ? DEFAULT_COUNT : FEW_PARTS));
  const list = words.t('periodList', {
    list: shown.map(({ row }) => `${row.label} ${show(row.value)}`),
    ties,
  });
  const head = { title, chip, when, isLast, count: rows.length, end: isRanked ? order : '' };
  if (isRanked) return `${words.t('periodHead', head)} ${list}`;
  const only = ask.statistic?.type ?? '';
  const figures = { count: own.count, median: show(own.median), mean: show(own.mean), only };
  return [
    words.t('periodHead', head),
    words.t('figures', figures),
    ...(ask.said.listed === undefined ? [] : [words.t('daysShown')]),
    ...(rows.length <= FEW_PARTS && ask.statistic === null ? [list] : []),
  ].join(' ');
}

function twoTimes(times: Times, writing: Writing): string {
  const { ask, words, chip, title, when } = writing;
  const moved = times.rows.filter(({ before, after }) => before !== null && after !== null);
  const head = words.t('timesHead', { title, chip, first: when[0], second: when[1] });
  if (ask.kind === 'states') return headedList([head, ...turnedLines(times, writing)]);
  const isMissing = times.isOfStates ? times.before.count === 0 : moved.length === 0;
  if (isMissing && (ask.kind === 'changes' || times.before.median === null || times.after.median === null)) {
    const without = when.filter((_, at) => [times.before, times.after][at]?.median === null);
    return without.length > 0
      ? words.t('noneInPeriod', { title, chip, when: without.join(', ') })
      : words.t('noneInBoth', { title, chip, first: when[0], second: when[1] });
  }
  return headedList([
    head,
    ...figureLines(times, writing),
    ...changeLines({ ...times, rows: moved }, writing),
  ]);
}

/** `136.5 μs (2025-01-22), 144.9 μs (2025-02-26): +8.40 μs, better`. */
function moveText(
  { before, after }: Pick<TimesRow, 'before' | 'after'>,
  { show, when, better, words }: Writing,
): string {
  const values = `${show(before)} (${when[0]}), ${show(after)} (${when[1]})`;
  if (before === null || after === null) return values;
  const difference = after - before;
  const verdict = better(difference);
  const judged = verdict === null ? '' : `, ${words.t(verdict ? 'better' : 'worse')}`;
  return `${values}: ${signed(difference, show)}${judged}`;
}

/** `+8.40 μs`. */
export const signed = (difference: number, show: (value: number) => string): string =>
  `${difference < 0 ? '−' : '+'}${show(Math.abs(difference))}`;

/** Medians, or means, over the parts of each time. */
function figureLines({ before, after }: Times, writing: Writing): readonly string[] {
  const { ask, words } = writing;
  const type = ask.statistic?.type === 'mean' && before.mean !== null ? 'mean' : 'median';
  if (ask.kind === 'changes' && ask.statistic === null) return [];
  const counts = words.t('counts', {
    before: before.count,
    after: after.count,
    same: before.count === after.count,
  });
  return [`${words.t(type)} ${counts}: ${moveText({ before: before[type], after: after[type] }, writing)}`];
}

/** The parts by how much they changed; of a question for losses or gains only those. */
function changeLines({ isOfStates, isPaired, before, rows }: Times, writing: Writing): readonly string[] {
  const { ask, words, better } = writing;
  if (ask.statistic !== null && ask.kind !== 'changes') return [];
  const moves = rows.flatMap((row) =>
    row.before === null || row.after === null || row.before === row.after
      ? []
      : [{ row, difference: row.after - row.before }],
  );
  const isAsked = ({ difference }: { readonly difference: number }): boolean => {
    if (ask.direction === 'up' || ask.direction === 'down')
      return difference > 0 === (ask.direction === 'up');
    return ask.direction === 'any' || better(difference) === (ask.direction === 'better');
  };
  const descending = ask.order !== 'lowest';
  const fitting = moves.filter(isAsked);
  const claim = ranked(fitting, {
    order: descending ? 'largest change' : 'smallest change',
    descending,
    by: ({ difference }) => Math.abs(difference),
  });
  const summary = words.t('moved', {
    all: !isOfStates ? rows.length : isPaired ? 0 : before.count,
    judged: moves.some(({ difference }) => better(difference) !== null),
    count: fitting.length,
    isLargest: claim.descending,
    direction: ask.direction,
    better: moves.filter(({ difference }) => better(difference) === true).length,
    worse: moves.filter(({ difference }) => better(difference) === false).length,
  });
  const { shown, tiedBehind: ties } = front(claim, ask.count ?? DEFAULT_COUNT);
  const more = fitting.length - shown.length;
  return [
    summary,
    ...shown.map(({ row: { row } }) => `${row.label}: ${moveText(row, writing)}`),
    ...(more > 0 && (ask.count !== 1 || ties > 0) ? [words.t('andMore', { more, ties })] : []),
  ];
}

/** Which parts were disabled or enabled in between. */
const turnedLines = ({ rows }: Times, { ask, words }: Writing): readonly string[] =>
  (
    [
      ['disabled', 'turnedOff', 'Working'],
      ['enabled', 'turnedOn', 'Disabled'],
    ] as const
  ).flatMap(([change, line, other]) => {
    const parts = rows.flatMap((row) => (row.change === change ? [row.label] : []));
    return ask.state === other ? [] : [words.t(line, { count: parts.length, parts })];
  });
