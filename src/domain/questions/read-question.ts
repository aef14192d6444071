/**
 * Reads what a question asks for. These are fixed rules: a clause names things, conditions, a period and a topic, and
 * what a follow-up leaves out is taken from the question before it. Each word is read, known to be a filler, or
 * reported as unread.
 */
import { directionOf, fromBothEnds, orderOf, selectOrder } from './order.ts';
import { withPointers } from './pointers.ts';
import { readConditions, type ConditionsRead } from './conditions.ts';
import { inPlainWords, spelling } from './lexicon.ts';
import {
  againstNow,
  comparedPeriods,
  isImpossible,
  isOfMoves,
  MOVED,
  readPeriods,
  type PeriodRead,
} from './period.ts';
import { NO_NAMES, type Ask, type AskKind, type Correction, type KnownNames, type Reading } from './query.ts';
import { COUNT, LAST, namePattern, readSlots, type Slots } from './slots.ts';
import { statisticOf } from './statistic.ts';
import {
  AGAINST_CHIP,
  defaultKind,
  kindsOf,
  NEIGHBOURS,
  RATIO,
  WINNER,
  withoutTopicWords,
} from './topics.ts';
import { hasMeaning, unreadWords } from './unread.ts';
import {
  COUPLING_METRICS,
  NUMBER_PATTERN,
  readNumber,
  TWO_QUBIT_GATES,
  readUnit,
  UNIT_ASKED,
} from './vocabulary.ts';

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

/** All that `question` asks for, in order; nothing where it is not understood. */
export function readQuestion(
  question: string,
  { history = [], qid = null, now, names = NO_NAMES }: ReadingContext,
): Reading {
  let base: Ask | null = null;
  let answer = '';
  for (const exchange of history.slice(-REMEMBERED)) {
    base = readAll(exchange.question, { base, answer, qid, now, names }).asks.at(-1) ?? base;
    answer = exchange.answer;
  }
  return readAll(question, { base, answer, qid, now, names });
}

type Context = {
  readonly base: Ask | null;
  readonly answer: string;
  readonly qid: string | null;
  readonly now: Date;
  readonly names: KnownNames;
};

function readAll(question: string, context: Context): Reading {
  const { chips, parameters, tasks } = context.names;
  const { text, corrections } = spelling(question, [...chips, ...parameters, ...tasks]);
  const asks: Ask[] = [];
  const unread: string[] = [];
  const blank: { readonly clause: string; readonly words: readonly string[] }[] = [];
  for (const clause of clausesOf(inPlainWords(text))) {
    const base = asks.at(-1) ?? context.base;
    const read = readClause(clause, { ...context, base }, asks.length > 0);
    asks.push(...read.asks);
    if (read.asks.length > 0) unread.push(...read.unread);
    else blank.push({ clause, words: read.unread });
  }
  const distinct = [...new Map(asks.map((ask) => [JSON.stringify(ask), ask])).values()];
  // A sentence that asks nothing leaves the others as they are, unless it has a number or a “not”.
  const isAside = ({ words }: { readonly words: readonly string[] }) =>
    asks.length > 0 && !words.some((word) => /\d/u.test(word) || hasMeaning(word));
  const left = [...unread, ...blank.flatMap((each) => (isAside(each) ? [] : each.words))];
  const isOpen = distinct.some(({ metrics }) =>
    metrics.some((name) => name === TWO_QUBIT_GATES[0] || !/^[a-z0-9_]+$/u.test(name)),
  );
  return {
    asks: distinct,
    unread: [...new Set(left)],
    asides: blank.flatMap((each) => (isAside(each) && each.words.length > 0 ? [each.clause] : [])),
    corrections: realCorrections(corrections, left),
    needsNames: left.length > 0 || isOpen || distinct.some(({ period }) => period !== null),
  };
}

/** A correction that nothing came of was none. */
const realCorrections = (
  corrections: readonly Correction[],
  unread: readonly string[],
): readonly Correction[] => corrections.filter(({ read }) => !unread.includes(read));

