/** Values in a period that the question names, or at two times: the calls for them, and what these answered. */
import { z } from 'zod';
import { isPeriod, type Period } from '../../domain/questions/period.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { twinOf } from '../../domain/qid.ts';
import { foundIn, keyIn, planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { programCalls } from './python.ts';

const DAY_MS = 86_400_000;

/** Whether whole states of the chip are compared, so that parts that were not measured again count, too. */
export function isOfTwoStates({ period, before, metrics, kind }: Ask): boolean {
  if (!isPeriod(period)) return false;
  if (before === null) return isDay(period) && kind === 'changes' && metrics.length === 0;
  return metrics.length === 0 || kind === 'states' || period.to === null || (isDay(before) && isDay(period));
}

const isDay = ({ from, to }: Period): boolean =>
  from !== null && (to === null || Date.parse(to) - Date.parse(from) <= DAY_MS);

/** The whole chip at the ends of two periods, or of one. */
export function snapshotsOf({ chipId: chip_id, qids, metrics, period, before }: Ask): PlannedCall {
  const { from, to } = isPeriod(period) ? period : { from: null, to: null };
  return planned('compare_snapshots', {
    chip_id,
    // Of a single day what it changed: from its beginning to its end.
    from: endOf(before === null ? from : (before.to ?? from ?? to)),
    to: endOf(to),
    param_names: metrics.length > 0 ? metrics : null,
    qids: qids.length > 0 ? qids : null,
  });
}

/** The last moment before `next`: what was measured at midnight belongs to the day that begins. */
const endOf = (next: string | null): string | null =>
  next === null ? null : new Date(Date.parse(next) - 1).toISOString();

const twoTimes = programCalls('two_times');

/** The values of a kept comparison, whose summary names only a few of them. */
export function timesCall({ metrics }: Ask, fetched: unknown): PlannedCall | null {
  const key = keyIn(fetched);
  return key === null || metrics.length === 0
    ? null
    : twoTimes({ KEY: JSON.stringify(key), METRICS: JSON.stringify(metrics) });
}

const number = z.number().nullable();
const isBetter = z.boolean().nullable();
const figures = z.object({ count: z.number(), median: number, mean: number });
export type Figures = z.infer<typeof figures>;

/** A part at both times, in display scale; `change` is what happened to it, `better` by the metric's direction. */
export type TimesRow = {
  readonly label: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly change: string;
  readonly better: boolean | null;
};

const states = z.array(
  z.object({
    metric: z.string(),
    title: z.string(),
    unit: z.string(),
    before: figures,
    after: figures,
    rows: z.array(
      z
        .tuple([z.string(), number, number, z.string(), isBetter])
        .transform(([label, before, after, change, better]): TimesRow => ({
          label,
          before,
          after,
          change,
          better,
        })),
    ),
  }),
);
/** What is known of one parameter in a period, or in two. */
export type Times = z.infer<typeof states>[number] & {
  /** Whether it is of whole states of the chip; of a single one the state is `before`. */
  readonly isOfStates: boolean;
  /** Whether a part has more than one result in a single period; its value is the last of them. */
  readonly hasSeveral: boolean;
  /** Whether directions of a pair were made one row, so that the count of values is none of rows. */
  readonly isPaired: boolean;
};

const periods = z.object({
  parameter_name: z.string(),
  scale: z.number(),
  display_unit: z.string(),
  current: z.object({
    statistics: figures,
    series: z.array(z.object({ members: z.number() })).default([]),
  }),
  previous: z.object({ statistics: figures }),
  rows: z.array(z.object({ entity: z.string(), current: number, previous: number, better: isBetter })),
});

/** From an answer of `compare_periods`; only its first line has the title. */
export function timesOfPeriods(data: unknown, headline: string): readonly Times[] {
  const read = periods.safeParse(data).data;
  if (read === undefined) return [];
  const { parameter_name: metric, scale, display_unit: unit, current, previous } = read;
  const scaled = (value: number | null): number | null => (value === null ? null : value * scale);
  const figuresOf = ({ statistics: { count, mean, median } }: typeof previous): Figures => ({
    count,
    mean: scaled(mean),
    median: scaled(median),
  });
  const rows = read.rows.map(({ entity: label, current: after, previous: before, better }): TimesRow => ({
    label,
    before: scaled(before),
    after: scaled(after),
    change: 'moved',
    better,
  }));
  const results = current.series.reduce((sum, { members }) => sum + members, 0);
  return [
    {
      metric,
      title: / on /u.test(headline) ? headline.replace(/ on .*$/u, '') : metric,
      unit,
      ...pairsOnce(rows),
      before: figuresOf(previous),
      after: figuresOf(current),
      isOfStates: false,
      hasSeveral: results > rows.filter(({ after }) => after !== null).length,
    },
  ];
}

/** From what the program of {@link timesCall} printed. */
export const timesOfStates = (call: PlannedCall | null, answers: Answers): readonly Times[] =>
  (states.safeParse(printedBy(call, answers)).data ?? []).map(({ rows, ...each }) => ({
    ...each,
    ...pairsOnce(rows),
    isOfStates: true,
    hasSeveral: false,
  }));

/** The JSON that a program printed; null where it did not run, or its output was cut. */
export function printedBy(call: PlannedCall | null, answers: Answers): unknown {
  const found = call === null ? null : foundIn(answers, call);
  try {
    return JSON.parse(z.object({ output: z.string() }).parse(found?.data).output);
  } catch {
    return null;
  }
}

/** Two directions with the same values become one row, the first. */
function pairsOnce(rows: readonly TimesRow[]): Pick<Times, 'rows' | 'isPaired'> {
  const places = new Map(rows.map((row, at) => [row.label, { row, at }]));
  const once = rows.filter((row, at) => {
    const twin = places.get(twinOf(row.label));
    if (twin === undefined || twin.at >= at) return true;
    return twin.row.before !== row.before || twin.row.after !== row.after || twin.row.change !== row.change;
  });
  return { rows: once, isPaired: once.length < rows.length };
}
