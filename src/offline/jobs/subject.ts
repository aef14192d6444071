/** What a job is about: its brief, made definite by what the expert looks at where nothing was said. */
import { normaliseQid } from '../../domain/qid.ts';
import { COUPLING_METRICS, isCoupling } from '../../domain/questions/vocabulary.ts';
import type { Brief } from './brief.ts';
import { JOB_WORDS } from './words/words.ts';
import type { JobWords } from './words/job-words.ts';

/** What a step works on. */
export type Subject = {
  readonly chipId: string | null;
  readonly brief: Brief;
  /** Parameters that the job is about: those that were named, else the main ones. */
  readonly metrics: readonly string[];
  /** Length of the time that is compared with the one before it. */
  readonly windowHours: number;
  readonly words: JobWords;
  readonly now: Date;
};

const MAIN_METRICS = ['t1', 't2_echo', 'average_readout_fidelity'];
/** Those of a two-qubit gate. */
export const MAIN_COUPLING_METRICS = ['zx90_gate_fidelity', 'bell_state_fidelity'];
/** Of each of them there are several calls; more would not fit in a phase. */
const MOST_METRICS = 6;
const WEEK_HOURS = 168;

/** The subject of a brief; a chip that the brief names goes before that of the job. */
export function subjectOf(brief: Brief, chipId: string | null, now: Date): Subject {
  const usual = brief.only.includes('couplings') ? MAIN_COUPLING_METRICS : MAIN_METRICS;
  const named = brief.metrics.length > 0 ? brief.metrics : [...usual, ...brief.moreMetrics];
  const metrics = [...new Set(named)].filter((name) => !brief.lessMetrics.includes(name));
  return {
    chipId: brief.chipId ?? chipId,
    brief,
    metrics: metrics.slice(0, MOST_METRICS),
    windowHours: brief.windowHours ?? WEEK_HOURS,
    words: JOB_WORDS[brief.language],
    now,
  };
}

/** The parameters of single qubits. */
export const qubitMetrics = ({ metrics }: Subject): readonly string[] =>
  metrics.filter((name) => !COUPLING_METRICS.has(name));

/** The parameters of couplings: those that were named, else the main ones. */
export function couplingMetrics({ metrics, brief }: Subject): readonly string[] {
  const named = metrics.filter((name) => COUPLING_METRICS.has(name));
  return named.length > 0 ? named : MAIN_COUPLING_METRICS.filter((name) => !brief.lessMetrics.includes(name));
}

/** Single qubits that the job was narrowed to; empty for the whole chip. */
export const namedQubits = ({ brief }: Subject): readonly string[] =>
  brief.qids.filter((qid) => !isCoupling(qid));

/** Whether a qubit or coupling, by id or label, is within what the job was narrowed to. */
export function isInScope({ brief: { qids, excludedQids } }: Subject, written: string): boolean {
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
