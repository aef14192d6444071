/**
 * Reads what a job requests: from its description, the user's own instructions, then each review note. Later texts
 * narrow, widen or replace earlier ones. These are fixed rules; what they do not cover is kept, so that the report
 * can state it.
 */
import { languageOfJob, type WrittenLanguage } from '../../domain/text/language.ts';
import { respelt } from '../../domain/questions/lexicon.ts';
import { isCoupling, COUPLING_METRICS } from '../../domain/questions/vocabulary.ts';
import { readClause, type Clause } from './clause.ts';
import type { StepKey } from './messages.ts';
import { unsupportedIn } from './unsupported.ts';

/** What is requested. Empty lists and nulls: nothing, so the expert's defaults apply. */
export type JobRequest = {
  readonly language: WrittenLanguage;
  readonly chipId: string | null;
  /** Parameters to look at, by stored names. */
  readonly metrics: readonly string[];
  /** Those to look at besides the usual ones. */
  readonly moreMetrics: readonly string[];
  /** Those to leave out. */
  readonly lessMetrics: readonly string[];
  readonly qids: readonly string[];
  readonly excludedQids: readonly string[];
  /** Only these steps. */
  readonly only: readonly StepKey[];
  readonly added: readonly StepKey[];
  readonly leftOut: readonly StepKey[];
  readonly count: number | null;
  readonly end: 'best' | 'worst' | null;
  readonly windowHours: number | null;
  /** A person wants to see the report before the job is over. */
  readonly wantsReview: boolean;
  /** What is not understood or not supported, as written. */
  readonly unsupported: readonly string[];
};

/** The texts of a job that its user wrote, in their order. */
export type RequestTexts = {
  readonly task: string;
  /** Null where the job has the expert's instructions. */
  readonly ownInstructions: string | null;
  readonly reviewNotes: readonly string[];
};

/** Reads all texts of a job. */
export function readJobRequest({ task, ownInstructions, reviewNotes }: RequestTexts): JobRequest {
  const written = ownInstructions === null ? [] : [askedIn(ownInstructions)];
  const texts = [task, ...written, ...reviewNotes];
  const empty = { ...EMPTY, language: languageOfJob(texts) };
  return texts.reduce(
    (request, text, at) => withText(request, text, at >= texts.length - reviewNotes.length),
    empty,
  );
}

const EMPTY: Omit<JobRequest, 'language'> = {
  chipId: null,
  metrics: [],
  moreMetrics: [],
  lessMetrics: [],
  qids: [],
  excludedQids: [],
  only: [],
  added: [],
  leftOut: [],
  count: null,
  end: null,
  windowHours: null,
  wantsReview: false,
  unsupported: [],
};

/** Longer instructions explain a method; only their section `Task` is about this job. */
const WHOLE_INSTRUCTIONS = 1_500;

function askedIn(instructions: string): string {
  const [, task] = /^#+\s*(?:Task|課題|タスク)\s*$([\s\S]*?)(?=^#+\s|(?![\s\S]))/imu.exec(instructions) ?? [];
  if (task !== undefined) return task.trim();
  return instructions.length <= WHOLE_INSTRUCTIONS ? instructions : '';
}

