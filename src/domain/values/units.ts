/** Units as databases spell them. μ (U+03BC), µ (U+00B5) and `u` mean the same prefix; we write U+03BC. */

const PREFIXED: ReadonlyMap<string, { readonly base: string; readonly factor: number }> = new Map([
  ['s', { base: 's', factor: 1 }],
  ['ms', { base: 's', factor: 1e-3 }],
  ['μs', { base: 's', factor: 1e-6 }],
  ['ns', { base: 's', factor: 1e-9 }],
  ['Hz', { base: 'Hz', factor: 1 }],
  ['kHz', { base: 'Hz', factor: 1e3 }],
  ['MHz', { base: 'Hz', factor: 1e6 }],
  ['GHz', { base: 'Hz', factor: 1e9 }],
  ['fraction', { base: 'fraction', factor: 1 }],
  ['%', { base: 'fraction', factor: 0.01 }],
]);

/** One spelling for one unit. */
export function canonicalUnit(unit: string): string {
  // Nearly all units of a large chip already have this spelling.
  if (unit === '' || PREFIXED.has(unit)) return unit;
  const text = unit.trim().normalize('NFC').replaceAll('\u00B5', '\u03BC');
  return text === 'us' ? 'μs' : text;
}

/**
 * Factor that turns a number in `from` into `to`: 1 for the same unit, null where the two cannot be compared.
 * `unitFactor('GHz', 'MHz')` is 1000.
 */
export function unitFactor(from: string, to: string): number | null {
  const [a, b] = [canonicalUnit(from), canonicalUnit(to)];
  if (a === b) return 1;
  const [left, right] = [PREFIXED.get(a), PREFIXED.get(b)];
  if (!left || !right || left.base !== right.base) return null;
  // A ratio of powers of ten, rounded so that GHz to MHz is 1000 and not 999.9999999999999.
  const factor = left.factor / right.factor;
  return Number(factor.toPrecision(12));
}