/** Sentences, and parts of them that begin anew with a verb or a question word. */
const clausesOf = (text: string): readonly string[] =>
  text
    .split(
      /[.?!;。\n]+(?=\s|$)|[?!。]|,?\s+(?:and|then|also)\s+(?=(?:then |also )?(?:show|draw|plot|list|compare|give|tell|which|what|how(?! much\b| far\b| big\b)|find|rank|is|are|was|were|does|did|has|have|who|whose|when|can)\b)/iu,
    )
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');

const FOLLOW_UP =
  /^(?:and|so|ok(?:ay)?|what about|how about|also|same|now|then|for|on|では|じゃあ|それでは)\b|^(?:では|じゃあ|それでは)/iu;

const AS_WELL = /\b(?:as well|too|also)$/iu;

/** All that a clause names. */
export type Named = Slots &
  Pick<Ask, 'period' | 'before'> & {
    readonly found: ConditionsRead;
    /** Without the words of its period, which are these. */
    readonly clause: string;
    readonly periodText: string;
    /** Its first period as it was written. */
    readonly said: PeriodRead;
    /** The fidelity of the chip's two-qubit gate. */
    readonly gate: string;
  };

type ClauseRead = { readonly asks: readonly Ask[]; readonly unread: readonly string[] };

function readClause(written: string, context: Context, isLater: boolean): ClauseRead {
  const read = readNamed(written, context);
  const named = { ...read, ...againstNow(read.clause, read.said, read) };
  const { clause } = named;
  const { base } = context;
  const kinds = kindsOf(clause, named, named.found.conditions);
  const isSameAgain = isLater && named.period !== null && base !== null && isBareTime(named);
  if (kinds.length > 0 && !isSameAgain) {
    const leans = isLater || FOLLOW_UP.test(clause) || needsMetric(kinds, named);
    const asks = kinds
      .map((kind) => complete(kind, named, leans ? base : null))
      .flatMap((ask) => fromBothEnds(ask, clause))
      .flatMap((ask) => onEachChip(ask, named));
    // Of `them` in the same question nobody knows yet who they are.
    const open =
      isLater && named.qids.length === 0 && base !== null && FOUND.has(base.kind)
        ? (/\b(?:them|those|their|they)\b/iu.exec(clause) ?? [])
        : [];
    return { asks, unread: [...open, ...leftOf(named, asks)] };
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

/** Reads what a clause names. */
export function readNamed(written: string, context: Context): Named {
  const [first, second] = readPeriods(written, context.now, context.names.dataUntil ?? null);
  const periods = comparedPeriods(written, first, second);
  const slots = readSlots(second.period === null ? first.rest : second.rest, context.names);
  const read = readConditions(slots.rest, slots.mentions);
  const found = claimsAside(read, slots);
  const limits = new Set(found.limits.map(({ at }) => at));
  const mentions = slots.mentions.filter(({ at }) => !limits.has(at));
  const own = {
    ...slots,
    rest: found === read ? slots.rest : found.rest,
    mentions,
    metrics: [...new Set(mentions.map(({ metric }) => metric))],
  };
  // Of a parameter of qubits `Q0-Q9` is a range.
  const isOfQubits = own.metrics.length > 0 && !own.metrics.some((name) => COUPLING_METRICS.has(name));
  const ranged = isOfQubits
    ? { ...own, qids: own.qids.flatMap(rangeOf), excluded: own.excluded.flatMap(rangeOf) }
    : own;
  const own2q = TWO_QUBIT_GATES.find((name) => context.names.parameters.includes(name));
  const gate = own2q ?? TWO_QUBIT_GATES[0] ?? '';
  // Words and numbers of conditions are no counts and no windows.
  const again =
    found.conditions.length === 0 ? ranged : { ...ranged, ...recounted(found.rest, context.names) };
  const clause = second.period === null ? first.rest : second.rest;
  return {
    ...withPointers(clause, again, context),
    ...periods,
    found,
    clause,
    periodText: first.text,
    said: first,
    gate,
  };
}

const rangeOf = (id: string): readonly string[] => {
  const [from = 0, to = from] = id.split('-').map(Number);
  return to - from > 1 && to - from < 128
    ? Array.from({ length: to - from + 1 }, (_, step) => String(from + step))
    : [id];
};

/** `the T2 of Q13 (6 us)`: a value that is said of a part is no condition; the part's own value answers it. */
function claimsAside(found: ConditionsRead, { qids }: Slots): ConditionsRead {
  const isClaim = found.rounded > 0 && found.conditions.length === 2 * found.rounded;
  return qids.length > 0 && isClaim
    ? { ...found, conditions: [], limits: [], rest: found.rest.replaceAll('▣', '▫') }
    : found;
}

const recounted = (
  rest: string,
  names: KnownNames,
): Pick<Slots, 'count' | 'lastN' | 'windowHours' | 'rest'> => {
  const { count, lastN, windowHours } = readSlots(rest, names);
  return { count, lastN, windowHours, rest };
};

/** The words of a clause that none of its asks uses. */
function leftOf(named: Named, asks: readonly Ask[]): readonly string[] {
  const kinds = asks.map(({ kind }) => kind);
  const [ask] = asks;
  const used = [
    ...asks.flatMap(({ chipId }) => (chipId === null ? [] : [namePattern([chipId])])),
    ...(ask?.unit == null ? [] : [UNIT_ASKED]),
    ...(named.lastN !== null && kinds.some(usesWindow) ? LAST : []),
    ...(named.windowHours !== null && kinds.some(usesWindow) ? [WINDOW_WORDS] : []),
    ...(named.count === null || kinds.includes('statistic') ? [] : [COUNT]),
    ...(ask?.isError === true || named.found.conditions.some(({ quantity }) => quantity.isError)
      ? [/\berrors?\b|\binfidelit\w+|エラー|誤り/iu]
      : []),
    ...(ask?.isFailed === true ? [FAILED] : []),
    ...(ask?.metrics ?? []).map((name) => new RegExp(namePattern(name.split(' ')).source, 'iu')),
    ...(kinds.includes('runs') ? [LONE_NUMBER] : []),
    ...(kinds.includes('periods') ? [/\bbefore\b/iu] : []),
    ...(kinds.includes('select') ? [SHARE] : []),
    ...(kinds.includes('topology') && named.metrics.length > 0 ? [WINNER] : []),
    ...(kinds.includes('ratio') ? [RATIO] : []),
    ...(named.before === null ? [] : [/\bsnapshots?\b/iu]),
    ...(ask?.beside === 'others' ? [NOT_BESIDE] : []),
    ...(ask?.place == null ? [] : [PLACE]),
    ...(kinds.includes('statistic') && asks.length > 1 ? [AGAINST_CHIP] : []),
    ...(kinds.includes('periods') || kinds.includes('changes') || kinds.includes('states')
      ? PERIOD_WORDS
      : []),
    FOLLOW_UP,
    /\bbetween(?=\s*(?:the\s+)?[■□])/iu,
  ];
  const { rest, others } = withoutTopicWords(
    named.found.conditions.length > 0 ? named.found.rest : named.rest,
    kinds,
    used,
  );
  const periods = named.period !== null && !kinds.some(usesPeriod) && !isImpossible(named.period);
  if (kinds.includes('action')) return [];
  return [
    ...(periods ? [named.periodText] : []),
    ...(kinds.includes('select') ? [] : conditionTexts(named)),
    ...(kinds.some(usesRows) ? [] : rowWords(named, asks)),
    ...others,
    ...unreadWords(rest),
  ];
}

/** What stands around the names of periods, and of what moved between them. */
const PERIOD_WORDS: readonly RegExp[] = [
  /\b(?:between|from|since|before|after|during|until|then|ago|earlier|times?|years?)\b/iu,
  /\b(?:averages?|means?|medians?)\b|平均|中央値/iu,
  /\b(?:percentage )?points?\b|\bdifference\b|年/iu,
  /\b(?:better|worse|more|less|longer|shorter|higher|lower|most|least|ever|up|down)\b/iu,
  MOVED,
];

/** Each count of parts that meet conditions comes with its share. */
const SHARE = /\b(?:share|fraction|percentage|percent|proportion|ratio|yield)\b|割合|比率|歩留/iu;

/** `recent failures, 4 of them`. */
const LONE_NUMBER = new RegExp(`(?<![\\w.])${NUMBER_PATTERN}(?![\\w.%-])`, 'iu');
const numberIn = (rest: string): number | null => readNumber(LONE_NUMBER.exec(rest)?.[0] ?? '');

const OF_ROWS: ReadonlySet<AskKind> = new Set([
  'rank',
  'select',
  'values',
  'compare',
  'statistic',
  'figures',
  'topology',
]);
const usesRows = (kind: AskKind): boolean => OF_ROWS.has(kind);

/** What only lists of values can follow: parts to leave out, and a unit to answer in. */
const rowWords = ({ excluded }: Named, asks: readonly Ask[]): readonly string[] => [
  ...excluded.map((qid) => `without ${qid}`),
  ...asks.flatMap(({ unit }) => (unit === null ? [] : [`in ${unit}`])),
];

/** Conditions as they are written. */
export const conditionTexts = ({ found, clause }: Named): readonly string[] =>
  [...found.rest.matchAll(/▣+/gu)].map(({ index, 0: text }) =>
    clause.slice(index, index + text.length).trim(),
  );

/** The length of a window. */
export const WINDOW_WORDS =
  /\b(?:this|last|past|previous|the)?\s*(?:\w+\s+)?(?:days?|weeks?|months?|hours?)(?: ago)?\b|\b(?:since )?(?:today|yesterday)\b|\bsince\b|\bbefore\b|\bover\b|\bwithin\b|(?:今|先|昨)[日週月]|[日週月]間?|\d+\s*(?:日|週|か月)/iu;

const usesWindow = (kind: AskKind): boolean => isOverTime(kind) || kind === 'runs' || kind === 'executions';
const usesPeriod = (kind: AskKind): boolean => isOverTime(kind) || kind === 'states';

const needsMetric = (kinds: readonly AskKind[], { metrics }: Slots): boolean =>
  metrics.length === 0 &&
  kinds.some((kind) => kind === 'heatmap' || isOverTime(kind) || kind === 'rank' || kind === 'statistic');

/** An ask with everything that the clause names, completed by `base`. */
function complete(asked: AskKind, named: Named, base: Ask | null): Ask {
  const { clause, found, rest } = named;
  const kind = datedKind(asked, named);
  const isOfChip = kind === 'statistic' && named.qids.length > 0 && AGAINST_CHIP.test(clause);
  const own = named.metrics.length > 0 ? named.metrics : unknownMetric(kind, named);
  const isOfCouplings =
    /\bcouplings?\b|\bcouplers?\b|\bpairs?\b|\bgates?\b|\bedges?\b|カップリング|結合|ペア|ゲート/iu.test(
      clause,
    );
  const isOfPairs = kind === 'compare' && named.qids.every((qid) => qid.includes('-'));
  const isOfGate =
    isOfPairs || (isOfCouplings && (kind === 'states' || (kind === 'changes' && named.before !== null)));
  const gate = isOfGate || (kind === 'rank' && isOfCouplings && named.qids.length === 0) ? [named.gate] : [];
  const metrics = own.length > 0 ? own : (base?.metrics ?? gate);
  const isError =
    named.mentions.length > 0
      ? named.mentions.some((each) => each.isError)
      : (base?.isError ?? (isOfPairs && named.metrics.length === 0));
  const statistic = SUMMED.has(kind) ? statisticOf(named) : null;
  return {
    kind,
    metrics,
    isError,
    qids: isOfChip
      ? []
      : named.qids.length > 0 || !LEANS.has(kind) || base?.kind === 'rank'
        ? named.qids
        : (base?.qids ?? []),
    excluded: named.excluded,
    beside: besideOf(kind, named),
    state: kind === 'states' ? stateOf(clause) : null,
    chipId: named.chipId ?? base?.chipId ?? null,
    order:
      kind === 'select' ? selectOrder(clause, metrics, found.conditions) : orderOf(clause, metrics, isError),
    direction: directionOf(clause),
    count: countOf(kind, named),
    place: placeIn(clause),
    lastN: named.lastN ?? (kind === 'runs' ? numberIn(rest) : null),
    windowHours: named.windowHours,
    period: named.period,
    before: named.before,
    statistic: statistic ?? extremeOf(kind, rest),
    conditions: found.conditions,
    join: found.join,
    unit: readUnit(found.conditions.length > 0 ? found.rest : rest),
    task: named.task,
    isFailed: FAILED.test(clause),
    wantsWinner: WINNER.test(clause),
  };
}

/** A change is asked for of some, or of all to which it happened; everything that is listed by `each` is listed whole. */
const countOf = (kind: AskKind, { count: written, clause, rest }: Named): number | null =>
  (written === 1 && !IN_ORDER.has(kind) ? null : written) ??
  (/\b(?:each|every|all)\b|全|すべて|各/iu.test(rest) ||
  (kind === 'changes' &&
    !/\b(?:most|least|worst|best|(?:bigg|larg|great|strong|steep|sharp)est)\b|最|一番|順/iu.test(clause))
    ? MOST_ROWS
    : null);
const MOST_ROWS = 100;
/** Kinds of which `which qubit` asks for a single one. */
const IN_ORDER: ReadonlySet<AskKind> = new Set(['rank', 'changes', 'periods', 'heatmap', 'topology']);

const PLACE = /\bplace (\d)\b/iu;
const placeIn = (clause: string): number | null => {
  const [, place] = PLACE.exec(clause) ?? [];
  return place === undefined ? null : Number(place);
};

const NOT_BESIDE =
  /\b(?:not|no|never|without|n't)\b(?=[^,;]{0,30}(?:coupl|connect|link|neighbou?r|adjacent|next to|beside|wired|attached))|(?<=隣|つながって|繋がって|接続(?:されて|して)?|隣接して)(?:では|じゃ|で|い)?(?:い)?な[いく]/iu;

/** Whether it is about the qubits beside those that are named, or about the others. */
function besideOf(kind: AskKind, { qids, rest, found }: Named): Ask['beside'] {
  const text = found.conditions.length > 0 ? found.rest : rest;
  if (qids.length !== 1 || qids.some((qid) => qid.includes('-')) || !NEIGHBOURS.test(text)) return null;
  if (kind !== 'select' && kind !== 'topology') return null;
  return NOT_BESIDE.test(text) ? 'others' : 'neighbours';
}

const stateOf = (clause: string): Ask['state'] =>
  /\bmissing\b|欠落/iu.test(clause)
    ? 'Missing'
    : /\bdoubtful\b|\bdubious\b|疑わしい/iu.test(clause)
      ? 'Doubtful'
      : /\bdisabled\b|無効|使えない|壊れ|停止中/iu.test(clause)
        ? 'Disabled'
        : /\bworking\b|\benabled\b|\boperational\b|動作中/iu.test(clause)
          ? 'Working'
          : null;

const SUMMED: ReadonlySet<AskKind> = new Set(['statistic', 'trend', 'select', 'periods', 'changes']);

/** `the lowest T1 of those with …` is a list in order; `the minimum` is one figure of it. */
const extremeOf = (kind: AskKind, rest: string): Ask['statistic'] =>
  kind !== 'select'
    ? null
    : /\bminimum\b|最小値/iu.test(rest)
      ? { type: 'min' }
      : /\bmaximum\b|最大値/iu.test(rest)
        ? { type: 'max' }
        : null;

/** Values, figures and orders of named days are those of a period; of two periods with a word for it, what moved. */
function datedKind(kind: AskKind, named: Named): AskKind {
  const { period, before, metrics, qids, clause } = named;
  if (period === null) return kind;
  const statistic = kind === 'statistic' ? statisticOf(named)?.type : null;
  if (before !== null && metrics.length > 0 && qids.length === 0 && MOVABLE.has(kind)) {
    return isOfMoves(clause) || directionOf(clause) !== 'any' ? 'changes' : 'periods';
  }
  if (before !== null && qids.length > 0 && kind === 'changes') return 'periods';
  const isSummed = statistic === 'mean' || statistic === 'median' || statistic === 'stdev';
  return isSummed || OF_A_WINDOW.has(kind) || (kind === 'rank' && metrics.length > 0) ? 'periods' : kind;
}

const OF_A_WINDOW: ReadonlySet<AskKind> = new Set([
  'trend',
  'periods',
  'figures',
  'values',
  'compare',
  'age',
]);
const MOVABLE: ReadonlySet<AskKind> = new Set([
  'trend',
  'periods',
  'figures',
  'rank',
  'compare',
  'changes',
  'topology',
]);

/** Kinds that are about the parts of the question before where they name none. */
const LEANS: ReadonlySet<AskKind> = new Set(['trend', 'periods', 'changes', 'plausible', 'outliers']);

const isOverTime = (kind: AskKind): boolean => kind === 'trend' || kind === 'periods' || kind === 'changes';

const FAILED = /\bfail(?:ed|s|ures?|ing)?\b|\bwrong\b|\bbroken?\b|\babort\w*|\bstopped\b|失敗/iu;

/** Unknown words where a parameter is expected, so that the tool lists the parameters that exist. */
function unknownMetric(kind: AskKind, { unknown }: Slots): readonly string[] {
  return unknown.length > 0 && ABOUT_A_PARAMETER.has(kind) ? [unknown.join(' ')] : [];
}

/** Kinds that are about some parameter whether it is named or not. */
const ABOUT_A_PARAMETER: ReadonlySet<AskKind> = new Set([
  'heatmap',
  'rank',
  'trend',
  'periods',
  'changes',
  'values',
  'compare',
  'statistic',
  'outliers',
  'lineage',
]);

/** The earlier ask with the changes of the follow-up; null when that names nothing. */
function followUp(base: Ask, named: Named): Ask | null {
  const { metrics, qids, chipId, count, lastN, windowHours, period } = named;
  const saysMore = [chipId, count, lastN, windowHours, period].some((each) => each !== null);
  if (metrics.length === 0 && qids.length === 0 && !saysMore) return null;
  const isError = named.mentions.length > 0 ? named.mentions.some((each) => each.isError) : base.isError;
  return {
    ...base,
    kind: datedKind(followedKind(base.kind, metrics.length > 0, qids.length), named),
    metrics: metrics.length > 0 ? metrics : base.metrics,
    isError,
    qids: qids.length > 0 ? qids : base.qids,
    chipId: chipId ?? base.chipId,
    count: count ?? base.count,
    lastN: lastN ?? base.lastN,
    windowHours: windowHours ?? base.windowHours,
    period: period ?? base.period,
    before: named.before ?? base.before,
  };
}

/** The kind of a follow-up: a question about a chip becomes one about qubits or a parameter once these are named. */
function followedKind(kind: AskKind, hasMetric: boolean, qubits: number): AskKind {
  if (OF_A_CHIP.has(kind)) {
    if (hasMetric) return qubits > 0 ? 'values' : 'figures';
    return qubits > 0 && kind === 'health' ? 'values' : kind;
  }
  if (qubits === 0 || !OF_VALUES.has(kind)) return kind;
  return qubits > 1 ? 'compare' : 'values';
}

const OF_A_CHIP: ReadonlySet<AskKind> = new Set(['health', 'topology', 'parameters']);
const OF_VALUES: ReadonlySet<AskKind> = new Set([
  'rank',
  'heatmap',
  'figures',
  'statistic',
  'select',
  'values',
  'compare',
]);
