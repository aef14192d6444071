/** `$abs $add $subtract $multiply $divide $toDouble`. Null and missing operands make the result null. */
import { Double, Long } from 'bson';
import { type ExpressionName } from '../../allow-list.ts';
import { MongoError } from '../../errors.ts';
import { exactOf } from '../decimals.ts';
import { absolute, add, type Calculable, calculable, multiply, subtract } from '../numbers.ts';
import {
  integer,
  isNumeric,
  isTruthy,
  type Maybe,
  type NumericValue,
  toDouble,
  type Value,
} from '../values.ts';
import { isNullish, nary, type Operator, typeOf, unaryOrNull } from './operator.ts';

export const ARITHMETIC = {
  $abs: unaryOrNull((value, name) => absolute(requireNumber(value, name, 28765))),
  $add: nary(0, Infinity, addAll),
  $divide: nary(2, 2, ([dividend, divisor], name) => {
    if (isNullish(dividend) || isNullish(divisor)) return null;
    const by = toDouble(requireNumber(divisor, name, 14));
    if (by === 0) throw new MongoError('BadValue', `can't ${name} by zero`);
    return new Double(toDouble(requireNumber(dividend, name, 14)) / by);
  }),
  $multiply: nary(0, Infinity, (values, name) => {
    if (values.some(isNullish)) return null;
    return values.map((value) => requireNumber(value, name, 14)).reduce(multiply, integer(1));
  }),
  $subtract: nary(2, 2, ([left, right], name) => {
    if (isNullish(left) || isNullish(right)) return null;
    if (left instanceof Date && right instanceof Date)
      return Long.fromNumber(left.getTime() - right.getTime());
    if (left instanceof Date) return new Date(left.getTime() - toDouble(requireNumber(right, name, 14)));
    return subtract(requireNumber(left, name, 14), requireNumber(right, name, 14));
  }),
  $toDouble: unaryOrNull(convertToDouble),
} satisfies Partial<Record<ExpressionName, Operator>>;

/** Numbers, or one date and milliseconds. */
function addAll(values: readonly Maybe[], name: string): Maybe {
  if (values.some(isNullish)) return null;
  const dates = values.filter((value) => value instanceof Date);
  const sum = values
    .filter((value) => !(value instanceof Date))
    .map((value) => requireNumber(value, name, 14))
    .reduce(add, integer(0));
  const [date] = dates;
  if (!date) return sum;
  if (dates.length > 1) throw new MongoError(16612, 'only one date allowed in an $add expression');
  return new Date(date.getTime() + toDouble(sum));
}

function convertToDouble(value: Value): Maybe {
  if (isNumeric(value)) return new Double(withinDoubles(value));
  if (typeof value === 'boolean') return new Double(Number(value));
  if (value instanceof Date) return new Double(value.getTime());
  if (typeof value === 'string' && /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value)) {
    return new Double(Number(value));
  }
  if (typeof value === 'string') {
    throw new MongoError(241, `Failed to parse number '${value}' in $convert with no onError value`);
  }
  throw new MongoError(
    241,
    `Unsupported conversion from ${typeOf(value)} to double in $convert with no onError value`,
  );
}

/** Rounded as need be, but never to zero or infinity. */
function withinDoubles(value: NumericValue): number {
  const double = toDouble(value);
  const isWithin = Number.isFinite(double) ? double !== 0 || !isTruthy(value) : !exactOf(value);
  if (isWithin) return double;
  throw new MongoError(
    241,
    `Conversion of ${value.toString()} would overflow double in $convert with no onError value`,
  );
}

function requireNumber(value: Maybe, name: string, code: number): Calculable {
  if (isNumeric(value)) return calculable(value);
  const message = `${name} only supports numeric types, not ${typeOf(value)}`;
  throw code === 14 ? new MongoError('TypeMismatch', message) : new MongoError(code, message);
}
