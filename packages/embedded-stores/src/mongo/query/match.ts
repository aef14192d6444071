/** Whether a document matches a parsed filter (manual: "Query and Projection Operators"). */
import { BSONRegExp } from 'bson';
import { compareValues, equalValues, typeRank } from './compare.ts';
import type { Variables } from './compiler.ts';
import { type Comparison, type FieldTest, type Filter } from './filter.ts';
import { identityKey } from './order-key.ts';
import { type Path, someValueAt } from './paths.ts';
import { type Regex } from './regex.ts';
import {
  type Doc,
  isDoc,
  isNumeric,
  isTruthy,
  type Maybe,
  toDouble,
  type TypeName,
  typeName,
  type Value,
} from './values.ts';

const NO_VARIABLES: Variables = {};

/** True if `document` satisfies `filter`. `variables` are those of an outer `$lookup`. */
export function matches(filter: Filter, document: Doc, variables: Variables = NO_VARIABLES): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => matches(part, document, variables));
    case 'or':
      return filter.filters.some((part) => matches(part, document, variables));
    case 'nor':
      return !filter.filters.some((part) => matches(part, document, variables));
    case 'expr':
      return isTruthy(filter.evaluate(document, variables));
    case 'field':
      return passes(filter.test, document, filter.parts);
  }
}

/**
 * True if the values at `path` satisfy the test; with `expandLeaf` an array is tested as a whole and by its
 * elements.
 */
export function passes(test: FieldTest, value: Maybe, path: Path, expandLeaf = true): boolean {
  switch (test.op) {
    case 'not':
      return !test.tests.every((inner) => passes(inner, value, path, expandLeaf));
    case 'size':
    case 'elemMatchValue':
    case 'elemMatchDoc':
      return someValueAt(value, path, false, (found) => Array.isArray(found) && passesArray(test, found));
    case 'type':
      return someValueAt(value, path, expandLeaf, (found) => isOfType(found, test.types));
    case 'exists':
      return someValueAt(value, path, false, (found) => found !== undefined);
    case 'nothing':
      return false;
    case 'in':
      return passesIn(test, value, path, expandLeaf);
    case 'regex':
      return someValueAt(value, path, expandLeaf, (found) => matchesRegex(test.pattern, found));
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return someValueAt(value, path, expandLeaf, (found) => passesComparison(test.op, found, test.value));
  }
}

function isOfType(value: Maybe, types: ReadonlySet<TypeName>): boolean {
  return value !== undefined && types.has(typeName(value));
}

/**
 * Comparisons hold only within one type bracket; null also matches missing; MinKey and MaxKey compare with all
 * types.
 */
function passesComparison(op: Comparison, found: Maybe, wanted: Value): boolean {
  if (found === undefined && wanted !== null)
    return isExtreme(wanted) && op !== 'eq' && compareOp(op, null, wanted);
  const value = found ?? null;
  if (typeRank(value) !== typeRank(wanted))
    return op !== 'eq' && isExtreme(wanted) && compareOp(op, value, wanted);
  if (op !== 'eq' && (isNaNValue(value) || isNaNValue(wanted))) {
    return (op === 'gte' || op === 'lte') && isNaNValue(value) && isNaNValue(wanted);
  }
  return compareOp(op, value, wanted);
}

function isExtreme(value: Value): boolean {
  const type = typeName(value);
  return type === 'minKey' || type === 'maxKey';
}

function isNaNValue(value: Value): boolean {
  return isNumeric(value) && Number.isNaN(toDouble(value));
}

function compareOp(op: Comparison, left: Value, right: Value): boolean {
  const order = compareValues(left, right);
  switch (op) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

/** The values of an `$in`: text as it is, which most are, and the rest by key. */
type InSet = { readonly texts: ReadonlySet<string>; readonly keys: ReadonlySet<string> };
const IN_SETS = new WeakMap<readonly Value[], InSet>();

/** Uses sets, which are built once per query. */
function passesIn(
  test: FieldTest & { readonly op: 'in' },
  value: Maybe,
  path: Path,
  expandLeaf: boolean,
): boolean {
  let found = IN_SETS.get(test.values);
  if (!found) IN_SETS.set(test.values, (found = inSet(test.values)));
  const { texts, keys } = found;
  return someValueAt(
    value,
    path,
    expandLeaf,
    (each) =>
      (typeof each === 'string' ? texts.has(each) : keys.has(identityKey(each ?? null))) ||
      test.patterns.some((pattern) => matchesRegex(pattern, each)),
  );
}

function inSet(values: readonly Value[]): InSet {
  const texts = new Set<string>();
  const keys = new Set<string>();
  for (const value of values) {
    if (typeof value === 'string') texts.add(value);
    else keys.add(identityKey(value));
  }
  return { texts, keys };
}

function matchesRegex(pattern: Regex, found: Maybe): boolean {
  if (typeof found === 'string') return pattern.regexp.test(found);
  return found instanceof BSONRegExp && equalValues(found, pattern.source);
}

function passesArray(
  test: FieldTest & { readonly op: 'size' | 'elemMatchValue' | 'elemMatchDoc' },
  array: readonly Value[],
): boolean {
  switch (test.op) {
    case 'size':
      return array.length === test.size;
    case 'elemMatchValue':
      return array.some((item) => test.tests.every((inner) => passes(inner, item, [], false)));
    case 'elemMatchDoc':
      return array.some((item) => isDoc(item) && matches(test.filter, item));
  }
}
