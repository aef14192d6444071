/**
 * Chooses how to read a collection. An index serves a query by equality on its leading fields (also `$in`), then a
 * range on the next field, or the sort order. The filter is always checked again on the documents, so bounds may be
 * wider than the query, never narrower.
 */
import { isDeepStrictEqual } from 'node:util';
import { type FieldTest, type Filter } from '../query/filter.ts';
import { passes } from '../query/match.ts';
import { keyTag, orderKey } from '../query/order-key.ts';
import { type SortField } from '../query/sort.ts';
import { isDoc, typeName, type Value } from '../query/values.ts';
import { type IndexField } from './index-spec.ts';
import { type Collection, type Index } from './store.ts';

/** Half-open interval of index keys. */
export type KeyRange = { readonly from: Buffer; readonly to: Buffer };

/** An index scan. */
export type Plan = {
  readonly index: Index;
  /** Intervals in index order, not overlapping. */
  readonly ranges: readonly KeyRange[];
  readonly backward: boolean;
  /** The scan yields the requested order, so nothing is sorted. */
  readonly sorted: boolean;
  /** How many leading fields are bound by one value or by `$in`. */
  readonly equalFields: number;
};

/** The tests on one path, all of which must hold. */
type PathBounds = {
  readonly points?: readonly Value[];
  readonly low?: Value;
  readonly high?: Value;
  /** Ranges that no value is in, from `$not`. */
  readonly gaps: readonly Gap[];
};

/** The values of one type from (`isAbove`) or up to `value`, which is one of them or not. */
type Gap = { readonly value: Value; readonly isAbove: boolean; readonly isInclusive: boolean };

/**
 * The most intervals that several `$in` may multiply to. At some microseconds each, more would take longer than
 * reading everything between them.
 */
const MAX_RANGES = 100_000;
/** Greater than the keys of further fields; smaller than what follows in the keys of decimals, see `order-key.ts`. */
const PAST_ALL = Buffer.of(0xff);
const EVERYTHING: KeyRange = { from: Buffer.alloc(0), to: PAST_ALL };

/**
 * The best plan, or undefined for a scan of the whole collection. `hint` must be used. A scan in order that ends at a limit
 * may pass over the whole history to find a few old documents; if the scan of another index
 * `isSmaller`, that is read and sorted instead. MongoDB finds this out by a trial of both.
 */
export function planQuery(
  collection: Collection,
  filter: Filter,
  sort: readonly SortField[],
  { hint, isSmaller }: { hint?: Index | undefined; isSmaller?: (plan: Plan, other: Plan) => boolean } = {},
): Plan | undefined {
  const bounds = conjuncts(filter);
  const plans = (hint ? [hint] : collection.indexes)
    .filter((index) => coversFilter(index, bounds))
    .map((index) => planIndex(index, bounds, sort))
    .filter(({ score }) => hint !== undefined || score > 0)
    .toSorted((a, b) => b.score - a.score);
  const best = plans[0]?.plan;
  if (!best?.sorted || sort.length === 0 || !isSmaller) return best;
  const bound = new Set(equalPaths(best));
  const small = plans.find(
    ({ plan }) => !plan.sorted && equalPaths(plan).some((path) => !bound.has(path)) && isSmaller(plan, best),
  );
  return small?.plan ?? best;
}

const equalPaths = ({ index, equalFields }: Plan): readonly string[] =>
  index.spec.fields.slice(0, equalFields).map(({ path }) => path);

/** The tests that every matching document passes, by path. */
export function conjuncts(filter: Filter, into = new Map<string, FieldTest[]>()): Map<string, FieldTest[]> {
  if (filter.kind === 'and') for (const part of filter.filters) conjuncts(part, into);
  if (filter.kind === 'field') {
    const tests = into.get(filter.path);
    if (tests) tests.push(filter.test);
    else into.set(filter.path, [filter.test]);
  }
  return into;
}

