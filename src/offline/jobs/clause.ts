/** Reads one clause of a job's texts: what it names, and whether to look at that, add it or leave it out. */
import { singleSpaced } from '../../domain/questions/lexicon.ts';
import { isPeriod, type Period } from '../../domain/questions/period.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { readNames } from '../../domain/questions/read-names.ts';
import { readQuestion } from '../../domain/questions/read-question.ts';
import { COUPLING_METRICS, isCoupling, LOWER_IS_BETTER } from '../../domain/questions/vocabulary.ts';
import { writtenLanguage } from '../../domain/text/language.ts';
import { unusedWords } from '../analyst/uses.ts';
import words from './job-words.json' with { type: 'json' };
import type { StepKey } from './messages.ts';

/** What is wanted besides parameters, parts and steps; empty lists and nulls where it is not said. */
export const NOTHING = {
  count: null as number | null,
  end: null as 'best' | 'worst' | null,
  windowHours: null as number | null,
  period: null as Period | null,
  chipId: null as string | null,
  wantsReview: false as boolean,
  /** Questions that are answered by themselves. */
  asks: [] as readonly Ask[],
  /** The parts that the job is about, as the question for those that meet conditions, and as it is written. */
  among: null as { readonly ask: Ask; readonly text: string } | null,
  /** What is not understood or not supported, as written. */
  unsupported: [] as readonly string[],
};
export type Wanted = Readonly<typeof NOTHING>;

const EMPTY = {
  ...NOTHING,
  mode: 'set' as 'set' | 'add' | 'without',
  /** Nothing but what it names. */
  isFocus: false as boolean,
  metrics: [] as readonly string[],
  /** Qubits, and couplings as `0-1`. */
  qids: [] as readonly string[],
  /** Parts to leave out, whatever the clause does with others. */
  excluded: [] as readonly string[],
  steps: [] as readonly StepKey[],
};
/** What a clause requests. */
export type Clause = Readonly<typeof EMPTY>;

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
/** Verbs of a report, as a question has them. */
const VERBS = words.verbs.map(([verb = '', by = '']) => [pattern([verb]), by] as const);
/** How many, not which. */
const COUNTED = pattern(words.counted);
const OF_QUBITS = pattern(words.ofQubits);
const OWN = [KEPT, INVERSE, WITHOUT, ADD, ONLY, REVIEW, ...STEPS.map((each) => each.words), USUAL_JAPANESE];

