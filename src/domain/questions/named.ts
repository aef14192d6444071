/** All that a clause names: parameters, parts, conditions, periods and counts. */
import { withPointers, type Pointers } from './pointers.ts';
import { readConditions, type ConditionsRead } from './conditions.ts';
import { namedOrder } from './order.ts';
import { comparedPeriods, readPeriods, type PeriodRead } from './period.ts';
import { type Ask, type KnownNames } from './query.ts';
import { readSlots, type Slots } from './slots.ts';
import { COUPLING_METRICS, TWO_QUBIT_GATES } from './vocabulary.ts';

export type Context = {
  readonly base: Ask | null;
  /** Null while it is not given. */
  readonly answer: string | null;
  readonly qid: string | null;
  readonly now: Date;
  readonly names: KnownNames;
};

/** All that a clause names. */
export type Named = Slots &
  Pick<Ask, 'period' | 'before'> &
  Pick<Pointers, 'whose' | 'open'> & {
    readonly found: ConditionsRead;
    /** Without the words of its period, which are these. */
    readonly clause: string;
    readonly periodText: string;
    /** Its first period as it was written. */
    readonly said: PeriodRead;
    /** The fidelities of the chip's two-qubit gates, its main one first. */
    readonly gates: readonly string[];
  };

/** Reads what a clause names. */
export function readNamed(written: string, context: Context): Named {
  const [first, second] = readPeriods(written, context.now, context.names);
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
  const gates = TWO_QUBIT_GATES.filter((name) => context.names.parameters.includes(name));
  // Words and numbers of conditions are no counts and no windows.
  const again =
    found.conditions.length === 0 ? ranged : { ...ranged, ...recounted(found.rest, context.names) };
  const clause = second.period === null ? first.rest : second.rest;
  const isOfAllTime = EVER.test(clause) || (EXTREME_DAY.test(clause) && namedOrder(clause) !== null);
  const { slots: pointed, whose, open } = withPointers(clause, again, found, context);
  return {
    ...pointed,
    whose,
    open,
    ...periods,
    period: periods.period ?? (isOfAllTime && own.qids.length * own.metrics.length > 0 ? ALL_TIME : null),
    found,
    clause,
    periodText: first.text,
    said: first,
    gates: gates.length > 0 ? gates : TWO_QUBIT_GATES.slice(0, 1),
  };
}

const EVER = /\bever\b|\ball (?:days|dates|times?|(?:stored |past )?results)\b|これまで|全期間|今まで/iu;
/** `which day had the lowest T1 of Q2` */
const EXTREME_DAY =
  /\b(?:which|what) (?:day|date)\b|\bwhen (?:was|were|did|had|has)\b|いつ(?!も)|どの日|何月何日/iu;
const ALL_TIME = { from: null, to: null };

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

/** Conditions as they are written. */
export const conditionTexts = ({ found, clause }: Named): readonly string[] =>
  [...found.rest.matchAll(/▣+/gu)].map(({ index, 0: text }) =>
    clause.slice(index, index + text.length).trim(),
  );