/** Points and bounds that one path's tests imply; ranges of arrays and documents are left to the filter. */
function boundsOf(tests: readonly FieldTest[] = []): PathBounds {
  let points: readonly Value[] | undefined;
  let low: Value | undefined;
  let high: Value | undefined;
  const gaps: Gap[] = [];
  for (const test of tests) {
    if (test.op === 'eq' && !Array.isArray(test.value)) points ??= [test.value];
    if (test.op === 'in' && test.patterns.length === 0 && !test.values.some(Array.isArray))
      points ??= test.values;
    if ((test.op === 'gt' || test.op === 'gte') && isRangeValue(test.value)) low ??= test.value;
    if ((test.op === 'lt' || test.op === 'lte') && isRangeValue(test.value)) high ??= test.value;
    const [excluded, ...others] = test.op === 'not' ? test.tests : [];
    if (excluded && others.length === 0) gaps.push(...gapOf(excluded));
  }
  return {
    gaps,
    ...(points && { points }),
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
  };
}

/** Of times and text only: what `$not` keeps of numbers includes NaN, which lies among them. */
function gapOf(test: FieldTest): Gap[] {
  if (test.op !== 'gt' && test.op !== 'gte' && test.op !== 'lt' && test.op !== 'lte') return [];
  const { op, value } = test;
  if (!(value instanceof Date) && typeof value !== 'string') return [];
  return [{ value, isAbove: op.startsWith('g'), isInclusive: op.endsWith('e') }];
}

/** Null ranges also match missing fields, and MinKey and MaxKey cross types: both are left to the filter. */
function isRangeValue(value: Value): boolean {
  if (value === null || Array.isArray(value) || isDoc(value)) return false;
  const type = typeName(value);
  return type !== 'minKey' && type !== 'maxKey';
}

/** Sparse and partial indexes lack entries; they serve only filters that no such document can pass. */
export function coversFilter({ spec }: Index, bounds: ReadonlyMap<string, readonly FieldTest[]>): boolean {
  const leading = spec.fields[0];
  if (spec.sparse && !(leading && impliesPresence(boundsOf(bounds.get(leading.path))))) return false;
  return !spec.partial || impliesFilter(spec.partial, bounds);
}

function impliesPresence({ points, low, high }: PathBounds): boolean {
  return points ? !points.includes(null) : low !== undefined || high !== undefined;
}

/** Every test of the partial filter is one of the query's, or is passed by the value the query asks for. */
function impliesFilter(partial: Filter, bounds: ReadonlyMap<string, readonly FieldTest[]>): boolean {
  if (partial.kind === 'and') return partial.filters.every((part) => impliesFilter(part, bounds));
  if (partial.kind !== 'field') return false;
  const tests = bounds.get(partial.path) ?? [];
  if (tests.some((test) => isDeepStrictEqual(test, partial.test))) return true;
  const { points } = boundsOf(tests);
  return points !== undefined && points.every((value) => value !== null && passes(partial.test, value, []));
}

/** The part of an index that equality binds. */
export type Prefix = {
  readonly keys: readonly Buffer[];
  readonly length: number;
  /** Paths bound to one value: constant within the scan, so they do not matter for its order. */
  readonly constant: ReadonlySet<string>;
};

function planIndex(
  index: Index,
  bounds: ReadonlyMap<string, readonly FieldTest[]>,
  sort: readonly SortField[],
): { plan: Plan; score: number } {
  const { fields } = index.spec;
  const prefix = equalityPrefix(fields, bounds);
  const isOrdered = fields.every(
    ({ path }, i) => (index.arrays & (1 << i)) === 0 || prefix.constant.has(path),
  );
  const order = isOrdered ? scanDirection(fields, prefix.constant, sort) : undefined;
  const plan: Plan = {
    index,
    ranges: planRanges(index, prefix, bounds),
    backward: order === 'backward',
    sorted: order !== undefined,
    equalFields: prefix.length,
  };
  const pinned = index.spec.unique && prefix.length === fields.length;
  const score =
    prefix.length * 10 +
    (hasRange(fields[prefix.length], bounds) ? 4 : 0) +
    (order !== undefined && sort.length > 0 ? 6 : 0) +
    (pinned ? 50 : 0);
  return { plan, score };
}

/** The key intervals of an equality prefix and, where there is one, a range on the field after it. */
export function planRanges(
  index: Index,
  prefix: Prefix,
  bounds: ReadonlyMap<string, readonly FieldTest[]>,
): KeyRange[] {
  const next = index.spec.fields[prefix.length];
  const ranges = next ? rangesOf(next, boundsOf(bounds.get(next.path)), index.arrays !== 0) : [EVERYTHING];
  return prefix.keys.flatMap((key) =>
    ranges.map(({ from, to }) => ({ from: Buffer.concat([key, from]), to: Buffer.concat([key, to]) })),
  );
}

