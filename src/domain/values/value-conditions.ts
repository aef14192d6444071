/** Conditions on current values, alone or joined by and/or: `T1 below 50 μs`, `T2 above 2 times T1`. */
import { formatQuantity } from '../text/display-text.ts';
import { unitFactor } from './units.ts';

/** How a value is compared. */
export const COMPARISONS = ['above', 'at_least', 'below', 'at_most', 'equal', 'unequal'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** One quantity of a part: a parameter in its display unit, or the error that belongs to a fidelity. */
export type Quantity = { readonly title: string; readonly unit: string; readonly key: string };

/** A quantity against a number in its unit, or against a multiple of another quantity. */
export type Condition = {
  readonly quantity: Quantity;
  readonly is: Comparison;
  readonly value: number;
  /** Null for a condition against a number; else `value` times this. */
  readonly than: Quantity | null;
};

/** The values of one part by the keys of quantities; null where it has none. */
export type PartValues = ReadonlyMap<string, number | null>;

const HOLDS: Readonly<Record<Comparison, (value: number, limit: number) => boolean>> = {
  above: (value, limit) => value > limit,
  at_least: (value, limit) => value >= limit,
  below: (value, limit) => value < limit,
  at_most: (value, limit) => value <= limit,
  equal: (value, limit) => Math.abs(value - limit) <= 1e-9 * Math.max(1, Math.abs(limit)),
  unequal: (value, limit) => !HOLDS.equal(value, limit),
};

/** Whether a part meets a condition; null where a value that it needs is missing. */
export function meets(values: PartValues, { quantity, is, value, than }: Condition): boolean | null {
  const own = values.get(quantity.key) ?? null;
  const other = than === null ? 1 : (values.get(than.key) ?? null);
  return own === null || other === null ? null : HOLDS[is](own, value * other);
}

/** Whether a part meets all, or any, of some conditions; null where its missing values leave that open. */
export function meetsAll(
  values: PartValues,
  conditions: readonly Condition[],
  join: 'and' | 'or',
): boolean | null {
  const verdicts = conditions.map((condition) => meets(values, condition));
  const decisive = join === 'or';
  if (verdicts.includes(decisive)) return decisive;
  return verdicts.includes(null) ? null : !decisive;
}

const WORDS: Readonly<Record<Comparison, string>> = {
  above: 'above',
  at_least: 'of at least',
  below: 'below',
  at_most: 'of at most',
  equal: 'equal to',
  unequal: 'other than',
};

/** `T1 below 50 μs`, `T2 Echo above 2 times T1`. */
export function conditionWords({ quantity, is, value, than }: Condition): string {
  const limit =
    than === null
      ? `${value}${quantity.unit === '' || quantity.unit === 'a.u.' ? '' : ` ${quantity.unit}`}`
      : value === 1
        ? than.title
        : `${value} times ${than.title}`;
  return `${quantity.title} ${WORDS[is]} ${limit}`;
}

/** A limit in the unit of its quantity. Without a unit it is in that one, but up to 1 it is no percentage. */
export function limitIn(limit: number, written: string, unit: string): number | null {
  if (written === '') return unit === '%' && Math.abs(limit) <= 1 ? rounded(limit * 100) : limit;
  const factor = unitFactor(written, unit);
  return factor === null ? null : rounded(limit * factor);
}

const rounded = (value: number): number => Number(value.toPrecision(12));

/** The `percent`th percentile of sorted numbers, between neighbours by straight line; null for none. */
export function percentileOf(sorted: readonly number[], percent: number): number | null {
  const place = ((sorted.length - 1) * percent) / 100;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place));
}

/** A value of a quantity, in another unit where one is asked for. */
export function shownIn(value: number | null, { unit }: Quantity, asked: string | null): string {
  const factor = asked === null ? null : unitFactor(unit, asked);
  if (asked === null || factor === null || value === null) return formatQuantity(value, unit);
  return formatQuantity(rounded(value * factor), asked);
}
