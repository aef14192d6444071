/**
 * Reads what a job requests: from its description, the user's own instructions, then each review note. Later texts
 * narrow, widen or replace earlier ones. These are fixed rules; what they do not cover is kept, so that the report
 * can state it.
 */
import { respelt } from '../../domain/questions/lexicon.ts';
import { COUPLING_METRICS } from '../../domain/questions/vocabulary.ts';
import { languageOfJob, type WrittenLanguage } from '../../domain/text/language.ts';
import { clausesOf, NOTHING, readClause, unsupported, type Clause, type Wanted } from './clause.ts';
import type { StepKey } from './messages.ts';

/** A choice of things: only these if there are any, these besides, and not these. */
type Choice<Item> = {
  readonly only: readonly Item[];
  readonly more: readonly Item[];
  readonly less: readonly Item[];
};

/** What is requested. Empty lists and nulls: nothing, so the expert's defaults apply. */
export type JobRequest = Wanted & {
  readonly language: WrittenLanguage;
  readonly metrics: Choice<string>;
  /** Qubits, and couplings as `0-1`. */
  readonly parts: Choice<string>;
  readonly steps: Choice<StepKey>;
};

/** The texts of a job that its user wrote, in their order. */
export type RequestTexts = {
  readonly task: string;
  /** Null where the job has the expert's instructions. */
  readonly ownInstructions: string | null;
  readonly reviewNotes: readonly string[];
  /** The chip of the job. */
  readonly chipId: string | null;
  readonly now: Date;
};

/** Requests of one text that are read; the first one behind them is named as not followed. */
const MOST_CLAUSES = 40;

/** Reads all texts of a job. */
export function readJobRequest(given: RequestTexts): JobRequest {
  const { task, ownInstructions, reviewNotes, chipId, now } = given;
  const chips = chipId === null ? [] : [chipId];
  const written = ownInstructions === null ? [] : [askedIn(ownInstructions)];
  const texts = [task, ...written, ...reviewNotes];
  const all = { only: [], more: [], less: [] };
  const empty: JobRequest = {
    ...NOTHING,
    metrics: all,
    parts: all,
    steps: all,
    language: languageOfJob(texts),
  };
  return texts.reduce((request, text, at) => {
    const spelt = clausesOf(respelt(text));
    const asWritten = clausesOf(text);
    const read = spelt.slice(0, MOST_CLAUSES).map((clause, place) =>
      readClause(clause, {
        now,
        chips,
        quoted: (asWritten.length === spelt.length ? asWritten[place] : null) ?? clause,
      }),
    );
    const clauses = [...read, ...spelt.slice(MOST_CLAUSES, MOST_CLAUSES + 1).map(unsupported)];
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
    const editOf = (key: 'metrics' | 'qids' | 'steps'): Edit => {
      if (clause.mode !== 'set') return clause.mode;
      // Steps are chosen where nothing else is wanted.
      if (key === 'steps' && !clause.isFocus) return 'add';
      const first = clauses.findIndex(
        (each) => each.mode === 'set' && each[key].length > 0 && (key !== 'steps' || each.isFocus),
      );
      return first === at ? 'replace' : 'set';
    };
    return withClause(request, clause, editOf);
  }, before);
  const asks = clauses.flatMap((clause) => clause.asks);
  const isQuestion = asks.length > 0 && clauses.every((clause) => clause.asks.length > 0);
  return {
    ...after,
    asks: isNote && asks.length > 0 ? asks : union(before.asks, asks),
    steps: edited(after.steps, asks.length > 0 ? ['asked'] : [], isQuestion ? 'replace' : 'add'),
    wantsReview: (!isNote && before.wantsReview) || clauses.some((clause) => clause.wantsReview),
    unsupported: [...before.unsupported, ...clauses.flatMap((clause) => clause.unsupported)],
  };
}

function withClause(
  request: JobRequest,
  clause: Clause,
  editOf: (key: 'metrics' | 'qids' | 'steps') => Edit,
): JobRequest {
  const { metrics, qids, excluded, steps, mode, windowHours, period, count, end } = clause;
  // A parameter of qubits is no request for couplings.
  const isOfQubits = metrics.length > 0 && !metrics.some((name) => COUPLING_METRICS.has(name));
  const isAgainst = mode === 'set' && isOfQubits && steps.length === 0;
  return {
    ...request,
    chipId: clause.chipId ?? request.chipId,
    among: clause.among ?? request.among,
    ...(windowHours !== null || period !== null ? { windowHours, period } : {}),
    ...(count === null ? {} : { count, end }),
    metrics: edited(request.metrics, metrics, editOf('metrics')),
    parts: edited(edited(request.parts, excluded, 'without'), qids, editOf('qids')),
    steps: edited(edited(request.steps, isAgainst ? ['couplings'] : [], 'without'), steps, editOf('steps')),
  };
}

/** The first of a text to name such things replaces those of earlier texts; the others add to it. */
type Edit = Clause['mode'] | 'replace';

function edited<Item>(choice: Choice<Item>, items: readonly Item[], edit: Edit): Choice<Item> {
  if (items.length === 0) return choice;
  const [only, more, less] = [choice.only, choice.more, choice.less].map((list) =>
    list.filter((each) => !items.includes(each)),
  ) as [Item[], Item[], Item[]];
  if (edit === 'without') return { only, more, less: union(less, items) };
  if (edit === 'replace') return { only: items, more: choice.more, less };
  const isOnly = edit === 'set' || choice.only.length > 0;
  return {
    only: isOnly ? union(choice.only, items) : [],
    more: edit === 'add' ? union(choice.more, items) : choice.more,
    less,
  };
}

const union = <Item>(some: readonly Item[], more: readonly Item[]): readonly Item[] => [
  ...new Set([...some, ...more]),
];
