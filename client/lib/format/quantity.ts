/** Digits of values without an error, which would decide how many are significant. */
const SIGNIFICANT_DIGITS = 4;
const MOST_DECIMALS = 8;

/**
 * A value with its unit: `99.95%`, `59.50 μs`. An error decides how many decimals there are (its own first two digits),
 * and none are cut from a fidelity, where the distance from 100 % is what matters.
 */
export function quantityText(value: number, unit: string, error: number | null = null): string {
  const number = value.toFixed(decimalsOf(value, unit, error));
  return unit === '' ? number : unit === '%' ? `${number}%` : `${number} ${unit}`;
}

/** An error with as many decimals as {@link quantityText} gives its value. */
export const errorText = (value: number, unit: string, error: number): string =>
  error.toFixed(decimalsOf(value, unit, error));

function decimalsOf(value: number, unit: string, error: number | null): number {
  if (error !== null && error > 0) return between(1 - Math.floor(Math.log10(error)));
  if (unit === '%') return 2;
  const size = Math.abs(value);
  return size === 0 ? 0 : between(SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(size)));
}

const between = (decimals: number): number => Math.min(MOST_DECIMALS, Math.max(0, decimals));
