/**
 * Explains a number by one step of arithmetic over what its sentence names. Few operands, and a cue word for each step,
 * keep invented numbers from being explained by chance.
 */
import { statisticsOf } from '../values/statistics.ts';
import type { FactBook } from './fact-book.ts';
import type { Fact } from './fact.ts';
import { isShown, type PlacedNumber } from './match.ts';

/** A quantity that a step may use: `base` in the base unit of its dimension. */
export type Operand = {
  readonly base: number;
  readonly dimension: string;
  readonly fact: Fact | null;
};

/** What a number was computed from. */
export type Derivation = { readonly facts: readonly Fact[] };

/** Values of one parameter of one qubit, and of one parameter over a chip, found once for all numbers. */
export type ValueIndex = {
  /** In order of time; structured values before those of sentences. */
  of(subject: string, parameter: string): readonly Fact[];
  /** The newest value of each subject. */
  all(parameter: string): readonly Fact[];
};

/** Half the most operands that are paired. */
const MAX_OPERANDS = 8;

/** Indexes the values of a book on first use; most answers only quote records. */
export function indexValues({ facts }: FactBook): ValueIndex {
  let byParameter: ReadonlyMap<string | null, readonly Fact[]> | null = null;
  /** In order of time. */
  const valuesOf = (parameter: string): readonly Fact[] => {
    byParameter ??= Map.groupBy(
      facts.filter(({ kind, isText, subject }) => kind === 'value' && !isText && subject !== null),
      (each) => each.parameter,
    );
    return (byParameter.get(parameter) ?? []).toSorted(
      (a, b) => (a.measuredAtMs ?? 0) - (b.measuredAtMs ?? 0),
    );
  };
  return {
    of: (subject, parameter) => valuesOf(parameter).filter((each) => each.subject === subject),
    all: (parameter) => [...new Map(valuesOf(parameter).map((each) => [each.subject, each])).values()],
  };
}

/** What a number may be computed from. */
export type Sources = {
  /** What the other numbers of its sentence, or of the one that it continues, were found to be. */
  readonly others: readonly Operand[];
  readonly book: FactBook;
  readonly index: ValueIndex;
};

/** One step of arithmetic that gives the number; null where none does. */
export function derive(placed: PlacedNumber, sources: Sources): Derivation | null {
  const { index } = sources;
  const operands = operandsOf(placed, sources);
  return (
    complement(placed, operands) ??
    statistic(placed, operands, index) ??
    difference(placed, operands) ??
    quotient(placed, operands)
  );
}

const operandOf = (fact: Fact): Operand => ({
  base: fact.value * (fact.unit?.factor ?? 1),
  dimension: fact.unit?.dimension ?? 'ratio',
  fact,
});

function operandsOf(
  { binding, sentence, words, cues }: PlacedNumber,
  { others, book: { facts }, index }: Sources,
): readonly Operand[] {
  const parameters = [
    ...new Set([...sentence.parameters.flatMap(({ names }) => names), ...(binding.parameters ?? [])]),
  ];
  if (others.length === 0 && parameters.length === 0) return [];
  const named = [...new Set(sentence.subjects.flatMap(({ ids }) => ids))];
  const subjects = named.length > 0 ? named : (binding.subjects ?? []);
  const statistics = new Set<string>(sentence.statistics.map(({ statistic: each }) => each));
  const found: Fact[] = [];
  for (const parameter of parameters) {
    for (const subject of subjects) {
      const values = index.of(subject, parameter);
      const newest = values.at(-1);
      const stored = values.findLast(({ recordId }) => recordId !== null);
      if (newest !== undefined) found.push(newest);
      // A live value does not replace the stored one.
      if (stored !== undefined && stored !== newest) found.push(stored);
      if (values.length > 1 && subjects.length === 1 && cues.has('change')) found.push(...ends(values));
    }
    const isOf = (fact: Fact): boolean =>
      fact.parameter === parameter && fact.subject === null && !fact.isText;
    if (statistics.size > 0) found.push(...facts.filter((fact) => isOf(fact) && statistics.has(fact.kind)));
    if (cues.has('difference') && /\b(?:range|spread|span)/iu.test(words)) {
      found.push(...facts.filter((fact) => isOf(fact) && (fact.kind === 'min' || fact.kind === 'max')));
    }
    if (cues.has('threshold'))
      found.push(...facts.filter((fact) => isOf(fact) && fact.kind === 'threshold').slice(0, 3));
  }
  const all = [...others, ...found.map(operandOf)];
  const distinct = new Map(
    all.map((operand) => [`${operand.dimension} ${operand.base.toPrecision(12)}`, operand]),
  );
  return [...distinct.values()].slice(0, MAX_OPERANDS * 2);
}

/** Oldest, lowest and highest of a series. */
function ends(values: readonly Fact[]): readonly Fact[] {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  return [values[0], sorted[0], sorted.at(-1)].filter((value) => value !== undefined);
}

