/**
 * Dotted paths into documents, walked as MongoDB does: differently for filters, for indexes and sorts, and in
 * expressions.
 */
import { EMPTY_ARRAY, type KeyValue } from './order-key.ts';
import { getField, isDoc, type Maybe, setField, type Value, type Doc } from './values.ts';

const ARRAY_INDEX = /^(0|[1-9]\d*)$/;

/** A path, split once. */
export type Path = readonly string[];

/** Splits `a.b.0` into its parts. */
export function parsePath(path: string): Path {
  return path.split('.');
}

/**
 * Calls `visit` with every value that a filter tests at this path, until it returns true; returns whether it did.
 * An array on the way contributes each of its documents, and the element that a numeric part names. With
 * `expandLeaf` an array at the end is visited as a whole and element by element. A missing field is visited as
 * `undefined`.
 */
export function someValueAt(
  value: Maybe,
  path: Path,
  expandLeaf: boolean,
  visit: (value: Maybe) => boolean,
  depth = 0,
): boolean {
  const part = path[depth];
  if (part === undefined) {
    if (visit(value)) return true;
    return expandLeaf && Array.isArray(value) && value.some(visit);
  }
  if (!Array.isArray(value)) {
    return someValueAt(isDoc(value) ? getField(value, part) : undefined, path, expandLeaf, visit, depth + 1);
  }
  if (ARRAY_INDEX.test(part)) {
    const element = value[Number(part)];
    if (element !== undefined && someValueAt(element, path, expandLeaf, visit, depth + 1)) return true;
  }
  return value.some((item) => isDoc(item) && someValueAt(item, path, expandLeaf, visit, depth));
}

/**
 * The values under which a document is indexed and sorted: one, or one for each element when an array is on the path.
 * Never empty; missing counts as null, an empty array at the end as {@link EMPTY_ARRAY}.
 */
export function keyValuesAt(
  document: Doc,
  path: Path,
): { readonly values: KeyValue[]; readonly multikey: boolean } {
  const values: KeyValue[] = [];
  const multikey = collectKeyValues(document, path, 0, values);
  return { values, multikey };
}

function collectKeyValues(value: Maybe, path: Path, depth: number, into: KeyValue[]): boolean {
  const part = path[depth];
  if (!Array.isArray(value)) {
    if (part === undefined) into.push(value ?? null);
    else return collectKeyValues(isDoc(value) ? getField(value, part) : undefined, path, depth + 1, into);
    return false;
  }
  if (part === undefined) {
    if (value.length === 0) into.push(EMPTY_ARRAY);
    else into.push(...value);
    return true;
  }
  const element = ARRAY_INDEX.test(part) ? value[Number(part)] : undefined;
  if (element !== undefined) collectKeyValues(element, path, depth + 1, into);
  for (const item of value) {
    if (isDoc(item)) collectKeyValues(item, path, depth, into);
    else into.push(null);
  }
  if (value.length === 0) into.push(null);
  return true;
}

/**
 * The value of a field path in an expression: an array on the way yields an array of the values in its documents,
 * numeric parts are field names, and a scalar on the way makes the path missing.
 */
export function expressionValueAt(value: Maybe, path: Path, depth = 0): Maybe {
  const part = path[depth];
  if (part === undefined) return value;
  if (isDoc(value)) return expressionValueAt(getField(value, part), path, depth + 1);
  if (!Array.isArray(value)) return undefined;
  const found: Value[] = [];
  for (const item of value) {
    const inner = expressionValueAt(item, path, depth);
    if (inner !== undefined) found.push(inner);
  }
  return found;
}

/** A copy of `document` with the value at `path` set; for an array on the way, in each of its documents. */
export function withValueAt(document: Doc, path: Path, value: Maybe, depth = 0): Doc {
  const part = path[depth] ?? '';
  const copy = { ...document };
  if (depth === path.length - 1) {
    if (value === undefined) delete copy[part];
    else setField(copy, part, value);
    return copy;
  }
  setField(copy, part, withNested(getField(document, part), path, value, depth + 1));
  return copy;
}

function withNested(current: Maybe, path: Path, value: Maybe, depth: number): Value {
  if (Array.isArray(current)) return current.map((item) => withNested(item, path, value, depth));
  return withValueAt(isDoc(current) ? current : {}, path, value, depth);
}
