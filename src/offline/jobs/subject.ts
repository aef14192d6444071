/** What a job is about: its request, completed by the expert's defaults. */
import { isFound, type Answers } from '../shared/tool-answers.ts';
import { normaliseQid } from '../../domain/qid.ts';
import { COUPLING_METRICS, isCoupling } from '../../domain/questions/vocabulary.ts';
import type { JobRequest } from './job-request.ts';
import { JOB_WORDS, type JobWords } from './messages.ts';

/** What a step works on, and the words of the job's language. */
export type Subject = JobWords & {
  readonly chipId: string | null;
  readonly request: JobRequest;
  /** The parameters that the request names, otherwise the main ones. */
  readonly metrics: readonly string[];
  /** Length of the time that is compared with the one before it. */
  readonly windowHours: number;
  readonly now: Date;
};

const MAIN_METRICS = ['t1', 't2_echo', 'average_readout_fidelity'];
/** Those of a two-qubit gate. */
export const MAIN_COUPLING_METRICS = ['zx90_gate_fidelity', 'bell_state_fidelity'];
/** Each takes several calls; more would not fit in a phase. */
const MOST_METRICS = 6;
const WEEK_HOURS = 168;

/** The subject of a brief; a chip that the request names goes before that of the job. */
export function subjectOf(request: JobRequest, chipId: string | null, now: Date): Subject {
  const usual = request.only.includes('couplings') ? MAIN_COUPLING_METRICS : MAIN_METRICS;
  const named = request.metrics.length > 0 ? request.metrics : [...usual, ...request.moreMetrics];
  const metrics = [...new Set(named)].filter((name) => !request.lessMetrics.includes(name));
  return {
    chipId: request.chipId ?? chipId,
    request,
    metrics: metrics.slice(0, MOST_METRICS),
    windowHours: hoursOf(request, now),
    ...JOB_WORDS[request.language],
    now,
  };
}

/** The length of the time that the request names; a week where it names none. */
function hoursOf({ windowHours, period }: JobRequest, now: Date): number {
  if (period?.from == null) return windowHours ?? WEEK_HOURS;
  const end = period.to === null ? now.getTime() : Date.parse(period.to);
  return Math.max(1, Math.round((end - Date.parse(period.from)) / 3_600_000));
}

/** The parameters of single qubits. */
export const qubitMetrics = ({ metrics }: Subject): readonly string[] =>
  metrics.filter((name) => !COUPLING_METRICS.has(name));

/** The parameters of couplings that the request names, otherwise the main ones. */
export function couplingMetrics({ metrics, request }: Subject): readonly string[] {
  const named = metrics.filter((name) => COUPLING_METRICS.has(name));
  return named.length > 0
    ? named
    : MAIN_COUPLING_METRICS.filter((name) => !request.lessMetrics.includes(name));
}

/** The single qubits that the request names; empty for the whole chip. */
export const namedQubits = ({ request }: Subject): readonly string[] =>
  request.qids.filter((qid) => !isCoupling(qid));

/** Whether the request restricts the job to some qubits. */
export const isNarrowed = ({ request }: Subject): boolean =>
  request.qids.length + request.excludedQids.length > 0;

/** Whether a qubit or coupling, by id or label, is within the scope of the job. */
export function isInScope({ request: { qids, excludedQids } }: Subject, written: string): boolean {
  const id = normaliseQid(written);
  const parts = id.split('-');
  const isOneOf = (some: readonly string[]): boolean =>
    some.some((each) => each === id || each === parts.toReversed().join('-') || parts.includes(each));
  return (qids.length === 0 || isOneOf(qids)) && !isOneOf(excludedQids);
}

/** `t1` as people read it: `T1`, `Average Readout Fidelity`. */
export const titleOf = (name: string): string =>
  name
    .split('_')
    .map((word) =>
      /\d/u.test(word) ? word.toUpperCase() : `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
    )
    .join(' ');

const LABEL = /(?<![\w-])Q(\d{2,4})(?!\d)/u;

/** `Q07`, `Q04-Q01`: an id as tools print it, padded like the labels in their answers. */
export function labelIn(answers: Answers, qid: string): string {
  const digits = digitsIn(answers);
  return qid
    .split('-')
    .map((part) => (/^\d+$/u.test(part) ? `Q${part.padStart(digits, '0')}` : part))
    .join('-');
}

/** All labels of a chip have the same length; two digits where there is none yet. */
function digitsIn(answers: Answers): number {
  for (const answer of answers.values()) {
    const label = isFound(answer) ? LABEL.exec(answer.formattedSummary)?.[1] : undefined;
    if (label !== undefined) return label.length;
  }
  return 2;
}
