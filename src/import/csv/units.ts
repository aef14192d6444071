/** Units as tables write them, and the way from there to the unit that a parameter is stored in. */
import type { Metric } from '../../domain/values/metric.ts';
import { canonicalUnit, unitFactor } from '../../domain/values/units.ts';

/** Fractions and arbitrary units: what QDash writes for both. */
const NO_UNIT = 'a.u.';

/** Accepted misspellings. Not `mHz`: it means millihertz, but may be meant as MHz. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...['us', 'usec', 'microsecond', 'microseconds'].map((word) => [word, 'μs'] as const),
  ...['nsec', 'nanoseconds'].map((word) => [word, 'ns'] as const),
  ...['msec', 'milliseconds'].map((word) => [word, 'ms'] as const),
  ...['sec', 'second', 'seconds'].map((word) => [word, 's'] as const),
  ...['hz', 'HZ'].map((word) => [word, 'Hz'] as const),
  ...['khz', 'KHz', 'KHZ'].map((word) => [word, 'kHz'] as const),
  ...['mhz', 'MHZ'].map((word) => [word, 'MHz'] as const),
  ...['ghz', 'GHZ', 'Ghz'].map((word) => [word, 'GHz'] as const),
  ...['percent', 'pct'].map((word) => [word, '%'] as const),
  ...['', '1', '-', 'none', 'au', 'a.u', 'arb.', 'fraction'].map((word) => [word, ''] as const),
  [NO_UNIT, ''],
]);

const PREFIXED = ['s', 'ms', 'μs', 'ns', 'Hz', 'kHz', 'MHz', 'GHz'] as const;

/** One spelling for one unit, empty for none. */
export function readUnit(text: string): string {
  const unit = canonicalUnit(text);
  return SPELLINGS.get(unit) ?? unit;
}

/** The unit at the end of a name such as `t1_us` or `readout_fidelity_pct`, null where it ends with none. */
export function unitSuffix(name: string): { readonly name: string; readonly unit: string } | null {
  const [, rest, word] = /^(.+)[_ ]([^_ ]+)$/u.exec(name) ?? [];
  if (rest === undefined || word === undefined) return null;
  const unit = readUnit(word);
  const isUnit = unit === '%' || (PREFIXED as readonly string[]).includes(unit);
  return isUnit ? { name: rest, unit } : null;
}

/** The unit that values of a metric are stored in: what its scale leads from to the unit as shown. */
export function storedUnit({ unit, scale }: Metric): string {
  if (unit === '%' && scale === 100) return NO_UNIT;
  return PREFIXED.find((candidate) => unitFactor(candidate, unit) === scale) ?? unit;
}

/**
 * Turns a number in `unit` (as {@link readUnit} spells it) into the stored unit of `metric`, or explains in
 * words what would be right. A parameter that the catalogue does not know keeps its unit.
 */
export function toStored(
  value: number,
  unit: string,
  metric: Metric | null,
): { readonly value: number; readonly unit: string } | string {
  if (metric === null) return { value, unit: unit === '' ? NO_UNIT : unit };
  const stored = storedUnit(metric);
  if (stored === NO_UNIT) return toFraction(value, unit, metric);
  const isOfKind = (candidate: string): boolean => unitFactor(candidate, stored) !== null;
  const wanted = PREFIXED.some(isOfKind) ? PREFIXED.filter(isOfKind).join(', ') : stored;
  if (unit === '') {
    // Only arbitrary units may stay unsaid.
    return stored.includes('a.u.') ? { value, unit: stored } : `${metric.name} needs a unit: ${wanted}`;
  }
  const factor = unitFactor(unit, stored);
  if (factor === null) return `${JSON.stringify(unit)} is not a unit of ${metric.name}: use ${wanted}`;
  // Dividing by a power of ten is exact where multiplying by its inverse is not.
  return { value: factor >= 1 ? value * factor : value / Math.round(1 / factor), unit: stored };
}

function toFraction(value: number, unit: string, metric: Metric): ReturnType<typeof toStored> {
  const isShare = metric.unit === '%';
  if (unit === '%' && isShare) return { value: value / 100, unit: NO_UNIT };
  if (unit !== '') {
    return `${JSON.stringify(unit)} is not a unit of ${metric.name}: ${isShare ? 'use %, or none for a fraction of 1' : 'it has none'}`;
  }
  if (isShare && Math.abs(value) > 1) {
    return `${value} without a unit is not a fraction of 1: write % as the unit of ${metric.name}`;
  }
  return { value, unit: NO_UNIT };
}