const factsOf = (...operands: readonly Operand[]): Derivation => ({
  facts: operands.flatMap(({ fact }) => fact ?? []),
});

/** An error of 2.5 % is a fidelity of 97.5 %. */
function complement({ number, cues }: PlacedNumber, operands: readonly Operand[]): Derivation | null {
  const dimension = number.unit?.dimension ?? 'ratio';
  if (dimension !== 'ratio' || !cues.has('complement')) return null;
  const found = operands.find(
    ({ base, dimension: other, fact }) =>
      other === 'ratio' &&
      base > 0 &&
      base <= 1 &&
      fact?.kind !== 'error' &&
      isShown(number, 1 - base, number.unit?.factor),
  );
  return found === undefined ? null : factsOf(found);
}

/** Mean, median and similar of the named values, or of all fetched ones. */
function statistic(
  { number, binding, cues }: PlacedNumber,
  operands: readonly Operand[],
  index: ValueIndex,
): Derivation | null {
  const kind = binding.statistic ?? (cues.has('sum') ? 'sum' : null);
  if (kind === null || kind === 'extreme') return null;
  const parameters = binding.parameters ?? [];
  const groups: (readonly Operand[])[] = [
    operands,
    ...parameters.map((parameter) => index.all(parameter).map(operandOf)),
    ...parameters.flatMap((parameter) =>
      (binding.subjects ?? []).map((subject) => index.of(subject, parameter).map(operandOf)),
    ),
  ];
  const dimension = number.unit?.dimension;
  for (const group of groups) {
    const alike = group.filter(
      (each) => each.fact?.kind === 'value' && (dimension === undefined || each.dimension === dimension),
    );
    if (alike.length < 2) continue;
    const { mean, median, stdev, min, max } = statisticsOf(alike.map(({ base }) => base));
    const sum = kind === 'sum' ? (mean ?? Number.NaN) * alike.length : null;
    const value = { mean, median, stdev, min, max, sum }[kind as 'mean'] ?? null;
    const factor = number.unit?.factor ?? alike[0]?.fact?.unit?.factor ?? 1;
    if (value !== null && isShown(number, value, factor)) return factsOf(...alike);
  }
  return null;
}

function difference({ number, cues }: PlacedNumber, operands: readonly Operand[]): Derivation | null {
  if (!cues.has('difference')) return null;
  const unit = number.unit;
  const dimension = unit === null || unit.dimension === 'points' ? 'ratio' : unit.dimension;
  for (const [a, b] of pairs(operands)) {
    if (a.dimension !== dimension || b.dimension !== dimension || !isComparable(a, b)) continue;
    const factor = unit?.factor ?? a.fact?.unit?.factor ?? 1;
    const apart = a.base - b.base;
    if (isShown(number, apart, factor) || (!number.isSigned && isShown(number, -apart, factor)))
      return factsOf(a, b);
    if (number.isSigned && isShown(number, -apart, factor)) return factsOf(a, b);
  }
  return null;
}

/** Percentages of change, shares, and factors. */
function quotient({ number, cues }: PlacedNumber, operands: readonly Operand[]): Derivation | null {
  const symbol = number.unit?.symbol ?? '';
  const isPercent = symbol === '%';
  const isFactor = symbol === '×' || (symbol === '' && !number.isInteger);
  const [changes, shares] = [
    isPercent && cues.has('difference'),
    (isPercent && cues.has('share')) || (isFactor && cues.has('ratio')),
  ];
  if (!changes && !shares) return null;
  const factor = isPercent ? 0.01 : 1;
  for (const [a, b] of pairs(operands)) {
    // T2 over T1 is a factor that people name; a percentage of the one in the other is not.
    if (
      a.dimension !== b.dimension ||
      !(isFactor && a.dimension !== 'ratio' ? isMeasured(a, b) : isComparable(a, b))
    )
      continue;
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      if (y.base === 0) continue;
      const ratio = x.base / y.base;
      if (shares && isShown(number, Math.abs(ratio), factor)) return factsOf(x, y);
      if (changes && (isShown(number, Math.abs(ratio - 1), factor) || isShown(number, ratio - 1, factor)))
        return factsOf(x, y);
    }
  }
  return null;
}

/** Two quantities of one parameter, or of which one is a number of the user. */
function isComparable(a: Operand, b: Operand): boolean {
  const [left, right] = [a.fact?.parameter ?? null, b.fact?.parameter ?? null];
  const kinds = [a.fact?.kind, b.fact?.kind];
  if (kinds.includes('error') || (a.fact?.kind === 'threshold' && b.fact?.kind === 'threshold')) return false;
  return left === null || right === null || left === right;
}

const isMeasured = (...operands: readonly Operand[]): boolean =>
  operands.every(({ fact }) => fact === null || fact.kind === 'value');

function* pairs(operands: readonly Operand[]): Generator<readonly [Operand, Operand]> {
  for (const [index, a] of operands.entries()) {
    for (const b of operands.slice(index + 1)) yield [a, b];
  }
}
