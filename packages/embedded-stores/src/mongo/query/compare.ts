/**
 * MongoDB's order of values across types (manual: "Comparison/Sort Order"): MinKey, null, numbers, strings,
 * objects, arrays, binary, ObjectId, booleans, dates, timestamps, regular expressions, MaxKey. `order-key.ts`
 * encodes the same order in bytes.
 */
import { type Binary, type BSONRegExp, type ObjectId, type Timestamp } from 'bson';
import { compareExactly } from './decimals.ts';
import {
  type Doc,
  isDouble,
  type NumericValue,
  toDouble,
  type TypeName,
  typeName,
  type Value,
} from './values.ts';

const RANKS: Readonly<Record<TypeName, number>> = {
  minKey: 0,
  null: 1,
  int: 2,
  long: 2,
  double: 2,
  decimal: 2,
  string: 3,
  object: 4,
  array: 5,
  binData: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  timestamp: 10,
  regex: 11,
  maxKey: 12,
};

/** Rank of a value's type: values of equal rank are compared by content, and only they match `$gt` and its kin. */
export function typeRank(value: Value): number {
  return RANKS[typeName(value)];
}

/** Negative, zero or positive. Total: NaN equals itself and is the smallest number. */
export function compareValues(left: Value, right: Value): number {
  const rank = typeRank(left);
  const difference = rank - typeRank(right);
  return difference === 0 ? compareWithinRank(rank, left, right) : difference;
}

/**
 * Equality as MongoDB sees it: an int, a long, a double and a decimal 1 are equal; documents are equal only with the same
 * field order.
 */
export function equalValues(left: Value, right: Value): boolean {
  return compareValues(left, right) === 0;
}

function compareWithinRank(rank: number, left: Value, right: Value): number {
  switch (rank) {
    case RANKS.int:
      return compareNumbers(left as NumericValue, right as NumericValue);
    case RANKS.string:
      return compareStrings(left as string, right as string);
    case RANKS.object:
      return compareDocs(left as Doc, right as Doc);
    case RANKS.array:
      return compareArrays(left as Value[], right as Value[]);
    case RANKS.binData:
      return compareBinary(left as Binary, right as Binary);
    case RANKS.objectId:
      return Buffer.compare((left as ObjectId).id, (right as ObjectId).id);
    case RANKS.bool:
      return Number(left) - Number(right);
    case RANKS.date:
      return (left as Date).getTime() - (right as Date).getTime();
    case RANKS.timestamp:
      return (left as Timestamp).compare(right as Timestamp);
    case RANKS.regex:
      return compareRegex(left as BSONRegExp, right as BSONRegExp);
    default:
      return 0;
  }
}

/** Compares as doubles; if these are equal, compares the exact values. */
function compareNumbers(left: NumericValue, right: NumericValue): number {
  if (isDouble(left) && isDouble(right)) return compareDoubles(left.value, right.value);
  return compareDoubles(toDouble(left), toDouble(right)) || compareExactly(left, right);
}

function compareDoubles(left: number, right: number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  if (left === right) return 0;
  return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
}

/** Order of the UTF-8 bytes. It differs from JavaScript's only where one side has a surrogate. */
function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

/** Ranks surrogates, which encode code points above U+FFFF, after all other code units. */
function codePointRank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

/** Field by field: type, then name, then value; the shorter document is smaller. */
function compareDocs(left: Doc, right: Doc): number {
  const leftFields = Object.entries(left);
  const rightFields = Object.entries(right);
  for (const [i, [name, value]] of leftFields.entries()) {
    const other = rightFields[i];
    if (!other) return 1;
    const order =
      typeRank(value) - typeRank(other[1]) ||
      compareStrings(name, other[0]) ||
      compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return leftFields.length - rightFields.length;
}

function compareArrays(left: readonly Value[], right: readonly Value[]): number {
  for (const [i, value] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = compareValues(value, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Length first, then subtype, then bytes. */
function compareBinary(left: Binary, right: Binary): number {
  const a = left.value();
  const b = right.value();
  return a.length - b.length || left.sub_type - right.sub_type || Buffer.compare(a, b);
}

function compareRegex(left: BSONRegExp, right: BSONRegExp): number {
  return compareStrings(left.pattern, right.pattern) || compareStrings(left.options, right.options);
}
