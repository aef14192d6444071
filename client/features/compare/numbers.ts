import { quantityText } from '../../lib/format/quantity.ts';

/** A value without its unit, which its heading has. */
export const numberOf = (value: number | null, unit: string): string =>
  value === null ? '—' : quantityText(value, unit).replace(unit, '').trim();

/** A difference with its sign. */
export function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}