function hasRange(field: IndexField | undefined, bounds: ReadonlyMap<string, readonly FieldTest[]>): boolean {
  const { low, high, gaps } = boundsOf(field && bounds.get(field.path));
  return low !== undefined || high !== undefined || gaps.length > 0;
}

/** The leading fields with points, and the distinct keys that these make, in index order. */
export function equalityPrefix(
  fields: readonly IndexField[],
  bounds: ReadonlyMap<string, readonly FieldTest[]>,
): Prefix {
  let keys: readonly Buffer[] = [Buffer.alloc(0)];
  const constant = new Set<string>();
  let length = 0;
  for (const { path, descending } of fields) {
    const { points } = boundsOf(bounds.get(path));
    if (!points || keys.length * points.length > MAX_RANGES) break;
    const parts = distinctSorted(points.map((value) => orderKey(value, descending)));
    keys = keys.flatMap((key) => parts.map((part) => Buffer.concat([key, part])));
    if (parts.length === 1) constant.add(path);
    length++;
  }
  return { keys, length, constant };
}

function distinctSorted(keys: Buffer[]): Buffer[] {
  return keys.sort((a, b) => Buffer.compare(a, b)).filter((key, i) => i === 0 || !keys[i - 1]?.equals(key));
}

/** Intervals of one field's keys, in index order. */
function rangesOf(field: IndexField, bounds: PathBounds, multikey: boolean): readonly KeyRange[] {
  const gaps = bounds.gaps.map((gap) => gapKeys(field, gap));
  return gaps.reduce<readonly KeyRange[]>(
    (ranges, gap) => ranges.flatMap((range) => without(range, gap)),
    [rangeOf(field, bounds, multikey)],
  );
}

/**
 * Bounds of one field within its type bracket. A multikey index may use one bound only: another element may meet
 * the other.
 */
function rangeOf({ descending }: IndexField, { low, high }: PathBounds, multikey: boolean): KeyRange {
  const value = low ?? high;
  if (value === undefined) return EVERYTHING;
  const bracket = bracketOf(value, descending);
  const lowest = low === undefined ? undefined : orderKey(low, descending);
  const highest =
    high === undefined || (multikey && low !== undefined) ? undefined : orderKey(high, descending);
  const [from, to] = descending ? [highest, lowest] : [lowest, highest];
  return { from: from ?? bracket.from, to: to ? pastKey(to) : bracket.to };
}

function gapKeys({ descending }: IndexField, { value, isAbove, isInclusive }: Gap): KeyRange {
  const key = orderKey(value, descending);
  const bracket = bracketOf(value, descending);
  return isAbove === descending
    ? { from: bracket.from, to: isInclusive ? pastKey(key) : key }
    : { from: isInclusive ? key : pastKey(key), to: bracket.to };
}

/** What is left of a range without another. */
function without(range: KeyRange, gap: KeyRange): readonly KeyRange[] {
  const before = { from: range.from, to: Buffer.compare(range.to, gap.from) < 0 ? range.to : gap.from };
  const after = { from: Buffer.compare(range.from, gap.to) > 0 ? range.from : gap.to, to: range.to };
  return [before, after].filter(({ from, to }) => Buffer.compare(from, to) < 0);
}

/** All keys of the type of a value. */
function bracketOf(value: Value, descending: boolean): KeyRange {
  const tag = keyTag(value, descending);
  return { from: Buffer.of(tag), to: Buffer.of(tag + 1) };
}

const pastKey = (key: Buffer): Buffer => Buffer.concat([key, PAST_ALL]);

/** The direction in which the index yields the sort order; undefined if neither does. */
export function scanDirection(
  fields: readonly IndexField[],
  constant: ReadonlySet<string>,
  sort: readonly SortField[],
): 'forward' | 'backward' | undefined {
  const columns = fields.filter(({ path }) => !constant.has(path));
  const wanted = sort.filter(({ path }) => !constant.has(path));
  const directions = new Set(
    wanted.map(({ path, direction }, i) => {
      const column = columns[i];
      if (column?.path !== path) return 'none';
      return direction < 0 === column.descending ? 'forward' : 'backward';
    }),
  );
  if (directions.has('none') || directions.size > 1) return undefined;
  return directions.has('backward') ? 'backward' : 'forward';
}
