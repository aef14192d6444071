/** A job as it is requested, and the analyst's questions that follow from it: all of them within its scope. */
import { normaliseQid, qidLabel } from '../../domain/qid.ts';
import { NO_ASK, type Ask } from '../../domain/questions/query.ts';
import { COUPLING_METRICS, isCoupling } from '../../domain/questions/vocabulary.ts';
import { z } from 'zod';
import { comparisonOf } from '../analyst/calls.ts';
import { layout } from '../analyst/layout-text.ts';
import { callsFor } from '../analyst/plan.ts';
import { dataIn, isFound, planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import type { JobWords } from './messages.ts';
import type { JobRequest } from './request.ts';

/** A job, and the words of its language. */
export type Job = JobWords & {
  readonly chipId: string | null;
  readonly request: JobRequest;
  readonly now: Date;
};

/** What a question about a job is made from: its kind, and of which of the job's parameters it is asked one by one. */
export type Topic = Partial<Omit<Ask, 'kind'>> & {
  readonly kind: Ask['kind'];
  readonly of?: keyof typeof METRICS;
};

/** A question about the chip of a job. */
export const askOf = ({ chipId }: Job, ask: Partial<Ask> & Pick<Ask, 'kind'>): Ask => ({
  ...NO_ASK,
  chipId,
  ...ask,
});

const MAIN_METRICS = ['t1', 't2_echo', 'average_readout_fidelity'];
const MAIN_COUPLING_METRICS = ['zx90_gate_fidelity', 'bell_state_fidelity'];
const GATE_METRICS = ['x90_gate_fidelity', 'zx90_gate_fidelity'];
/** Each takes several calls; more would not fit in a phase. */
const MOST_METRICS = 6;

/** The parameters that the request names, otherwise the main ones. */
export function metricsOf({ request }: Job): readonly string[] {
  const { only, more, less } = request.metrics;
  const usual = request.steps.only.includes('couplings') ? MAIN_COUPLING_METRICS : MAIN_METRICS;
  const named = new Set(only.length > 0 ? only : [...usual, ...more]);
  return [...named].filter((name) => !less.includes(name)).slice(0, MOST_METRICS);
}

const METRICS = {
  qubits: (job: Job): readonly string[] => metricsOf(job).filter((name) => !COUPLING_METRICS.has(name)),
  couplings(job: Job) {
    const named = metricsOf(job).filter((name) => COUPLING_METRICS.has(name));
    const usual = MAIN_COUPLING_METRICS.filter((name) => !job.request.metrics.less.includes(name));
    return named.length > 0 ? named : usual;
  },
  /** Those that a plan of measurements looks at. */
  measured(job: Job) {
    const { metrics, steps } = job.request;
    if (metrics.only.length + steps.only.length > 0) return metricsOf(job);
    const isLeft = (name: string): boolean =>
      metrics.less.includes(name) || (steps.less.includes('couplings') && COUPLING_METRICS.has(name));
    return [...new Set([...metricsOf(job), ...GATE_METRICS])].filter((name) => !isLeft(name));
  },
};
export const measuredIn = (job: Job): readonly string[] => METRICS.measured(job);

/** The calls for the parts that a job is about, where its request names them by conditions or by what to leave out. */
export function scopeCalls(
  { request: { among, parts }, chipId }: Job,
  answers: Answers,
): readonly PlannedCall[] {
  if (among !== null) {
    const ask = { ...among.ask, chipId: among.ask.chipId ?? chipId };
    return callsFor(ask, answers);
  }
  return parts.less.length > 0 ? [planned('get_chip_topology', { chip_id: chipId })] : [];
}

/** Parts as tools list them, in rows. */
export const partRows = z.object({ rows: z.array(z.object({ qid: z.string() })) });

/** The parts that the job is about; empty for the whole chip, and while its conditions are not looked up. */
export function partsOf(job: Job, answers: Answers): readonly string[] {
  const { among, parts } = job.request;
  if (among === null) return parts.only;
  const call = scopeCalls(job, answers).at(-1);
  return (call && dataIn(answers, call, partRows)?.rows.map(({ qid }) => qid)) ?? [];
}

/** Whether the job is about some parts of the chip. */
export const isNarrowed = ({ request }: Job): boolean =>
  request.parts.only.length + request.parts.less.length > 0 || request.among !== null;

/** Whether a part, by id or label, is within the scope of the job. */
export function isInScope(job: Job, answers: Answers, written: string): boolean {
  const id = normaliseQid(written);
  const ends = id.split('-');
  const isOneOf = (some: readonly string[]): boolean =>
    some.some((each) => each === id || each === ends.toReversed().join('-') || ends.includes(each));
  const parts = partsOf(job, answers);
  return (parts.length === 0 || isOneOf(parts)) && !isOneOf(job.request.parts.less);
}

/** As many parts as are looked at one by one, and as many as are compared in one call. */
const FEW_PARTS = 8;
const COMPARED = 32;
const LOOKED_INTO = { most: 16, each: 4 };
/** Rows of a ranking, unless the request says how many. */
const RANKED = 5;

/** The questions of a topic within the scope of the job. */
export function questionsOf(
  { of = 'qubits', kind, ...topic }: Topic,
  job: Job,
  answers: Answers,
): readonly Ask[] {
  const parts = partsOf(job, answers);
  const base = askOf(job, { ...topic, kind });
  if (kind === 'rank') return rankings({ ...base, kind }, METRICS[of](job), job, parts);
  if (kind === 'health') return statesOf(job, parts);
  if (kind === 'executions') return parts.length > 0 ? [] : [base];
  if (kind === 'outliers') {
    const qubits = parts.filter((qid) => !isCoupling(qid));
    const some = qubits.length <= LOOKED_INTO.most ? chunks(qubits, LOOKED_INTO.each) : [];
    return (some.length > 0 ? some : [[]]).map((qids) => ({ ...base, metrics: namedOf(job), qids }));
  }
  return parts.length > 0 && parts.length <= FEW_PARTS
    ? parts.map((qid) => ({ ...base, qids: [labelOf(qid)] }))
    : [base];
}

const namedOf = ({ request }: Job): readonly string[] =>
  request.metrics.only.filter((name) => !COUPLING_METRICS.has(name));

/** Both ends of a ranking, or the one that the request names; of few parts all in one order. */
function rankings(base: Ask, metrics: readonly string[], job: Job, parts: readonly string[]): readonly Ask[] {
  const { request } = job;
  const isShort = parts.length > 0 && parts.length <= 2 * RANKED;
  // A plan of measurements looks at the worst whatever is asked for.
  const end = base.count === null ? (request.end ?? (isShort ? 'worst' : base.order)) : base.order;
  return metrics.flatMap((metric) => {
    const qids = parts.filter((qid) => COUPLING_METRICS.has(metric) || !isCoupling(qid));
    if (end !== base.order || (parts.length > 0 && qids.length === 0)) return [];
    const count = request.count ?? base.count ?? (isShort ? null : RANKED);
    return [{ ...base, metrics: [metric], qids, excluded: request.parts.less, count }];
  });
}

/** The values of the parts that the job is about, of the parameters that it is about, or the whole chip. */
function statesOf(job: Job, parts: readonly string[]): readonly Ask[] {
  const { only, less } = job.request.metrics;
  const excluded = job.request.parts.less;
  const couplings = parts.filter(isCoupling);
  const qubits = parts.filter((qid) => !isCoupling(qid));
  if (parts.length > 0) {
    return [
      ...chunks(qubits, COMPARED).map((qids) =>
        askOf(job, { kind: qids.length > 1 ? 'compare' : 'values', qids, metrics: namedOf(job) }),
      ),
      ...(couplings.length > 0 ? [askOf(job, { kind: 'values', qids: couplings })] : []),
    ];
  }
  return only.length + less.length + excluded.length > 0
    ? [askOf(job, { kind: 'figures', metrics: metricsOf(job), excluded })]
    : [askOf(job, { kind: 'health' })];
}

/** The job's time against the one before it, of each parameter. */
export function comparisonsOf(job: Job, answers: Answers): readonly PlannedCall[] {
  const { windowHours, period, parts: asked } = job.request;
  const parts = partsOf(job, answers);
  const others = scopeCalls(job, answers).flatMap((call) => dataIn(answers, call, layout)?.qubits ?? []);
  const left = others.map(({ qid }) => qid).filter((qid) => !asked.less.includes(qid));
  return changingIn(job, answers).map((metric) => {
    const isOfCouplings = COUPLING_METRICS.has(metric);
    const own = parts.filter((qid) => isCoupling(qid) === isOfCouplings);
    const qids = own.length > 0 || isOfCouplings ? own : left;
    return comparisonOf(askOf(job, { kind: 'changes', qids, windowHours, period }), metric);
  });
}

/** The parameters that are compared: those of qubits only where the job is about qubits. */
export function changingIn(job: Job, answers: Answers): readonly string[] {
  const parts = partsOf(job, answers);
  if (parts.length === 0) return metricsOf(job);
  const metrics = parts.every(isCoupling) ? METRICS.couplings(job) : metricsOf(job);
  return metrics.filter((metric) => parts.some((qid) => isCoupling(qid) === COUPLING_METRICS.has(metric)));
}

const WEEK_HOURS = 168;

/** Length of the time that is compared with the one before it. */
export function hoursOf({ request: { windowHours, period }, now }: Job): number {
  if (period?.from == null) return windowHours ?? WEEK_HOURS;
  const end = period.to === null ? now.getTime() : Date.parse(period.to);
  return Math.max(1, Math.round((end - Date.parse(period.from)) / 3_600_000));
}

/** Searches over the whole chip. */
const SEARCH = /^(?:find_outliers|search_task_results|get_calibration_notes|compare_periods) /u;

/** The answers, without what searches over the whole chip say of parts that the job is not about. */
export function withinScope(job: Job, answers: Answers): Answers {
  if (!isNarrowed(job)) return answers;
  const isIn = (text: string): boolean => {
    const label = /Q\d+(?:-Q\d+)?/u.exec(text.split('“', 1)[0] ?? '')?.[0];
    return label === undefined || isInScope(job, answers, label);
  };
  const lineOf = (line: string): readonly string[] => {
    const [, head, list] = /^(\d+ outliers?.*? on \S+: |Changes: .*?: )(Q.*)\.$/u.exec(line) ?? [];
    if (head === undefined || list === undefined) return isIn(line) ? [line] : [];
    const left = list.split('; ').filter(isIn).join('; ');
    return left === '' ? [] : [`${head}${left}.`];
  };
  return new Map(
    [...answers].map(([key, answer]) => {
      if (!isFound(answer) || !SEARCH.test(key)) return [key, answer];
      return [
        key,
        { ...answer, formattedSummary: answer.formattedSummary.split('\n').flatMap(lineOf).join('\n') },
      ];
    }),
  );
}

/** Whether some of the questions and calls of a job about some parts are over the whole chip. */
export const isOfAll = (job: Job, asks: readonly Ask[], calls: readonly PlannedCall[]): boolean =>
  isNarrowed(job) &&
  (calls.some((call) => call.name === 'compare_periods' && !call.arguments.includes('"qids"')) ||
    asks.some(({ kind, qids }) => qids.length === 0 && /^(?:runs|notes|outliers)$/u.test(kind)));

/** Each item once, where it comes first. */
export const firstOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] =>
  items.filter((item, at) => items.findIndex((other) => keyOf(other) === keyOf(item)) === at);

const chunks = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

/** `Q07`, `Q04-Q01`. */
export const labelOf = (qid: string): string => qidLabel(qid, 0);

/** `t1` as people read it: `T1`, `Average Readout Fidelity`. */
export const titleOf = (name: string): string =>
  name
    .split('_')
    .map((word) =>
      /\d/u.test(word) ? word.toUpperCase() : `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
    )
    .join(' ');
