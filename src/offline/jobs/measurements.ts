/** The next measurements, from rankings, failed runs and people's notes: as a plan, and as recommendations. */
import { z } from 'zod';
import { newestOf } from '../../domain/claims/timed.ts';
import { normaliseQid } from '../../domain/qid.ts';
import { toCsv } from '../../domain/text/csv.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { rankingOf, notesOf, searchOf, tasksOf } from '../analyst/calls.ts';
import { linesIn, markdownTable } from '../shared/text.ts';
import { dataIn, foundIn, namesIn, planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import plans from './agenda.json' with { type: 'json' };
import { askOf, firstOf, isInScope, labelOf, measuredIn, titleOf, type Job } from './job.ts';
import { listOf, type Step } from './section.ts';

/** The task that measures a parameter, by QDash's names; the plan marks tasks that the project never ran. */
const TASKS: Readonly<Record<string, string>> = plans.tasks;
/** What a note says that forbids measuring its qubit. */
const FORBIDS = new RegExp(plans.forbids.join('|'), 'iu');

/** Values of each parameter that are looked at. */
const LOOKED_AT = 10;
/** Older values are measured first; the shipped catalogue calls coherence times stale after the same time. */
const OLD_HOURS = 48;
const HOUR_MS = 3_600_000;
/** Most rows that one ranking gives. */
const MOST_ROWS = 100;

const ranking = z.object({
  scale: z.number(),
  display_unit: z.string(),
  rows: z.array(
    z.object({
      qid: z.string(),
      label: z.string(),
      value: z.number(),
      rating: z.string().nullable(),
      measured_at: z.string().nullable(),
    }),
  ),
});

/** Ratings are only in whole rankings, of which the plan takes the parts that the job is about. */
const rankingCall = (job: Job, metric: string): PlannedCall =>
  rankingOf(askOf(job, { kind: 'rank', order: 'worst', count: MOST_ROWS }), metric);

const FAILED_RUNS = 20;
/** Failed runs whose later history is looked at. */
const FOLLOWED_FAILURES = 8;

const runs = z.object({
  results: z.array(
    z.object({ task_name: z.string(), qid: z.string(), status: z.string(), message: z.string().nullish() }),
  ),
});
type Run = z.infer<typeof runs>['results'][number];

/** The worst values of a parameter within the scope of the job. */
function worstOf(job: Job, answers: Answers, metric: string) {
  const {
    rows = [],
    scale = 1,
    display_unit: unit = '',
  } = dataIn(answers, rankingCall(job, metric), ranking) ?? {};
  const own = rows.filter(({ qid }) => isInScope(job, answers, qid));
  return own.map((row) => ({ ...row, shown: formatQuantity(row.value * scale, unit) }));
}

const runsCall = (job: Job, run: Run | null): PlannedCall =>
  run === null
    ? searchOf(askOf(job, { kind: 'runs', isFailed: true, lastN: FAILED_RUNS }), null)
    : searchOf(askOf(job, { kind: 'runs', qids: [run.qid], lastN: 1 }), run.task_name);

/** Failed runs, each task and qubit once, newest first. */
function failuresIn(job: Job, answers: Answers): readonly Run[] {
  const all = dataIn(answers, runsCall(job, null), runs)?.results ?? [];
  const own = all.filter(({ qid }) => isInScope(job, answers, qid));
  return firstOf(own, (run) => `${run.task_name} ${run.qid}`).slice(0, FOLLOWED_FAILURES);
}

/** Failures that no later run repeated successfully. */
const stillFailed = (job: Job, answers: Answers): readonly Run[] =>
  failuresIn(job, answers).filter((run) => {
    const newest = dataIn(answers, runsCall(job, run), runs)?.results[0];
    return newest === undefined || newest.status.toLowerCase() === 'failed';
  });

const notesCall = (job: Job): PlannedCall => notesOf(askOf(job, { kind: 'notes' }), null);

/** `On Q45: “text” (author, time; source; state; range).`, also of a metric of the qubit. */
const NOTE = /^On (?:\w+ of )?(Q\d+): “(.*)”(?: \(([^“”]*(?:“.*”[^“”]*)?)\))?\.$/u;
/** People's notes that forbid measuring a qubit; none that is settled or of a range that is over. */
function forbidden(job: Job, answers: Answers) {
  const lines = linesIn(foundIn(answers, notesCall(job))?.formattedSummary ?? '');
  return lines.flatMap((line) => {
    const [, label, note = '', beside = ''] = NOTE.exec(line) ?? [];
    const isOver = /; (?:resolved|held until)|AI review/u.test(beside);
    return label === undefined || isOver || !FORBIDS.test(note) || !isInScope(job, answers, label)
      ? []
      : [{ qid: normaliseQid(label), label, note }];
  });
}

const planCalls = (job: Job, answers: Answers): readonly PlannedCall[] => [
  ...measuredIn(job).map((metric) => rankingCall(job, metric)),
  runsCall(job, null),
  ...failuresIn(job, answers).map((run) => runsCall(job, run)),
  notesCall(job),
];

/** One proposed measurement, and the note that rules it out. */
type Proposal = {
  readonly kind: (typeof KINDS)[number];
  readonly qid: string;
  readonly label: string;
  /** Empty where the parameter of a failed task is unknown. */
  readonly parameter: string;
  readonly task: string;
  readonly reason: string;
  readonly isOld: boolean;
};
/** In the order of their measurements. */
const KINDS = ['bad', 'failed', 'old', 'fair'] as const;

/** Each measurement once, for its first reason, and those that a person's note rules out. */
function planOf(job: Job, answers: Answers) {
  const all = [...valuesToMeasure(job, answers), ...runsToRepeat(job, answers)];
  const sorted = KINDS.flatMap((kind) => all.filter((each) => each.kind === kind));
  const notes = forbidden(job, answers);
  const noted = firstOf(sorted, ({ task, qid }) => `${task} ${qid}`).map((each) => {
    const ends = each.qid.split('-');
    return { ...each, note: notes.find(({ qid }) => ends.includes(qid))?.note ?? null };
  });
  return {
    order: noted.filter(({ note }) => note === null),
    left: noted.filter(({ note }) => note !== null),
  };
}

const valuesToMeasure = (job: Job, answers: Answers): readonly Proposal[] =>
  measuredIn(job).flatMap((parameter) => {
    const { t, now } = job;
    const rows = worstOf(job, answers, parameter).slice(0, LOOKED_AT);
    return rows.flatMap(({ qid, label, shown: value, rating, measured_at: at }): Proposal[] => {
      const hours = at === null ? null : Math.max(0, now.getTime() - Date.parse(at)) / HOUR_MS;
      const isOld = hours === null || hours > OLD_HOURS;
      const kind = rating === 'BAD' ? 'bad' : isOld ? 'old' : rating === 'FAIR' ? 'fair' : null;
      if (kind === null) return [];
      const parts = [
        ...(rating === null || rating === 'UNKNOWN' ? [] : [t('rating', { rating })]),
        hours === null ? t('measuredUnknown') : t('measuredAgo', { hours }),
      ];
      const task = TASKS[parameter] ?? t('taskFor', { title: titleOf(parameter) });
      return [{ kind, qid, label, parameter, task, reason: t('reason', { value, parts }), isOld }];
    });
  });

function runsToRepeat(job: Job, answers: Answers): readonly Proposal[] {
  const { only, less } = job.request.metrics;
  return stillFailed(job, answers).flatMap(({ task_name: task, qid, message }): Proposal[] => {
    const parameter = Object.keys(TASKS).find((name) => TASKS[name] === task) ?? '';
    if (less.includes(parameter) || (only.length > 0 && !only.includes(parameter))) return [];
    const reason = job.t('runFailed', { message: message ?? null });
    return [{ kind: 'failed', qid, label: labelOf(qid), parameter, task, reason, isOld: false }];
  });
}

/** The plan as a table. */
const PLAN = 'next-calibrations.csv';
/** Lines of the plan in the report; the file has all. */
const REPORTED = 12;
const CITED = 3;

/** The order of the measurements, as a table and in words. */
export const order: Step = {
  asks: () => [],
  calls: (job, answers) => [
    ...planCalls(job, answers),
    tasksOf(job.chipId),
    planned('write_file', { path: PLAN, content: csvOf(planOf(job, answers).order, job.t('csvHeads')) }),
  ],
  cites: (job, answers) =>
    planOf(job, answers)
      .order.filter(({ parameter }) => parameter !== '')
      .slice(0, CITED),
  text(job, answers) {
    const { t, request } = job;
    const { order: all, left } = planOf(job, answers);
    const counts = KINDS.map((kind) => [kind, all.filter((each) => each.kind === kind).length] as const);
    const isKnown = measuredIn(job).some((name) => worstOf(job, answers, name).length > 0);
    if (all.length + left.length === 0 && !isKnown) return { head: [t('noOrder')] };
    const failed = failuresIn(job, answers);
    const listed = namesIn(answers, tasksOf(job.chipId));
    const tasks = [...new Set(all.map(({ task }) => task))].filter(
      (task) => listed?.includes(task) === false,
    );
    const rows = all
      .slice(0, request.count ?? REPORTED)
      .map(({ label, task, reason }, at) => [String(at + 1), task, label, reason]);
    return {
      head: [
        all.length === 0
          ? t('nothingToMeasure')
          : t('proposed', { count: all.length, ...Object.fromEntries(counts), left: left.length }),
        ...(rows.length === 0 ? [] : [t('rule'), markdownTable(t('heads').split(','), rows)]),
      ],
      tail: listOf([
        ...(failed.length > 0
          ? [t('repeated', { all: failed.length, open: stillFailed(job, answers).length })]
          : []),
        ...(all.length > 0 && all.every(({ isOld }) => isOld) ? [t('allOld')] : []),
        ...(all.length > rows.length ? [t('wholeOrder', { path: PLAN })] : []),
        ...left.map((each) => t('left', each)),
        ...(tasks.length === 0 ? [] : [t('neverRan', { tasks })]),
      ]),
    };
  },
};

function csvOf(all: readonly Proposal[], heads: string): string {
  const rows = all.map(({ kind, label, task, parameter, reason }, at) => [
    at + 1,
    KINDS.indexOf(kind) + 1,
    label,
    task,
    parameter,
    reason,
  ]);
  return `${toCsv([heads.split(','), ...rows])}\r\n`;
}

/** Nobody reads more. */
const MOST_ADVICE = 5;

/** At most five, each with its reason. */
export const recommendations: Step = {
  asks: () => [],
  calls: planCalls,
  cites: () => [],
  text(job, answers) {
    const { t, claim, now } = job;
    const newest = newestOf(
      measuredIn(job).flatMap((name) => worstOf(job, answers, name)),
      ({ measured_at: at }) => (at === null ? null : new Date(at)),
    );
    const hours = newest === null ? 0 : Math.max(0, now.getTime() - newest.at.getTime()) / HOUR_MS;
    const isOld = newest !== null && hours > OLD_HOURS;
    const runsLeft = planOf(job, answers).order.filter((each) => !isOld || each.kind !== 'old');
    const all = [
      ...(isOld ? [claim('claim.adviseOld', [newest], { hours })] : []),
      ...forbidden(job, answers).map((each) => t('adviseNote', each)),
      ...runsLeft.map((run) => t('adviseRun', run)),
    ].slice(0, MOST_ADVICE);
    const [first = t(newest === null ? 'adviseFirst' : 'adviseNothing')] = all;
    return all.length < 2
      ? { head: [first] }
      : { head: [t('advised', { count: all.length })], tail: listOf(all) };
  },
};
