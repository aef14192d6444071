/**
 * Arithmetic with MongoDB's result types: int and int make int, or long on overflow; a long operand makes long; a
 * double operand, or a result of more than 64 bits, makes double.
 */
import { Decimal128, Double, Int32, Long } from 'bson';
import { MongoError } from '../errors.ts';
import { type NumericValue, toDouble } from './values.ts';

/** A number that this server calculates with. */
export type Calculable = Exclude<NumericValue, Decimal128>;

/** Refuses decimals. */
export function calculable(value: NumericValue): Calculable {
  if (!(value instanceof Decimal128)) return value;
  throw new MongoError(
    'BadValue',
    `this server stores and compares Decimal128, but does not calculate with it, except for $avg in $group: ${value.toString()}`,
  );
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

type Arithmetic = {
  readonly exact: (a: bigint, b: bigint) => bigint;
  readonly real: (a: number, b: number) => number;
};

const ADD: Arithmetic = { exact: (a, b) => a + b, real: (a, b) => a + b };
const SUBTRACT: Arithmetic = { exact: (a, b) => a - b, real: (a, b) => a - b };
const MULTIPLY: Arithmetic = { exact: (a, b) => a * b, real: (a, b) => a * b };

export const add = (a: Calculable, b: Calculable): Calculable => apply(ADD, a, b);
export const subtract = (a: Calculable, b: Calculable): Calculable => apply(SUBTRACT, a, b);
export const multiply = (a: Calculable, b: Calculable): Calculable => apply(MULTIPLY, a, b);

/** `|a|`; the smallest long has no positive counterpart and becomes a double. */
export function absolute(a: Calculable): Calculable {
  if (a instanceof Double) return new Double(Math.abs(a.value));
  return toDouble(a) < 0 ? multiply(a, new Int32(-1)) : a;
}

function apply(operation: Arithmetic, a: Calculable, b: Calculable): Calculable {
  if (a instanceof Double || b instanceof Double) {
    return new Double(operation.real(toDouble(a), toDouble(b)));
  }
  if (a instanceof Int32 && b instanceof Int32) {
    const result = operation.real(a.value, b.value);
    if (result === (result | 0)) return new Int32(result);
  }
  const exact = operation.exact(toBigInt(a), toBigInt(b));
  if (exact < INT64_MIN || exact > INT64_MAX) return new Double(operation.real(toDouble(a), toDouble(b)));
  return Long.fromBigInt(exact);
}

function toBigInt(value: Int32 | Long): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(value.value);
}
