/** What was measured of named parts in periods: every result of it, not only what stood at the end. */
import { z } from 'zod';
import { isPeriod, type Period } from '../../domain/questions/period.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { endOf } from '../../domain/questions/order.ts';
import { qidLabel } from '../../domain/qid.ts';
import { isNeutral } from '../../domain/questions/vocabulary.ts';
import { formatQuantity, formatTime } from '../../domain/text/display-text.ts';
import { headedList } from '../shared/text.ts';
import {
  chipIdIn,
  dataIn,
  foundIn,
  keyIn,
  keyOf,
  type Answers,
  type Found,
  type PlannedCall,
} from '../shared/tool-answers.ts';
import { historyOf, titleFor } from './calls.ts';
import type { AnswerWords } from './messages.ts';
import { programCalls } from './python.ts';
import { periodName, signed } from './times-text.ts';
import { isOfTwoStates, printedBy } from './two-times.ts';

/** The most results of a part that a tool gives. */
const MOST_RESULTS = 200;
/** Up to so many results are listed one by one. */
const MOST_LISTED = 40;

/** Whether an ask is about the results of named parts in time. */
export function isCourse(ask: Ask): boolean {
  const { kind, qids, metrics, period, before, statistic } = ask;
  if (qids.length === 0 || (metrics.length === 0 && isOfTwoStates(ask))) return false;
  return kind === 'periods' || (kind === 'changes' && before === null)
    ? isPeriod(period)
    : kind === 'trend' && statistic !== null;
}

/** Whether a statistic is one of those that a course is summed up by. */
export const isCourseFigure = (statistic: Ask['statistic']): boolean =>
  /^(?:mean|median|stdev)$/u.test(statistic?.type ?? '');

const windowsOf = ({ period, before }: Ask): readonly Period[] => [
  ...(before === null ? [] : [before]),
  isPeriod(period) ? period : { from: null, to: null },
];

/** The results of the time that an ask is about, from the begin of its first window to the end of its last. */
export const resultsOf = (ask: Ask, metric: string): PlannedCall =>
  historyOf({ ...ask, lastN: ask.lastN ?? MOST_RESULTS }, metric, {
    from: windowsOf(ask)[0]?.from ?? null,
    to: windowsOf(ask).at(-1)?.to ?? null,
  });

const program = programCalls('course');
const history = z.object({ parameter_name: z.string(), data_key: z.string() });

/**
 * Figures of the kept histories; of a part without a result in the first window again with the one before it. Null
 * while a history is open.
 */
export function courseCall(ask: Ask, calls: readonly PlannedCall[], answers: Answers): PlannedCall | null {
  if (calls.some((call) => !answers.has(keyOf(call)))) return null;
  const read = calls.flatMap((call) => dataIn(answers, call, history) ?? []);
  if (read.length === 0) return null;
  const windows = windowsOf(ask);
  /** `keys`: of each parameter its history, and the results before it. */
  const figuresOf = (keys: readonly (readonly string[])[]): PlannedCall =>
    program({
      KEYS: JSON.stringify(keys),
      WINDOWS: JSON.stringify(JSON.stringify(windows.map(({ from, to }) => [from, to]))),
      IS_ERROR: ask.isError ? 'kept["parameter_name"].endswith("fidelity")' : 'False',
      MOST_LISTED,
    });
  const own = figuresOf(read.map(({ data_key: key }) => [key]));
  const found = courses.safeParse(printedBy(own, answers)).data ?? [];
  const from = windows[0]?.from ?? null;
  const isEmpty = found.some(({ parts }) => parts.some((each) => each.windows[0]?.count === 0));
  if (from === null || !isEmpty) return own;
  const before = read.map(({ parameter_name: metric }) =>
    historyOf({ ...ask, lastN: 1 }, metric, { from: null, to: from }),
  );
  const open = before.find((call) => !answers.has(keyOf(call)));
  const kept = before.map((call) => keyIn(foundIn(answers, call)?.data) ?? []);
  const keys = read.map(({ data_key: key }, at) => [key, ...[kept[at] ?? []].flat()]);
  return open ?? figuresOf(keys);
}

/** A value in display scale, and its time. */
const value = z.tuple([z.number(), z.string()]);
const measured = z.object({
  count: z.number(),
  low: value,
  high: value,
  /** How many more results have the lowest value, or the highest. */
  lows: z.number(),
  highs: z.number(),
  first: value,
  last: value,
  points: z.array(value),
  mean: z.number(),
  median: z.number(),
  stdev: z.number().nullable(),
});
const unmeasured = z.object({ count: z.literal(0), earlier: value.nullable() });
const inWindow = z.union([unmeasured, measured]);
type InWindow = z.infer<typeof inWindow>;
const part = z.object({
  qid: z.string(),
  results: z.number(),
  oldest: z.string().nullable(),
  windows: z.array(inWindow),
});
const courses = z.array(z.object({ metric: z.string(), unit: z.string(), parts: z.array(part) }));

