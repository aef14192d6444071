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
  dataIn,
  foundIn,
  keyOf,
  planned,
  type Answers,
  type Found,
  type PlannedCall,
} from '../shared/tool-answers.ts';
import { historyOf, isErrorOf } from './calls.ts';
import type { AnswerWords } from './messages.ts';
import { periodName } from './times-text.ts';
import { isOfTwoStates, keysIn, printedBy } from './two-times.ts';

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
  const figuresOf = (keys: readonly (readonly string[])[]): PlannedCall =>
    planned('execute_python_analysis', { code: courseProgram(keys, windows, ask.isError) });
  const own = figuresOf(read.map(({ data_key: key }) => [key]));
  const found = courses.safeParse(printedBy(own, answers)).data ?? [];
  const from = windows[0]?.from ?? null;
  const isEmpty = found.some(({ parts }) => parts.some((each) => each.windows[0]?.count === 0));
  if (from === null || !isEmpty) return own;
  const before = read.map(({ parameter_name: metric }) =>
    historyOf({ ...ask, lastN: 1 }, metric, { from: null, to: from }),
  );
  const open = before.find((call) => !answers.has(keyOf(call)));
  const keys = read.map(({ data_key: key }, at) => [
    key,
    ...keysIn(before.slice(at, at + 1).map((call) => foundIn(answers, call)?.data)),
  ]);
  return open ?? figuresOf(keys);
}

/** `keys`: of each parameter its history, and the results before it. */
const courseProgram = (
  keys: readonly (readonly string[])[],
  windows: readonly Period[],
  isError: boolean,
): string => `
import json, statistics
short = lambda v: float(f"{v:.12g}")
at = lambda p: None if p is None else [short(p[1]), p[0]]
def figures(points, begin, end):
    own = [p for p in points if (begin is None or p[0] >= begin) and (end is None or p[0] < end)]
    if not own:
        earlier = [p for p in points if begin is not None and p[0] < begin]
        return {"count": 0, "earlier": at(earlier[-1] if earlier else None)}
    values = [v for _, v in own]
    ends = sorted(own, key=lambda p: p[1])
    return {
        "count": len(own), "low": at(ends[0]), "high": at(ends[-1]), "first": at(own[0]), "last": at(own[-1]),
        "lows": sum(v == ends[0][1] for v in values) - 1, "highs": sum(v == ends[-1][1] for v in values) - 1,
        "points": [at(p) for p in own[-${MOST_LISTED}:]],
        "mean": short(statistics.mean(values)), "median": short(statistics.median(values)),
        "stdev": short(statistics.stdev(values)) if len(own) > 1 else None,
    }
def course(kept, before=None):
    flip = ${isError ? 'kept["parameter_name"].endswith("fidelity")' : 'False'}
    whole = 100 if kept["display_unit"] == "%" else 1
    by = {}
    for p in (before["timeseries"] if before else []) + kept["timeseries"]:
        if isinstance(p["v"], (int, float)):
            v = p["v"] * kept["scale"]
            by.setdefault(p["qid"], []).append((p["t"], whole - v if flip else v))
    parts = [e["qid"] for e in kept.get("qubits", kept.get("couplings", []))]
    return {"metric": kept["parameter_name"], "unit": kept["display_unit"], "parts": [
        {"qid": q, "results": sum(p["qid"] == q for p in kept["timeseries"]), "oldest": by[q][0][0] if q in by else None,
         "windows": [figures(by.get(q, []), a, b) for a, b in windows]} for q in parts]}
windows = json.loads(${JSON.stringify(JSON.stringify(windows.map(({ from, to }) => [from, to])))})
result = {"output": json.dumps([course(*(data[k] for k in own)) for own in ${JSON.stringify(keys)}])}
`;

const value = z.tuple([z.number(), z.string()]);
const unmeasured = z.object({ count: z.literal(0), earlier: value.nullable() });
const figures = z.object({
  count: z.number(),
  low: value,
  high: value,
  lows: z.number(),
  highs: z.number(),
  first: value,
  last: value,
  points: z.array(value),
  mean: z.number(),
  median: z.number(),
  stdev: z.number().nullable(),
});
const inWindow = z.union([unmeasured, figures]);
type InWindow = z.infer<typeof inWindow>;
const part = z.object({
  qid: z.string(),
  results: z.number(),
  oldest: z.string().nullable(),
  windows: z.array(inWindow),
});
const courses = z.array(z.object({ metric: z.string(), unit: z.string(), parts: z.array(part) }));

