/**
 * Reads what a job requests: from its description, the user's own instructions, then each review note. Later texts
 * narrow, widen or replace earlier ones. These are fixed rules; what they do not cover is kept, so that the report
 * can state it.
 */
import { respelt } from '../../domain/questions/lexicon.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { COUPLING_METRICS } from '../../domain/questions/vocabulary.ts';
import { languageOfJob, type WrittenLanguage } from '../../domain/text/language.ts';
import { clausesOf, NOTHING, readClause, type Clause, type Wanted } from './clause.ts';
import type { StepKey } from './messages.ts';

/** What is requested. Empty lists and nulls: nothing, so the expert's defaults apply. */
export type JobRequest = Wanted & {
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
  const empty: JobRequest = { ...NOTHING, ...lists, language: languageOfJob(texts) };
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
    const replaced = <Key extends 'metrics' | 'qids' | 'steps'>(
      key: Key,
      old: readonly Clause[Key][number][],
    ) =>
      clause[key].length === 0
        ? old
        : clauses.findIndex((each) => each.mode === 'set' && isOf(each, key)) === at
          ? clause[key]
          : union<Clause[Key][number]>(old, clause[key]);
    return withClause(request, clause, replaced);
  }, before);
  const asks = clauses.flatMap((clause) => clause.asks);
  const isQuestion = asks.length > 0 && clauses.every((clause) => clause.asks.length > 0);
  return {
    ...after,
    asks: isNote && asks.length > 0 ? asks : union<Ask>(before.asks, asks),
    only: isQuestion ? ['asked'] : after.only,
    added: asks.length > 0 ? union(after.added, ['asked']) : after.added,
    wantsReview: (!isNote && before.wantsReview) || clauses.some((clause) => clause.wantsReview),
    unsupported: [...before.unsupported, ...clauses.flatMap((clause) => clause.unsupported)],
  };
}

/** Steps of a clause replace others only where it wants nothing else. */
const isOf = (clause: Clause, key: 'metrics' | 'qids' | 'steps'): boolean =>
  clause[key].length > 0 && (key !== 'steps' || clause.isFocus);

type Replaced = <Key extends 'metrics' | 'qids' | 'steps'>(
  key: Key,
  old: readonly Clause[Key][number][],
) => readonly Clause[Key][number][];

function withClause(request: JobRequest, clause: Clause, replaced: Replaced): JobRequest {
  const { metrics, qids, excluded, steps, mode, windowHours, period } = clause;
  const base: JobRequest = {
    ...request,
    chipId: clause.chipId ?? request.chipId,
    among: clause.among ?? request.among,
    ...(windowHours !== null || period !== null ? { windowHours, period } : {}),
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
    case 'set': {
      // A parameter of qubits is no request for couplings.
      const isOfQubits = metrics.length > 0 && !metrics.some((name) => COUPLING_METRICS.has(name));
      return {
        ...base,
        metrics: replaced('metrics', base.metrics),
        qids: replaced('qids', base.qids),
        only: clause.isFocus ? replaced('steps', base.only) : base.only,
        added: clause.isFocus && steps.length > 0 ? base.added : union(base.added, steps),
        leftOut: less(
          isOfQubits && steps.length === 0 ? union(base.leftOut, ['couplings']) : base.leftOut,
          steps,
        ),
      };
    }
    default:
      return mode satisfies never;
  }
}

const union = <Item>(some: readonly Item[], more: readonly Item[]): readonly Item[] => [
  ...new Set([...some, ...more]),
];
const less = <Item>(some: readonly Item[], others: readonly Item[]): readonly Item[] =>
  some.filter((each) => !others.includes(each));
