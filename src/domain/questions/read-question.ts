/**
 * Reads what a question asks for. These are fixed rules: a clause names things, conditions, a period and a topic, and
 * what a follow-up leaves out is taken from the question before it. Each word is read, known to be a filler, or
 * reported as unread.
 */
import { againstNow, isImpossible } from './period.ts';
import { fromBothEnds } from './order.ts';
import { eachFigure } from './statistic.ts';
import { MANY } from './pointers.ts';
import { inPlainWords, readable, spelling } from './lexicon.ts';
import { isOfMoves } from './period.ts';
import { NO_NAMES, type Ask, type AskKind, type Correction, type KnownNames, type Reading } from './query.ts';
import { type Slots } from './slots.ts';
import { defaultKind, kindsOf } from './topics.ts';
import { hasMeaning } from './unread.ts';
import { shorten } from '../text/stored-text.ts';
import { TWO_QUBIT_GATES } from './vocabulary.ts';
import { type Context, type Named, readNamed } from './named.ts';
import { leftOf } from './left-over.ts';
import { FOLLOW_UP, complete, isOverTime, followUp } from './complete.ts';

/** An earlier question and its answer, which is empty where there was none. */
export type Exchange = { readonly question: string; readonly answer: string };

/** What a question is read with. */
export type ReadingContext = {
  readonly history?: readonly Exchange[];
  /** The qubit that is selected. */
  readonly qid?: string | null;
  readonly now: Date;
  readonly names?: KnownNames;
};

/** Earlier questions that a follow-up can refer to. */
const REMEMBERED = 6;

/** Sentences, and parts of them, that are read; nobody asks for so many things at once. */
const MOST_CLAUSES = 12;

/** Characters of what is not read that show where the reading ended. */
const SHOWN_OF_UNREAD = 60;

/** All that `question` asks for, in order; nothing where it is not understood. */
export function readQuestion(
  question: string,
  { history = [], qid = null, now, names = NO_NAMES }: ReadingContext,
): Reading {
  let base: Ask | null = null;
  let answer = '';
  let needsChips = false;
  for (const exchange of history.slice(-REMEMBERED)) {
    const read = readAll(exchange.question, { base, answer, qid, now, names });
    // It was not answered.
    if (read.isTooLong) continue;
    base = read.asks.at(-1) ?? base;
    answer = exchange.answer;
    needsChips ||= read.needsChips;
  }
  const read = readAll(question, { base, answer, qid, now, names });
  return { ...read, needsChips: needsChips || read.needsChips };
}

const NOTHING_READ: Reading = {
  asks: [],
  unread: [],
  isTooLong: false,
  asides: [],
  corrections: [],
  chipId: null,
  needsChips: false,
  needsNames: false,
};

function readAll(question: string, context: Context): Reading {
  const { chips, parameters, tasks } = context.names;
  const { text: head, beyond } = readable(question);
  const { text, corrections } = spelling(head, [...chips, ...parameters, ...tasks]);
  const clauses = clausesOf(inPlainWords(text));
  const [notRead = beyond] = clauses.slice(MOST_CLAUSES);
  if (notRead !== '')
    return { ...NOTHING_READ, unread: [shorten(notRead, SHOWN_OF_UNREAD)], isTooLong: true };
  const asks: Ask[] = [];
  const unread: string[] = [];
  const blank: { readonly clause: string; readonly words: readonly string[] }[] = [];
  let chipId: string | null = null;
  /** A day without its year is one that the chip has values of. */
  let needsYear = false;
  /** Words taken for a parameter; each may be a chip. */
  let isGuessed = false;
  for (const clause of clauses) {
    const base = asks.at(-1) ?? context.base;
    // Of `them` in the same question nobody knows yet who they are.
    const answer = asks.length > 0 ? null : context.answer;
    const named = ofThose(namedIn(clause, { ...context, base, answer }, chipId));
    const read = readClause(named, { ...context, base }, asks.length > 0);
    chipId = named.chipIds.at(-1) ?? chipId;
    needsYear ||= named.said.day?.year === null;
    isGuessed ||= named.unknown.length > 0 && read.asks.some(isAbout(named.unknown.join(' ')));
    asks.push(...read.asks);
    if (read.asks.length > 0) unread.push(...read.unread);
    else blank.push({ clause, words: read.unread });
  }
  const distinct = [...new Map(asks.map((ask) => [JSON.stringify(ask), ask])).values()];
  // A sentence that asks nothing leaves the others as they are, unless it has a number or a “not”.
  const isAside = ({ clause, words }: (typeof blank)[number]) =>
    asks.length > 0 &&
    !(words.length > 0 && ASKS.test(clause)) &&
    !words.some((word) => /\d/u.test(word) || hasMeaning(word));
  const left = [...unread, ...blank.flatMap((each) => (isAside(each) ? [] : each.words))];
  const isOpen = distinct.some(({ metrics }) =>
    metrics.some((name) => name === TWO_QUBIT_GATES[0] || !/^[a-z0-9_]+$/u.test(name)),
  );
  const asides = blank.flatMap((each) => (isAside(each) && each.words.length > 0 ? [each.clause] : []));
  return {
    asks: distinct,
    unread: [...new Set(left)],
    asides,
    isTooLong: false,
    corrections: realCorrections(corrections, left),
    chipId: distinct.at(-1)?.chipId ?? chipId,
    needsChips: isGuessed || left.length + asides.length > 0,
    needsNames: left.length > 0 || isOpen || needsYear || distinct.some(isSinceCooldown),
  };
}

