/** Reads one clause of a job's texts: what it names, and whether to look at that, add it or leave it out. */
import { isPeriod, type Period } from '../../domain/questions/period.ts';
import { readNames } from '../../domain/questions/read-names.ts';
import { LOWER_IS_BETTER } from '../../domain/questions/vocabulary.ts';
import { writtenLanguage } from '../../domain/text/language.ts';
import words from './job-words.json' with { type: 'json' };
import type { StepKey } from './messages.ts';

/** What a clause requests; empty lists and nulls where it does not say. */
export type Clause = {
  readonly mode: 'set' | 'add' | 'without';
  /** Nothing but what it names. */
  readonly isFocus: boolean;
  readonly metrics: readonly string[];
  /** Qubits, and couplings as `0-1`. */
  readonly qids: readonly string[];
  /** Those that are to be left out, whatever the clause does with others. */
  readonly excluded: readonly string[];
  readonly steps: readonly StepKey[];
  readonly count: number | null;
  readonly end: 'best' | 'worst' | null;
  readonly windowHours: number | null;
  readonly period: Period | null;
  readonly chipId: string | null;
  readonly wantsReview: boolean;
  /** What is not understood or not supported, as written. */
  readonly unsupported: readonly string[];
};

const pattern = (sources: readonly string[]): RegExp => new RegExp(sources.join('|'), 'iu');
const WITHOUT = pattern(words.without);
/** `do not skip`, and `nothing but`: the opposite of leaving out. */
const [KEPT, INVERSE] = [pattern(words.kept), pattern(words.inverse)];
const ADD = pattern(words.add);
const ONLY = pattern([...words.only, ...words.inverse]);
const REVIEW = pattern(words.review);
const STEPS = Object.entries(words.steps).map(([key, source]) => ({
  key: key as StepKey,
  words: pattern([source]),
}));
/** Known words that ask for something that no step does. */
const UNSUPPORTED = pattern(words.unsupported);
/** Words that no step follows; the rest of their clause can be. */
const UNFOLLOWED = pattern(words.unfollowed);
/** Where such a word is left, the clause means something else than what was read of it. */
const NEGATION = pattern(words.negation);
/** Words of requests for the usual work, which need no step of their own. */
const USUAL: ReadonlySet<string> = new Set(words.usual.flatMap((line) => line.split(' ')));
const USUAL_JAPANESE = pattern(words.usualJapanese);
const OWN = [KEPT, INVERSE, WITHOUT, ADD, ONLY, REVIEW, ...STEPS.map((each) => each.words), USUAL_JAPANESE];

/** Parts of sentences, each with one request. Lists of qubits and parameters stay whole. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .replaceAll(/^\s*(?:#+|[-*]|\d+\.)\s+/gmu, '')
    .split(new RegExp(words.clauseEnds.join('|'), 'iu'))
    .map((clause) => clause.replace(/^and\s+/iu, '').trim())
    .filter((clause) => clause !== '');

/** Longest quotation. */
const QUOTED = 120;

/** Reads one clause, spelt out. */
export function readClause(clause: string, now: Date): Clause {
  const names = readNames(clause, now, OWN);
  const { rest, metrics, order, isFromBothEnds, windowHours, chipId } = names;
  const [first = ''] = metrics;
  const isFlipped = LOWER_IS_BETTER.has(first) && (order === 'lowest' || order === 'highest');
  const isBest = (order === 'best' || order === 'highest') !== isFlipped;
  const isInverse = INVERSE.test(clause);
  const isWithout = WITHOUT.test(rest) && !isInverse && !KEPT.test(rest);
  const mode = isWithout ? 'without' : ADD.test(rest) || KEPT.test(rest) ? 'add' : 'set';
  const count = order === null ? null : names.count;
  const period =
    isPeriod(names.period) && names.period.from !== null && names.before === null ? names.period : null;
  const found = {
    mode,
    isFocus: ONLY.test(rest) || isInverse || (count !== null && mode !== 'add'),
    metrics,
    qids: isInverse ? [...names.qids, ...names.excluded] : names.qids,
    excluded: isInverse ? [] : names.excluded,
    steps: STEPS.flatMap((each) => (each.words.test(rest) ? [each.key] : [])),
    count,
    end: count === null || isFromBothEnds ? null : isBest ? 'best' : 'worst',
    windowHours,
    period,
    chipId,
    wantsReview: REVIEW.test(rest),
  } as const;
  const isNaming =
    metrics.length + names.qids.length + names.excluded.length + found.steps.length > 0 ||
    count !== null ||
    windowHours !== null ||
    period !== null ||
    chipId !== null ||
    found.wantsReview;
  const strange = [
    ...(period === null && names.period !== null ? [names.periodText] : []),
    ...names.conditions,
    ...names.errors,
    ...(clause.match(UNFOLLOWED) ?? []),
    ...names.unread.filter((word) => !USUAL.has(word.toLowerCase())),
  ];
  // What cannot be followed as a whole is followed in no part.
  const isWhole =
    UNSUPPORTED.test(clause) ||
    NEGATION.test(names.left) ||
    (!isNaming && (strange.length > 0 || !isUsual(clause)));
  return isWhole
    ? { ...readClause('', now), unsupported: [clause.slice(0, QUOTED)] }
    : { ...found, unsupported: [...new Set(strange)] };
}

const isUsual = (clause: string): boolean =>
  writtenLanguage(clause) === 'ja'
    ? USUAL_JAPANESE.test(clause)
    : (clause.match(/[a-z']+/giu) ?? []).every((word) => USUAL.has(word.toLowerCase().replace(/'\w*$/u, '')));