/** Parts of sentences, each with one request. Lists of qubits and parameters stay whole. */
export const clausesOf = (text: string): readonly string[] =>
  singleSpaced(text)
    .replaceAll(/(?<=Q\d{1,4})、(?=Q\d{1,4}(?!\d))/giu, 'と')
    .replaceAll(/^[^\S\n]*(?:#+|[-*]|\d+\.)[^\S\n]+/gmu, '')
    .split(new RegExp(words.clauseEnds.join('|'), 'iu'))
    .map((clause) => clause.replace(/^and\s+/iu, '').trim())
    .filter((clause) => clause !== '');

/** Longest quotation. */
const QUOTED = 120;

/** A clause that is not followed, as it is written. */
export const unsupported = (written: string): Clause => ({
  ...EMPTY,
  unsupported: [written.slice(0, QUOTED)],
});

/** Reads one clause, spelt out; `chips` are known names, `quoted` is how somebody wrote it. */
export function readClause(
  clause: string,
  { now, chips, quoted }: { readonly now: Date; readonly chips: readonly string[]; readonly quoted: string },
): Clause {
  const names = readNames(clause, { now, chips, own: OWN });
  const { rest, order, windowHours, chipId } = names;
  const isInverse = INVERSE.test(clause);
  const isWithout = WITHOUT.test(rest) && !isInverse && !KEPT.test(rest);
  const mode = isWithout ? 'without' : ADD.test(rest) || KEPT.test(rest) ? 'add' : 'set';
  const count = order === null ? null : names.count;
  const period =
    isPeriod(names.period) && names.period.from !== null && names.before === null ? names.period : null;
  const found: Clause = {
    ...EMPTY,
    mode,
    isFocus: ONLY.test(rest) || isInverse || (count !== null && mode !== 'add'),
    metrics: names.metrics,
    qids: isInverse ? [...names.qids, ...names.excluded] : names.qids,
    excluded: isInverse ? [] : names.excluded,
    steps: stepsIn(rest, mode === 'set' && isAboutCouplings(names)),
    count,
    end: count === null || names.isFromBothEnds ? null : endIn(names),
    windowHours,
    period,
    chipId,
    wantsReview: REVIEW.test(rest),
  };
  const strange = [
    ...(period === null && names.period !== null ? [names.periodText] : []),
    ...names.conditions,
    ...names.errors,
    ...(clause.match(UNFOLLOWED) ?? []),
    ...names.unread.filter((word) => !USUAL.has(word.toLowerCase())),
  ];
  // What cannot be followed as a whole is followed in no part.
  const isNaming = JSON.stringify({ ...found, mode: 'set', isFocus: false }) !== JSON.stringify(EMPTY);
  const isWhole = NEGATION.test(names.left) || (!isNaming && (strange.length > 0 || !isUsual(clause)));
  if (UNSUPPORTED.test(clause)) return unsupported(quoted);
  if (!isWhole && strange.length === 0) return found;
  const asked = mode === 'set' ? asQuestion(clause, found, now) : null;
  if (asked !== null) return asked;
  return isWhole ? unsupported(quoted) : { ...found, unsupported: [...new Set(strange)] };
}

/** A clause that reads as a question without any word left: its answer, or the parts that meet its conditions. */
function asQuestion(clause: string, found: Clause, now: Date): Clause | null {
  const question = VERBS.reduce((text, [verb, by]) => text.replace(verb, by), clause);
  const { asks, unread, asides } = readQuestion(question, { now });
  const isOpen = unread.length + asides.length + unusedWords(asks).length > 0;
  if (isOpen || asks.length === 0 || asks.some(({ kind, state }) => kind === 'action' || state === 'Working'))
    return null;
  const [ask, ...others] = asks;
  const isAmong =
    ask?.kind === 'select' && others.length === 0 && ask.statistic === null && !COUNTED.test(clause);
  if (!isAmong) return { ...EMPTY, chipId: found.chipId, asks };
  const conditional = ask.conditions.map(({ quantity }) => quantity.metric);
  return {
    ...found,
    among: { ask: { ...ask, count: null }, text: clause },
    qids: [],
    isFocus: found.isFocus || found.steps.includes('couplings'),
    metrics: found.metrics.filter((name) => !conditional.includes(name)),
  };
}

/** The steps that a clause names; to rank couplings is no ranking of qubits. */
function stepsIn(rest: string, isOfCouplings: boolean): readonly StepKey[] {
  const named = STEPS.flatMap((each) => (each.words.test(rest) ? [each.key] : []));
  const steps = isOfCouplings && !named.includes('couplings') ? [...named, 'couplings' as const] : named;
  return steps.includes('couplings') && !OF_QUBITS.test(rest)
    ? steps.filter((key) => key !== 'extremes')
    : steps;
}

/** Whether parameters and parts are those of couplings. */
const isAboutCouplings = ({ metrics, qids }: Pick<Clause, 'metrics' | 'qids'>): boolean =>
  (metrics.length > 0 && metrics.every((name) => COUPLING_METRICS.has(name))) || qids.some(isCoupling);

function endIn({ order, metrics: [first = ''] }: Pick<ReturnType<typeof readNames>, 'order' | 'metrics'>) {
  const isFlipped = LOWER_IS_BETTER.has(first) && (order === 'lowest' || order === 'highest');
  return (order === 'best' || order === 'highest') !== isFlipped ? 'best' : 'worst';
}

const isUsual = (clause: string): boolean =>
  writtenLanguage(clause) === 'ja'
    ? USUAL_JAPANESE.test(clause)
    : (clause.match(/[a-z']+/giu) ?? []).every((word) => USUAL.has(word.toLowerCase().replace(/'\w*$/u, '')));
