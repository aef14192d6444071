/**
 * Decimal128 beside the other numbers. Numbers of all types are compared by their exact values: the decimal 0.1 is
 * smaller than the double 0.1, which is 0.1000000000000000055….
 */
import { Decimal128, Double, Long } from 'bson';
import { type NumericValue } from './values.ts';

/** The exact value of a finite number: `coefficient` · 10^`exponent`. */
export type Exact = { readonly coefficient: bigint; readonly exponent: number };

export const ZERO: Exact = { coefficient: 0n, exponent: 0 };

/** The most digits of a decimal. */
const DIGITS = 34;
/** What decimals are stored with is added to their exponents, so that none is negative. */
const EXPONENT_BIAS = 6176;

/** NaN and the infinities have no exact value. */
export function exactOf(value: NumericValue): Exact | undefined {
  if (value instanceof Decimal128) {
    const read = readDecimal(value);
    return typeof read === 'number' ? undefined : read;
  }
  return value instanceof Long ? { coefficient: value.toBigInt(), exponent: 0 } : exactDouble(value.value);
}

/** The nearest double, infinite for decimals that are greater than all doubles. */
export function decimalToDouble(decimal: Decimal128): number {
  const read = readDecimal(decimal);
  return typeof read === 'number' ? read : Number(`${read.coefficient}e${read.exponent}`);
}

/** True for zeros of any sign and exponent. */
export function isZeroDecimal(decimal: Decimal128): boolean {
  return exactOf(decimal)?.coefficient === 0n;
}

/** Bytes of IEEE 754 with a binary coefficient (BSON specification). NaN and the infinities come as numbers. */
function readDecimal({ bytes }: Decimal128): Exact | number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const high = view.getBigUint64(8, true);
  const sign = high >> 63n === 0n ? 1 : -1;
  const kind = (high >> 58n) & 0b11111n;
  if (kind === 0b11111n) return NaN;
  if (kind === 0b11110n) return sign * Infinity;
  const coefficient = (BigInt.asUintN(49, high) << 64n) | view.getBigUint64(0, true);
  // A coefficient of more digits than there can be counts as zero.
  if (kind >= 0b11000n || coefficient >= 10n ** BigInt(DIGITS)) return ZERO;
  return {
    coefficient: BigInt(sign) * coefficient,
    exponent: Number(BigInt.asUintN(14, high >> 49n)) - EXPONENT_BIAS,
  };
}

/** A double is a whole number by a power of two: n / 2^k = n · 5^k / 10^k. */
function exactDouble(double: number): Exact | undefined {
  if (!Number.isFinite(double)) return undefined;
  let whole = double;
  let halvings = 0;
  for (; !Number.isInteger(whole); halvings++) whole *= 2;
  return { coefficient: BigInt(whole) * 5n ** BigInt(halvings), exponent: -halvings };
}

/** Order (-1, 0 or 1) of two numbers whose nearest doubles are equal, or of two finite ones. */
export function compareExactly(left: NumericValue, right: NumericValue): number {
  const a = exactOf(left);
  const b = exactOf(right);
  if (a && b) {
    const { coefficient } = addExact(a, { ...b, coefficient: -b.coefficient });
    return coefficient < 0n ? -1 : Number(coefficient > 0n);
  }
  // Otherwise two NaN or infinities, or an infinity and a decimal that is greater than all doubles.
  if (a) return a.coefficient < 0n ? 1 : -1;
  return b ? (b.coefficient < 0n ? -1 : 1) : 0;
}

export function addExact(a: Exact, b: Exact): Exact {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (exact: Exact): bigint => exact.coefficient * 10n ** BigInt(exact.exponent - exponent);
  return { coefficient: scaled(a) + scaled(b), exponent };
}

/** The double or long next to a decimal, not above it (`side` -1) or not below it (1). */
export function neighbourOf(decimal: Decimal128, side: -1 | 1): Double | Long {
  const nearest = new Double(decimalToDouble(decimal));
  const exact = exactOf(decimal);
  const size = Math.abs(nearest.value);
  if (exact && size >= 2 ** 53 && size <= 2 ** 63) {
    const whole = wholeBeside(exact, side);
    if (BigInt.asIntN(64, whole) === whole) return Long.fromBigInt(whole);
  }
  const order = compareExactly(nearest, decimal);
  return order === 0 || order === side ? nearest : new Double(nextDouble(nearest.value, side));
}

/** The next whole number that is not above (-1) or not below (1). */
function wholeBeside({ coefficient, exponent }: Exact, side: -1 | 1): bigint {
  if (exponent >= 0) return coefficient * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  const rest = coefficient % unit;
  return coefficient / unit + (rest * BigInt(side) > 0n ? BigInt(side) : 0n);
}

/** The bits of doubles of one sign count as the doubles do. */
function nextDouble(double: number, side: -1 | 1): number {
  if (double === 0) return side * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(double > 0 ? side : -side));
  return view.getFloat64(0);
}

/** A whole number of at most 127 bits and a sign, which orders the finite decimals except zeros. */
export function rankOf(decimal: Decimal128): bigint {
  const { coefficient, exponent } = exactOf(decimal) ?? ZERO;
  const isNegative = coefficient < 0n;
  const digits = String(isNegative ? -coefficient : coefficient);
  const place = BigInt(exponent + digits.length + EXPONENT_BIAS);
  const rank = place * 10n ** BigInt(DIGITS) + BigInt(digits.padEnd(DIGITS, '0'));
  return isNegative ? -rank : rank;
}

/** A sum divided by a count, rounded to what a decimal holds. */
export function meanOf({ coefficient, exponent }: Exact, count: number): Decimal128 {
  if (coefficient === 0n) return Decimal128.fromString(`0E${exponent}`);
  const shift = 2 * DIGITS - String(coefficient).length;
  const dividend = coefficient * 10n ** BigInt(Math.max(shift, 0));
  const divisor = BigInt(count) * 10n ** BigInt(Math.max(-shift, 0));
  // The last digit tells whether anything is left after the others.
  const digits = `${dividend / divisor}${dividend % divisor === 0n ? 0 : 1}`;
  const zeros = Math.min(/(?<!0)0*$/.exec(digits)?.[0].length ?? 0, Math.max(shift + 1, 0));
  return Decimal128.fromStringWithRounding(
    `${digits.slice(0, digits.length - zeros)}E${exponent - shift - 1 + zeros}`,
  );
}