/** Of a history; one that was kept before has no size. */
const sized = z.object({ chip_size: z.number().default(0) }).catch({ chip_size: 0 });

const timeOf = (at: string): string => formatTime(new Date(at));

/** What the program of {@link courseCall} found, in words; null where it did not run. */
export function courseText(
  ask: Ask,
  call: PlannedCall | null,
  answers: Answers,
  histories: readonly Found[],
  { t }: AnswerWords,
): string | null {
  const read = courses.safeParse(printedBy(call, answers)).data;
  if (read === undefined) return null;
  const names = windowsOf(ask).map(
    (window) => periodName(window) ?? (ask.before === null ? t('allTime', { lastN: ask.lastN }) : t('now')),
  );
  const texts = read.map(({ metric, unit, parts }, index) => {
    const { data, formattedSummary = metric } = histories[index] ?? {};
    const [head = metric] = formattedSummary.split(/ (?:of .*)?on /u);
    const title = titleFor(ask, metric, head);
    const { chip_size: size } = sized.parse(data);
    const writing = { ask, metric, names, t, size, show: (each: number) => formatQuantity(each, unit) };
    const lines = parts.map((each) => partLine(each, writing));
    return headedList([t('course.head', { title, chip: chipIdIn(data), when: names }), ...lines]);
  });
  return texts.join('\n\n');
}

/** What the lines of one parameter are written with; `names` are those of the windows. */
type Writing = Pick<AnswerWords, 't'> & {
  readonly ask: Ask;
  readonly metric: string;
  readonly names: readonly string[];
  /** Qubits of the chip, for labels. */
  readonly size: number;
  readonly show: (value: number) => string;
};

/** `Q03: 5 results, mean …`, of each window. */
function partLine({ qid, results, oldest, windows }: z.infer<typeof part>, writing: Writing): string {
  const { ask, names, size, t } = writing;
  const label = qidLabel(qid, size);
  const from = windowsOf(ask)[0]?.from ?? '';
  const isCut = ask.lastN === null && results >= MOST_RESULTS && oldest !== null && from < oldest;
  if (isCut) return t('course.cut', { label, results, oldest: timeOf(oldest) });
  const texts = windows.map((each, at) => {
    const when = names[at] ?? '';
    return names.length > 1 ? `${when}: ${windowText(each, when, writing)}` : windowText(each, when, writing);
  });
  return `${label}: ${texts.join('; ')}${differenceText(windows, writing)}`;
}

/** The results of one window: a figure, an end of their order, or their range. */
function windowText(own: InWindow, when: string, { ask, metric, show, t }: Writing): string {
  const shown = ([each, at]: z.infer<typeof value>): string => `${show(each)} (${timeOf(at)})`;
  if (!('last' in own))
    return t('course.none', { when, earlier: own.earlier === null ? '' : shown(own.earlier) });
  const { count, lows, highs, points } = own;
  const { type } = ask.statistic ?? {};
  if (type === 'mean' || type === 'median' || type === 'stdev') {
    const figure = own[type];
    return t('course.figure', { count, type: t(type), value: figure === null ? '–' : show(figure) });
  }
  if (count === 1) return shown(own.last);
  const [low, high, first, last] = [own.low, own.high, own.first, own.last].map(shown);
  if (ask.said.when !== undefined && ask.said.order !== undefined) {
    const isLowest = endOf(ask.order, { metric, isError: ask.isError }) === 'lowest';
    const [end, ties] = isLowest ? [low, lows] : [high, highs];
    return t('course.extreme', { count, end, ties, isLowest });
  }
  const isListed = ask.count !== null || ask.said.listed !== undefined;
  const isCut = isListed && count > MOST_LISTED;
  const list = isListed && !isCut ? points.map(shown) : [];
  const mean = show(own.mean);
  return t('course.range', { isCut, count, mean, low, high, lows, highs, first, last, list });
}

/** From the last value of the one window to that of the other. */
function differenceText([was, is]: readonly InWindow[], { ask, metric, show, t }: Writing): string {
  const lastOf = (own: InWindow | undefined) =>
    own === undefined ? null : 'last' in own ? own.last : own.earlier;
  const [before, after] = [lastOf(was), lastOf(is)];
  if (before === null || after === null || ask.statistic !== null) return '';
  if (before[1] === after[1]) return t('course.same');
  const difference = after[0] - before[0];
  const isLower = endOf('best', { metric, isError: ask.isError }) === 'lowest';
  const verdict =
    difference === 0 || isNeutral(metric) ? '' : t(difference < 0 === isLower ? 'better' : 'worse');
  return t('course.difference', { moved: signed(difference, show), verdict });
}