const chipOf = z.object({ chip_id: z.string() });

const timeOf = (at: string): string => formatTime(new Date(at));

/** What the program of {@link courseCall} found, in words; null where it did not run. */
export function courseText(
  ask: Ask,
  call: PlannedCall | null,
  answers: Answers,
  histories: readonly Found[],
  words: AnswerWords,
): string | null {
  const { t } = words;
  const read = courses.safeParse(printedBy(call, answers)).data;
  if (read === undefined) return null;
  const windows = windowsOf(ask);
  const names = windows.map(
    (window) => periodName(window) ?? (ask.before === null ? t('allTime', { lastN: ask.lastN }) : t('now')),
  );
  const texts = read.map(({ metric, unit, parts }, index) => {
    const show = (each: number): string => formatQuantity(each, unit);
    const shown = ([own, at]: z.infer<typeof value>): string => `${show(own)} (${timeOf(at)})`;
    const textIn = (own: InWindow, when: string): string => {
      if (!('last' in own))
        return t('course.none', { when, earlier: own.earlier === null ? '' : shown(own.earlier) });
      const { count, lows, highs, points } = own;
      const { type } = ask.statistic ?? {};
      if (type === 'mean' || type === 'median' || type === 'stdev') {
        const figure = own[type];
        return t('course.figure', { count, type: t(type), value: figure === null ? '–' : show(figure) });
      }
      const [low, high, first, last] = [own.low, own.high, own.first, own.last].map(shown);
      if (count === 1) return shown(own.last);
      if (ask.said.when !== undefined && ask.said.order !== undefined) {
        const isLowest = endOf(ask.order, { metric, isError: ask.isError }) === 'lowest';
        const [end, ties] = isLowest ? [low, lows] : [high, highs];
        return t('course.extreme', { count, end, ties, isLowest });
      }
      const isListed = ask.count !== null || ask.said.listed !== undefined;
      const isCut = isListed && count > MOST_LISTED;
      const list = isListed && !isCut ? points.map(shown) : [];
      return t('course.range', {
        isCut,
        count,
        mean: show(own.mean),
        low,
        high,
        lows,
        highs,
        first,
        last,
        list,
      });
    };
    const lastOf = (own: InWindow | undefined) =>
      own === undefined ? null : 'last' in own ? own.last : own.earlier;
    const difference = ([was, is]: readonly InWindow[]): string => {
      const [a, b] = [lastOf(was), lastOf(is)];
      if (a === null || b === null || ask.statistic !== null) return '';
      if (a[1] === b[1]) return t('course.same');
      const moved = b[0] - a[0];
      const isLower = endOf('best', { metric, isError: ask.isError }) === 'lowest';
      const verdict = moved === 0 || isNeutral(metric) ? '' : t(moved < 0 === isLower ? 'better' : 'worse');
      return t('course.difference', { moved: `${moved < 0 ? '−' : '+'}${show(Math.abs(moved))}`, verdict });
    };
    const lines = parts.map(({ qid, results, oldest, windows: found }) => {
      const label = qidLabel(qid, 0);
      const begin = windows[0]?.from ?? null;
      const isAll = ask.lastN !== null || results < MOST_RESULTS;
      if (!isAll && oldest !== null && (begin ?? '') < oldest)
        return t('course.cut', { label, results, oldest: timeOf(oldest) });
      const each = found.map((own, at) => {
        const when = names[at] ?? '';
        return windows.length > 1 ? `${when}: ${textIn(own, when)}` : textIn(own, when);
      });
      return `${label}: ${each.join('; ')}${difference(found)}`;
    });
    const { data: fetched, formattedSummary = metric } = histories[index] ?? {};
    const [head = metric] = formattedSummary.split(/ (?:of .*)?on /u);
    const chip = chipOf.safeParse(fetched).data?.chip_id ?? '';
    const title = isErrorOf(ask, metric) ? head.replace(/Fidelity$/u, 'Error') : head;
    return headedList([t('course.head', { title, chip, when: names }), ...lines]);
  });
  return texts.join('\n\n');
}
