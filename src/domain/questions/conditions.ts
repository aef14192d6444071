/**
 * Reads conditions on values: `T1 below 50 us`, `CZ error > 1 %`, `between 4.8 and 5 GHz`, `T2 above 2·T1`,
 * `T1が50μs未満`. Parameters have been marked before: each is a run of ■ here.
 */
import type { Comparison } from '../values/value-conditions.ts';
import type { Condition, Quantity } from './query.ts';
import { NUMBER_PATTERN, readNumber } from './vocabulary.ts';
import comparisons from './comparisons.json' with { type: 'json' };

/** A parameter where a clause names it. */
export type Mention = Quantity & { readonly at: number; readonly end: number };

/** The conditions of a clause, how they are joined, and the clause with their words blanked. */
export type ConditionsRead = {
  readonly conditions: readonly Condition[];
  readonly join: 'and' | 'or';
  /** Parameters that only serve as a limit: `T1` of `T2 above 2·T1`. */
  readonly limits: readonly Mention[];
  /** Values that were written as they are rounded: two conditions each. */
  readonly rounded: number;
  readonly rest: string;
};

const either = (words: readonly string[]): string => words.join('|');
const { english, japanese, not, units } = comparisons;
const EN = Object.entries(english).map(([is, words]) => ({ is, source: either(words) }));
const NUMBER = `(-?\\d{1,15}(?:\\.\\d{1,15})?(?:e-?\\d{1,3})?|${NUMBER_PATTERN.slice(3, -1).replace('\\d{1,4}|', '')})`;
/** Of these there may be so many, but no value is so many of them. */
const COUNTED =
  '(?!\\s*(?:st|nd|rd|th|days?|weeks?|months?|years?|hours?|results?|runs?|measurements?|points?|qubits?|couplings?|pairs?|gates?|日|週|か月|回|件|個|つ)(?![a-z]))(?![\\d.]{0,15}\\d)';
const UNIT = `${COUNTED}(?:\\s*(${either(Object.keys(units))})(?![a-z]))?`;
const TIMES = `(?:(\\d{1,15}(?:\\.\\d{1,15})?|twice|double|half)\\s*(?:times|[x×·*⋅])?\\s*(?:the |its |their )?)?`;
const WORDS = EN.map(({ source }) => `(${source})`).join('|');

/** `not above 50 us`, `> 2·T1`; the groups are: not, one for each comparison, then times and ■, or number and unit. */
const AGAINST = new RegExp(
  `(?<![\\w])(${either(not)})?(?:\\b(?:is|are|be|being|of|with|has|have|a|the)\\s+){0,6}(?:${WORDS})\\s*(?:only |just |about |around )?(?:the |its |their |a )?(?:${TIMES}(■+)|(?:chip(?:['’]s)? |overall |device )?(median|average|mean)\\b|${NUMBER}${UNIT}(?!\\s*[x×·*⋅]\\s*■|■))`,
  'giu',
);
const RANGE = new RegExp(
  `(${either(not)})?(?<![\\w])(between|outside(?: of)?|within|from|in the range(?: of)?)\\s+${NUMBER}${UNIT}\\s*(?:and|to|[-–~〜])\\s*${NUMBER}${UNIT}`,
  'giu',
);
const JA = Object.entries(japanese).map(([is, words]) => ({ is, source: either(words) }));
const JAPANESE = new RegExp(
  `(?:${NUMBER}${UNIT}|(?<!■)(■+)(?:の(\\d{1,15}(?:\\.\\d{1,15})?)倍)?|(平均|中央値)(?:値)?)\\s*(?:${JA.map(({ source }) => `(${source})`).join('|')})(では?ない|でない|(?:の|な)?(?:量子ビット|qubits?|もの|ペア|カップリング|ゲート|やつ)?を除いて)?`,
  'giu',
);

const NEGATED: Readonly<Record<Comparison, Comparison>> = {
  above: 'at_most',
  at_least: 'below',
  below: 'at_least',
  at_most: 'above',
  equal: 'unequal',
  unequal: 'equal',
};

type Found = {
  readonly at: number;
  readonly end: number;
  readonly is: string;
  readonly isNegated: boolean;
  readonly value: number;
  readonly unit: string;
  /** Where the parameter begins that is the limit. */
  readonly thanAt: number | null;
  /** Half of the last digit that is written. */
  readonly half: number;
  readonly of: Condition['of'];
};

const factorOf = (written: string | undefined): number => {
  const word = written?.toLowerCase() ?? '1';
  return word === 'half' ? 0.5 : word === 'twice' || word === 'double' ? 2 : Number(word);
};
const numberOf = (written: string): number =>
  Number.isNaN(Number(written)) ? (readNumber(written) ?? Number.NaN) : Number(written);
const halfOf = (written: string | undefined): number =>
  10 ** -(/\.(\d+)/u.exec(written ?? '')?.[1]?.length ?? 0) / 2;