const isSinceCooldown = ({ period }: Ask): boolean =>
  isImpossible(period) && period.problem === 'NO_COOLDOWN';

const isAbout =
  (metric: string) =>
  ({ metrics }: Ask): boolean =>
    metrics.includes(metric);

/** A question about parts is none of the sentences that ask nothing, whatever its words are. */
const ASKS =
  /^\s*(?:has|have|had|is|are|was|were|do|does|did|which|what|how|when|why)\b.*\b(?:qubits?|gates?|couplings?|couplers?|pairs?)\b/iu;

/** A correction that nothing came of was none. */
const realCorrections = (
  corrections: readonly Correction[],
  unread: readonly string[],
): readonly Correction[] => corrections.filter(({ read }) => !unread.includes(read));

/** Sentences, and parts of them that begin anew with a verb or a question word. */
const clausesOf = (text: string): readonly string[] =>
  text
    .split(
      /(?<![.?!;。\n])[.?!;。\n]+(?=\s|$)|[?!。]|,?\s+(?:and|then|also)\s+(?=(?:then |also )?(?:show|draw|plot|list|compare|give|tell|which|what|how(?! much\b| far\b| big\b)|find|rank|is|are|was|were|does|did|has|have|who|whose|when|can)\b)/iu,
    )
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');

const AS_WELL = /\b(?:as well|too|also)$/iu;

/** With the conditions of those that a pronoun stands for, where what is asked of them can have conditions. */
function ofThose(named: Named): Named {
  const { whose, found, clause } = named;
  if (whose === null) return named;
  const kinds = kindsOf(clause, named, found.conditions);
  return kinds.every((kind) => OF_VALUES.has(kind))
    ? { ...named, found: { ...found, ...whose } }
    : { ...named, whose: null, open: MANY.exec(clause)?.[0] ?? null };
}
const OF_VALUES: ReadonlySet<AskKind> = new Set([
  'rank',
  'select',
  'statistic',
  'figures',
  'values',
  'compare',
]);

type ClauseRead = { readonly asks: readonly Ask[]; readonly unread: readonly string[] };

/** What a clause names; `chipId` is the known chip that a sentence before it named. */
function namedIn(clause: string, context: Context, chipId: string | null): Named {
  const read = readNamed(clause, context);
  return { ...read, ...againstNow(read.clause, read.said, read), chipId: read.chipId ?? chipId };
}

function readClause(named: Named, { base }: Context, isLater: boolean): ClauseRead {
  const { clause } = named;
  const kinds = kindsOf(clause, named, named.found.conditions);
  const isSameAgain = isLater && named.period !== null && base !== null && isBareTime(named);
  if (kinds.length > 0 && !isSameAgain) {
    const leans = isLater || FOLLOW_UP.test(clause) || needsMetric(kinds, named);
    const asks = kinds
      .map((kind) => complete(kind, named, leans ? base : null))
      .flatMap((ask) => fromBothEnds(ask, clause))
      .flatMap((ask) => eachFigure(ask, clause))
      .flatMap((ask) => onEachChip(ask, named));
    const rest =
      isLater && named.qids.length === 0 && named.whose === null && base !== null && FOUND.has(base.kind)
        ? (/\b(?:them|those|their|they|others?|rest|remaining)\b|残り|ほか|他の/iu.exec(clause) ?? [])
        : [];
    return { asks, unread: [...(named.open === null ? rest : [named.open]), ...leftOf(named, asks)] };
  }
  const isFollowUp = isSameAgain || FOLLOW_UP.test(clause) || AS_WELL.test(clause) || /[はも]$/u.test(clause);
  if (isFollowUp && base !== null) {
    const followed = followUp(base, named);
    if (followed !== null) return { asks: [followed], unread: leftOf(named, [followed]) };
  }
  const kind = defaultKind(clause, named) ?? (named.chipIds.length > 1 ? 'health' : null);
  const asks = kind === null ? [] : onEachChip(complete(kind, named, isLater ? base : null), named);
  return { asks, unread: leftOf(named, asks) };
}

/** Kinds whose answer names parts that only it knows. */
const FOUND: ReadonlySet<AskKind> = new Set(['rank', 'select', 'changes', 'outliers']);

/** `and what was it in May`: the same at another time. */
const isBareTime = ({ metrics, qids, found, rest }: Named): boolean =>
  metrics.length + qids.length + found.conditions.length === 0 && !isOfMoves(rest);

/** A comparison of chips is the same question about each. */
const onEachChip = (ask: Ask, { chipIds }: Slots): readonly Ask[] =>
  chipIds.length > 1 ? chipIds.map((chipId) => ({ ...ask, chipId })) : [ask];

const needsMetric = (kinds: readonly AskKind[], { metrics }: Slots): boolean =>
  metrics.length === 0 &&
  kinds.some((kind) => kind === 'heatmap' || isOverTime(kind) || kind === 'rank' || kind === 'statistic');
