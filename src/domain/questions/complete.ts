/** Asks with everything that their clause names, completed by the question before. */
import { directionOf, orderOf, PLACE, selectOrder } from './order.ts';
import { isOfMoves } from './period.ts';
import { type Ask, type AskKind } from './query.ts';
import { type Slots } from './slots.ts';
import { statisticOf } from './statistic.ts';
import { AGAINST_CHIP, NEIGHBOURS, WINNER } from './topics.ts';
import { COUPLING_METRICS, NUMBER_PATTERN, readNumber, readUnit } from './vocabulary.ts';
import { saidIn } from './said.ts';
import { type Named } from './named.ts';

export const FOLLOW_UP =
  /^(?:and|so|ok(?:ay)?|what about|how about|also|same|now|then|for|on|では|じゃあ|それでは)\b|^(?:では|じゃあ|それでは)/iu;

/** `recent failures, 4 of them`. */
export const LONE_NUMBER = new RegExp(`(?<![\\w.])${NUMBER_PATTERN}(?![\\w.%-])`, 'iu');
const numberIn = (rest: string): number | null => readNumber(LONE_NUMBER.exec(rest)?.[0] ?? '');

/** An ask with everything that the clause names, completed by `base`. */
export function complete(asked: AskKind, named: Named, base: Ask | null): Ask {
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
  // `Which gates are disabled?` is about all two-qubit gates of the chip, `which is the best?` about its main one.
  const gates = kind === 'states' && named.before === null ? named.gates : named.gates.slice(0, 1);
  const gate = isOfGate || (kind === 'rank' && isOfCouplings && named.qids.length === 0) ? gates : [];
  const earlier = base?.metrics ?? [];
  const isOfOther = gate.length > 0 && !earlier.some((name) => COUPLING_METRICS.has(name));
  const metrics = own.length > 0 ? own : isOfOther ? gate : earlier;
  const isError =
    named.mentions.length > 0
      ? named.mentions.some((each) => each.isError)
      : (base?.isError ?? (isOfPairs && named.metrics.length === 0));
  const statistic = SUMMED.has(kind) ? statisticOf(named) : null;
  const unit = readUnit(found.conditions.length > 0 ? found.rest : rest);
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
    order: kind === 'select' ? selectOrder(clause, found.conditions) : orderOf(clause, kind),
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
    unit,
    task: named.task,
    isFailed: FAILED.test(clause),
    wantsWinner: WINNER.test(clause),
    said: saidIn(named, unit),
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

const placeIn = (clause: string): number | null => {
  const [, place] = PLACE.exec(clause) ?? [];
  return place === undefined ? null : Number(place);
};

export const NOT_BESIDE =
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

export const isOverTime = (kind: AskKind): boolean =>
  kind === 'trend' || kind === 'periods' || kind === 'changes';

export const FAILED = /\bfail(?:ed|s|ures?|ing)?\b|\bwrong\b|\bbroken?\b|\babort\w*|\bstopped\b|失敗/iu;

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
export function followUp(base: Ask, named: Named): Ask | null {
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
    said: {
      excluded: base.said.excluded,
      unit: base.said.unit,
      conditions: base.said.conditions,
      period: base.said.period,
      before: base.said.before,
      ...saidIn(named, null),
    },
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
