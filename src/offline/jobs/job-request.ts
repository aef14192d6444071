/**
 * Reads what a job requests: from its description, the user's own instructions, then each review note. Later texts
 * narrow, widen or replace earlier ones. These are fixed rules; what they do not cover is kept, so that the report
 * can state it.
 */
import { languageOfJob, type WrittenLanguage } from '../../domain/text/language.ts';
import { respelt } from '../../domain/questions/lexicon.ts';
import { isCoupling, COUPLING_METRICS } from '../../domain/questions/vocabulary.ts';
import { clausesOf, readClause, type Clause } from './clause.ts';
import type { StepKey } from './messages.ts';

/** What is requested. Empty lists and nulls: nothing, so the expert's defaults apply. */
export type JobRequest = Pick<
  Clause,
  'chipId' | 'metrics' | 'qids' | 'count' | 'end' | 'windowHours' | 'period' | 'wantsReview' | 'unsupported'
> & {
  readonly language: WrittenLanguage;
  /** Parameters to look at besides the usual ones. */
  readonly moreMetrics: readonly string[];
  /** Those to leave out. */
  readonly lessMetrics: readonly string[];
  readonly excludedQids: readonly string[];
  /** Only these steps. */
  readonly only: readonly StepKey[];
  readonly added: readonly StepKey[];
  readonly leftOut: readonly StepKey[];
};

/** The texts of a job that its user wrote, in their order. */
export type RequestTexts = {
  readonly task: string;
  /** Null where the job has the expert's instructions. */
  readonly ownInstructions: string | null;
  readonly reviewNotes: readonly string[];
  readonly now: Date;
};

/** Reads all texts of a job. */
export function readJobRequest({ task, ownInstructions, reviewNotes, now }: RequestTexts): JobRequest {
  const written = ownInstructions === null ? [] : [askedIn(ownInstructions)];
  const texts = [task, ...written, ...reviewNotes];
  const lists = { moreMetrics: [], lessMetrics: [], excludedQids: [], only: [], added: [], leftOut: [] };
  const empty: JobRequest = { ...readClause('', now), ...lists, language: languageOfJob(texts) };
  return texts.reduce((request, text, at) => {
    const clauses = clausesOf(respelt(text)).map((clause) => readClause(clause, now));
    return withClauses(request, clauses, at >= texts.length - reviewNotes.length);
  }, empty);
}

/** Longer instructions explain a method; only their section `Task` is about this job. */
const WHOLE_INSTRUCTIONS = 1_500;

function askedIn(instructions: string): string {
  const [, task] = /^#+\s*(?:Task|課題|タスク)\s*$([\s\S]*?)(?=^#+\s|(?![\s\S]))/imu.exec(instructions) ?? [];
  if (task !== undefined) return task.trim();
  return instructions.length <= WHOLE_INSTRUCTIONS ? instructions : '';
}

function withClauses(before: JobRequest, clauses: readonly Clause[], isNote: boolean): JobRequest {
  const after = clauses.reduce((request, clause, at) => {
    // The first of a text to name such things replaces those of earlier texts; the others add to it.
    const isFirst = (has: (clause: Clause) => boolean): boolean =>
      clauses.findIndex((each) => each.mode === 'set' && has(each)) === at;
    return withClause(request, clause, isFirst);
  }, before);
  return {
    ...after,
    wantsReview: (!isNote && before.wantsReview) || clauses.some((clause) => clause.wantsReview),
    unsupported: [...before.unsupported, ...clauses.flatMap((clause) => clause.unsupported)],
  };
}

function withClause(
  request: JobRequest,
  clause: Clause,
  isFirst: (has: (clause: Clause) => boolean) => boolean,
): JobRequest {
  const { metrics, qids, excluded, steps, mode, windowHours, period } = clause;
  const isDated = windowHours !== null || period !== null;
  const base: JobRequest = {
    ...request,
    chipId: clause.chipId ?? request.chipId,
    ...(isDated ? { windowHours, period } : {}),
    ...(clause.count === null ? {} : { count: clause.count, end: clause.end }),
    excludedQids: union(request.excludedQids, excluded),
    qids: less(request.qids, excluded),
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
  const replaced = <Item>(
    old: readonly Item[],
    own: readonly Item[],
    has: (clause: Clause) => boolean,
  ): readonly Item[] => (own.length === 0 ? old : isFirst(has) ? own : union(old, own));
  return {
    ...request,
    metrics: replaced(request.metrics, metrics, (each) => each.metrics.length > 0),
    qids: replaced(request.qids, qids, (each) => each.qids.length > 0),
    only: replaced(request.only, focused, (each) => each.isFocus && each.steps.length > 0),
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