/** Parts of sentences, each with one request. Lists of qubits and parameters stay whole. */
export const clausesOf = (text: string): readonly string[] =>
  respelt(text)
    .replaceAll(/^\s*(?:#+|[-*]|\d+\.)\s+/gmu, '')
    .split(
      /[.;:!?](?=\s|$)|[。；！？、\n]+|,\s+(?!(?:and\s+)?q?\d)|\s+(?=(?:without|except|excluding|but not|leaving out|leave out|and add|and leave)\b)|\s+and\s+(?=(?:only|skip|omit|include|focus|plan|write|look|say|find|show|rank|compare|investigate|draw)\b)/iu,
    )
    .map((clause) => clause.replace(/^and\s+/iu, '').trim())
    .filter((clause) => clause !== '');

function withText(before: JobRequest, text: string, isNote: boolean): JobRequest {
  const clauses = clausesOf(text).map((words) => ({ words, read: readClause(words) }));
  const after = clauses.reduce((request, { read }, at) => {
    const isFirst = (has: (clause: Clause) => boolean): boolean =>
      clauses.findIndex((each) => each.read.mode === 'set' && has(each.read)) === at;
    return withClause(request, read, isFirst);
  }, before);
  const wantsReview = (!isNote && before.wantsReview) || clauses.some(({ read }) => read.wantsReview);
  return { ...after, wantsReview, unsupported: [...before.unsupported, ...unsupportedIn(clauses)] };
}

/**
 * `isFirst`: whether the clause is the first of its text to name such things, and so replaces those of earlier texts.
 */
function withClause(
  request: JobRequest,
  clause: Clause,
  isFirst: (has: (clause: Clause) => boolean) => boolean,
): JobRequest {
  const { metrics, qids, steps, count, end, windowHours, chipId, mode } = clause;
  const base: JobRequest = {
    ...request,
    chipId: chipId ?? request.chipId,
    windowHours: windowHours ?? request.windowHours,
    count: count ?? request.count,
    end: end ?? request.end,
  };
  switch (mode) {
    case 'without':
      return {
        ...base,
        metrics: less(base.metrics, metrics),
        lessMetrics: union(base.lessMetrics, metrics),
        qids: less(base.qids, qids),
        excludedQids: union(base.excludedQids, qids),
        leftOut: union(base.leftOut, steps),
        added: less(base.added, steps),
      };
    case 'add':
      return {
        ...base,
        metrics: base.metrics.length > 0 ? union(base.metrics, metrics) : base.metrics,
        moreMetrics: union(base.moreMetrics, metrics),
        qids: base.qids.length > 0 ? union(base.qids, qids) : base.qids,
        added: union(base.added, steps),
        only: base.only.length > 0 ? union(base.only, steps) : base.only,
        leftOut: less(base.leftOut, steps),
      };
    case 'set':
      return withSet(base, clause, isFirst);
    default:
      return mode satisfies never;
  }
}

function withSet(
  request: JobRequest,
  clause: Clause,
  isFirst: (has: (clause: Clause) => boolean) => boolean,
): JobRequest {
  const { metrics, qids, isFocus } = clause;
  const couplingsOnly = metrics.length > 0 && metrics.every((name) => COUPLING_METRICS.has(name));
  const isOfQubits = metrics.length > 0 && !metrics.some((name) => COUPLING_METRICS.has(name));
  const steps: readonly StepKey[] =
    couplingsOnly || qids.some(isCoupling) ? union(clause.steps, ['couplings']) : clause.steps;
  const focused = isFocus ? steps : [];
  return {
    ...request,
    metrics:
      metrics.length === 0
        ? request.metrics
        : isFirst((each) => each.metrics.length > 0)
          ? metrics
          : union(request.metrics, metrics),
    qids:
      qids.length === 0
        ? request.qids
        : isFirst((each) => each.qids.length > 0)
          ? qids
          : union(request.qids, qids),
    only:
      focused.length === 0
        ? request.only
        : isFirst((each) => each.isFocus && each.steps.length > 0)
          ? focused
          : union(request.only, focused),
    added: focused.length > 0 ? request.added : union(request.added, steps),
    leftOut: less(
      isFocus && isOfQubits && steps.length === 0 ? union(request.leftOut, ['couplings']) : request.leftOut,
      steps,
    ),
  };
}

const union = <Item>(some: readonly Item[], more: readonly Item[]): readonly Item[] => [
  ...new Set([...some, ...more]),
];
const less = <Item>(some: readonly Item[], others: readonly Item[]): readonly Item[] =>
  some.filter((each) => !others.includes(each));