const figureIn = (written: string | undefined): Condition['of'] =>
  written === undefined ? null : /median|中央/iu.test(written) ? 'median' : 'mean';
const unitOf = (written: string | undefined): string =>
  Object.entries(units).find(([word]) => new RegExp(`^(?:${word})$`, 'iu').test(written ?? ''))?.[1] ?? '';

/** Reads the conditions of `clause`, whose parameters are `mentions`. */
export function readConditions(clause: string, mentions: readonly Mention[]): ConditionsRead {
  const found = [...ranges(clause, mentions), ...comparisonsIn(clause)].toSorted((a, b) => a.at - b.at);
  const limits = found.flatMap(({ thanAt }) => mentions.filter(({ at }) => at === thanAt));
  const own = mentions.filter((each) => !limits.includes(each));
  const conditions: Condition[] = [];
  let rest = clause;
  let join: 'and' | 'or' = 'and';
  let isLeftOut = false;
  let rounded = 0;
  let last = { end: 0, quantities: [] as readonly Mention[] };
  for (const each of found) {
    // `4.75〜4.85GHzの量子ビット`: the end of a range is no value of its own.
    if (conditions.length > 0 && each.at < last.end && each.is === 'equal') continue;
    const ratio = ratioBefore(each, own, clause);
    const quantities = ratio === null ? quantitiesOf(each, own, clause, last) : [ratio[0]];
    if (quantities.length === 0 || !Object.hasOwn(NEGATED, each.is.replace(/^(?:better|worse)$/u, 'above')))
      continue;
    const between = clause.slice(last.end, each.at);
    const isOr = conditions.length > 0 && OR.test(between);
    const [start, end] = [Math.min(...quantities.map(startOf)), Math.max(...quantities.map(startOf))];
    const negation = NEGATION.exec(between);
    // `without A or B` leaves out both.
    isLeftOut = negation === null ? isLeftOut && isOr : /without/iu.test(negation[0]);
    if ((isOr && !isLeftOut) || (quantities.length > 1 && OR.test(clause.slice(start, end)))) join = 'or';
    const isNegated = each.isNegated !== (negation !== null || isLeftOut);
    if (negation !== null) {
      const blank = between.replaceAll(new RegExp(NEGATION, 'giu'), (word) => '▣'.repeat(word.length));
      rest = `${rest.slice(0, last.end)}${blank}${rest.slice(last.end + blank.length)}`;
    }
    for (const { metric, isError: saysError } of quantities) {
      // `CNOTs worse than 1 %`, `cz above 1.7e-2`: no working part has such a fidelity, so that it is an error.
      const isPlain = each.unit === '' && each.of === null && each.thanAt === null;
      const isSmall = (each.unit === '%' && each.value < 50) || (isPlain && each.value < 0.5);
      const isError = saysError || (metric.endsWith('fidelity') && isSmall);
      const is = comparisonOf(each.is, metric, isError);
      const than = ratio?.[1] ?? mentions.find(({ at }) => at === each.thanAt);
      // `T1 of Q5 longer than T1 of Q6` compares parts, not quantities.
      if (than?.metric === metric) continue;
      const condition: Condition = {
        quantity: { metric, isError },
        is: isNegated ? NEGATED[is] : is,
        value: each.value,
        unit: each.unit,
        than: than === undefined ? null : { metric: than.metric, isError: than.isError },
        of: each.of,
      };
      if (condition.is === 'equal' && condition.unit !== '') rounded += 1;
      conditions.push(...(condition.is === 'equal' ? around(condition, each.half) : [condition]));
    }
    if (conditions.length === 0) continue;
    last = { end: each.end, quantities };
    rest = `${rest.slice(0, each.at)}${'▣'.repeat(each.end - each.at)}${rest.slice(each.end)}`;
  }
  if (join === 'and' && conditions.some((each) => conditions.some((other) => excludes(each, other)))) {
    return { conditions: [], join, limits: [], rounded: 0, rest: clause };
  }
  return { conditions, join, limits: conditions.length > 0 ? limits : [], rounded, rest };
}

/** `above 200 μs` and `below 100 μs`: nothing is both, so that the words mean something else. */
const excludes = (a: Condition, b: Condition): boolean =>
  a.quantity.metric === b.quantity.metric &&
  a.quantity.isError === b.quantity.isError &&
  a.than === null &&
  b.than === null &&
  a.of === b.of &&
  a.unit === b.unit &&
  (a.is === 'above' || a.is === 'at_least') &&
  (b.is === 'below' || b.is === 'at_most') &&
  a.value >= b.value &&
  !(a.is === 'at_least' && b.is === 'at_most' && a.value === b.value);

const NEGATION = /\b(?:not|never|without|lack(?:s|ing)?|no)\b|n't\b/iu;

/** A value as somebody wrote it stands for all that would be rounded to it. */
const around = (condition: Condition, half: number): readonly Condition[] =>
  condition.than !== null || condition.of !== null || condition.unit === ''
    ? [condition]
    : [
        { ...condition, is: 'at_least', value: condition.value - half },
        { ...condition, is: 'below', value: condition.value + half },
      ];

