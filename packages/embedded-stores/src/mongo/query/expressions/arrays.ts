/**
 * Operators over arrays: access, slicing, membership and sets. The ones with a loop variable are in
 * `variables.ts`.
 */
import { type ExpressionName } from '../../allow-list.ts';
import { MongoError } from '../../errors.ts';
import { identityKey } from '../order-key.ts';
import { equalValues } from '../compare.ts';
import { integer, isNumeric, type Maybe, type Value } from '../values.ts';
import {
  isNullish,
  nary,
  type Operator,
  requireArray,
  requireInteger,
  unary,
  unaryOrNull,
} from './operator.ts';

export const ARRAYS = {
  $arrayElemAt: nary(2, 2, ([array, index], name) => {
    if (isNullish(array) || isNullish(index)) return null;
    return requireArray(array, name, 28689).at(requireInteger(index, name, 28690));
  }),
  $first: unaryOrNull((array, name) => requireArray(array, name, 28689)[0]),
  $last: unaryOrNull((array, name) => requireArray(array, name, 28689).at(-1)),
  $concatArrays: nary(0, Infinity, (arrays, name) => {
    if (arrays.some(isNullish)) return null;
    return arrays.flatMap((array) => [...requireArray(array, name, 28664)]);
  }),
  $in: nary(2, 2, ([value, array], name) =>
    requireArray(array, name, 40081).some((item) => value !== undefined && equalValues(item, value)),
  ),
  $isArray: unary((value) => Array.isArray(value)),
  $isNumber: unary((value) => isNumeric(value)),
  $setUnion: nary(0, Infinity, (arrays, name) => {
    if (arrays.some(isNullish)) return null;
    return distinct(arrays.flatMap((array) => [...requireArray(array, name, 17043)]));
  }),
  $size: unary((array, name) => integer(requireArray(array, name, 17124).length)),
  $slice: nary(2, 3, slice),
} satisfies Partial<Record<ExpressionName, Operator>>;

function distinct(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [identityKey(value), value])).values()];
}

/** `[array, n]` takes the first n, or the last -n; `[array, position, n]` takes n from a position. */
function slice([array, first, second]: readonly Maybe[], name: string): Maybe {
  if (isNullish(array) || isNullish(first) || second === null) return null;
  const items = requireArray(array, name, 28724);
  const from = requireInteger(first, name, 28725);
  if (second === undefined) return from < 0 ? items.slice(from) : items.slice(0, from);
  const count = requireInteger(second, name, 28727);
  if (count <= 0) throw new MongoError(28729, 'Third argument to $slice must be positive');
  const start = from < 0 ? Math.max(0, items.length + from) : from;
  return items.slice(start, start + count);
}
