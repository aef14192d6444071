/** `$cmp $eq $ne $gt $gte $lt $lte`: over all types, unlike in filters; a missing value is smaller than every other. */
import { type ExpressionName } from '../../allow-list.ts';
import { compareValues } from '../compare.ts';
import { integer, type Maybe } from '../values.ts';
import { nary, type Operator } from './operator.ts';

export const COMPARISONS = {
  $cmp: nary(2, 2, ([left, right]) => integer(Math.sign(compareMaybe(left, right)))),
  $eq: nary(2, 2, ([left, right]) => compareMaybe(left, right) === 0),
  $ne: nary(2, 2, ([left, right]) => compareMaybe(left, right) !== 0),
  $gt: nary(2, 2, ([left, right]) => compareMaybe(left, right) > 0),
  $gte: nary(2, 2, ([left, right]) => compareMaybe(left, right) >= 0),
  $lt: nary(2, 2, ([left, right]) => compareMaybe(left, right) < 0),
  $lte: nary(2, 2, ([left, right]) => compareMaybe(left, right) <= 0),
} satisfies Partial<Record<ExpressionName, Operator>>;

function compareMaybe(left: Maybe, right: Maybe): number {
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  return compareValues(left, right);
}