const OR = /\bor\b|または|もしくは|か、/iu;
const startOf = ({ at }: Mention): number => at;

/** `T2/T1 ratio above 2`, `the ratio of T2 to T1`: the first against a multiple of the second. */
function ratioBefore(
  { at, thanAt }: Found,
  mentions: readonly Mention[],
  clause: string,
): readonly [Mention, Mention] | null {
  const [first, second] = mentions.filter((each) => each.end <= at).slice(-2);
  if (thanAt !== null || first === undefined || second === undefined) return null;
  const between = clause.slice(first.end, second.at);
  const isRatio =
    /^\s*[/÷]\s*$/u.test(between) ||
    (/^\s*(?:to|over)\s*$/iu.test(between) && /\bratio of\s*$/iu.test(clause.slice(0, first.at)));
  return isRatio ? [first, second] : null;
}

/** `better than 99 %` depends on which way is better. */
function comparisonOf(written: string, metric: string, isError: boolean): Comparison {
  if (written !== 'better' && written !== 'worse') return written as Comparison;
  const isLower = isError || metric.startsWith('anharmonicity') || metric.startsWith('static_zz');
  return (written === 'better') === isLower ? 'below' : 'above';
}

/**
 * The parameters that a condition is on: those named just before it, since the condition before; the same as of that
 * one where none is; else the first one after it.
 */
function quantitiesOf(
  { at, end, thanAt }: Found,
  mentions: readonly Mention[],
  clause: string,
  last: { readonly end: number; readonly quantities: readonly Mention[] },
): readonly Mention[] {
  const before = mentions.filter((each) => each.end <= at && each.at >= last.end);
  if (before.length > 0) return joined(before.toReversed(), clause).toReversed();
  if (last.quantities.length > 0) return last.quantities;
  return joined(
    mentions.filter((each) => each.at >= end && each.at !== thanAt),
    clause,
  );
}

const LINK = /^(?:,|and|or|both|either|not|と|か|、|\s)*$/iu;

/** The first of some mentions with those that are joined to it: `T1 and T2`. */
function joined(mentions: readonly Mention[], clause: string): readonly Mention[] {
  const apart = mentions.findIndex((each, index) => {
    const other = mentions[index - 1];
    if (other === undefined) return false;
    return !LINK.test(clause.slice(Math.min(each.end, other.end), Math.max(each.at, other.at)));
  });
  return apart < 0 ? mentions : mentions.slice(0, apart);
}

function comparisonsIn(clause: string): readonly Found[] {
  const inEnglish = [...clause.matchAll(AGAINST)].map((match): Found => {
    const [text, negation, ...groups] = match;
    const is = EN[groups.findIndex((group) => group !== undefined)]?.is ?? '';
    const [times, than, figure, number, unit] = groups.slice(EN.length);
    const end = match.index + text.length;
    return {
      at: match.index,
      end: than === undefined ? end : end - than.length,
      is,
      isNegated: negation !== undefined,
      value: number === undefined ? factorOf(times) : numberOf(number),
      unit: unitOf(unit),
      thanAt: than === undefined ? null : end - than.length,
      half: halfOf(number),
      of: figureIn(figure),
    };
  });
  const inJapanese = [...clause.matchAll(JAPANESE)].map((match): Found => {
    const [text, number, unit, than, times, figure, ...groups] = match;
    const is = JA[groups.findIndex((group) => group !== undefined)]?.is ?? '';
    const at = match.index;
    return {
      at: than === undefined ? at : at + than.length,
      end: at + text.length,
      is,
      isNegated: groups[JA.length] !== undefined,
      value: number === undefined ? factorOf(times) : numberOf(number),
      unit: unitOf(unit),
      thanAt: than === undefined ? null : at,
      half: halfOf(number),
      of: figureIn(figure),
    };
  });
  return [...inEnglish, ...inJapanese];
}

/** `between 4.8 and 5 GHz`: two conditions; the words alone are no condition where no parameter is named. */
function ranges(clause: string, mentions: readonly Mention[]): readonly Found[] {
  if (mentions.length === 0) return [];
  return [...clause.matchAll(RANGE)].flatMap((match): readonly Found[] => {
    const [text, negation, word = '', low = '', lowUnit, high = '', highUnit] = match;
    const isOutside = /^outside/iu.test(word) !== (negation !== undefined);
    if (isOutside) return [];
    const [at, end] = [match.index, match.index + text.length];
    const shared = { at, end, isNegated: false, thanAt: null, half: 0, of: null };
    const unit = unitOf(highUnit ?? lowUnit);
    return [
      { ...shared, is: 'at_least', value: numberOf(low), unit: unitOf(lowUnit) || unit },
      { ...shared, is: 'at_most', value: numberOf(high), unit },
    ];
  });
}
