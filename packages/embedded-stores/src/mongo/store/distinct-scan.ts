/**
 * DISTINCT_SCAN: one index entry for each value of a field, jumping from value to value. It is used exactly where
 * MongoDB 6.0 to 8.0 use it for `$group` (`turnIxscanIntoDistinctIxscan` in `get_executor.cpp`), so that a query is
 * as cheap here as there, and as dear: everything else reads every entry.
 */
import { PAUSE, type Pause } from '../steps.ts';
import { type FieldTest, type Filter } from '../query/filter.ts';
import { needPath, type Needs } from '../query/needs.ts';
import { orderKey } from '../query/order-key.ts';
import { keyValuesAt } from '../query/paths.ts';
import { type SortField } from '../query/sort.ts';
import { type Doc } from '../query/values.ts';
import { createDecoder } from './bson-elements.ts';
import { type IndexField } from './index-spec.ts';
import { conjuncts, coversFilter, equalityPrefix, type Plan, planRanges, scanDirection } from './planner.ts';
import { type Position, readEntries, restOf, type ScanCounts, type ScannedRow } from './scan.ts';
import { type Collection, type Store } from './store.ts';

/** Only the first document of each value of `path` matters, in the order of `sort`. */
export type Distinct = { readonly path: string; readonly sort: readonly SortField[] };

/** A plan whose first `keyFields` end with the field that is skipped over. */
export type DistinctPlan = { readonly plan: Plan; readonly keyFields: readonly IndexField[] };

const PAST_VALUE = Buffer.of(0xff);

/**
 * The scan, if an index allows it: every field before the distinct one is bound to one value, the index has the
 * order, and no test is left for the documents, since any of the skipped ones might pass it.
 */
export function planDistinct(
  collection: Collection,
  filter: Filter,
  { path, sort }: Distinct,
): DistinctPlan | undefined {
  if (!isOfFields(filter)) return undefined;
  const bounds = conjuncts(filter);
  for (const index of collection.indexes) {
    const { fields } = index.spec;
    const place = fields.findIndex((field) => field.path === path);
    if (place < 0 || index.arrays !== 0 || !coversFilter(index, bounds)) continue;
    const prefix = equalityPrefix(fields, bounds);
    const isBound = fields.slice(0, place).every((field) => prefix.constant.has(field.path));
    const direction = scanDirection(fields, prefix.constant, sort);
    const tested = new Set(fields.slice(0, Math.min(prefix.length, place + 1)).map((field) => field.path));
    const isExact = [...bounds].every(([tests, each]) => tested.has(tests) && isPoints(each));
    if (!isBound || !direction || !isExact) continue;
    const ranges = planRanges(index, prefix, bounds);
    return {
      plan: { index, ranges, backward: direction === 'backward', sorted: true, equalFields: prefix.length },
      keyFields: fields.slice(0, place + 1),
    };
  }
  return undefined;
}

const isOfFields = (filter: Filter): boolean =>
  filter.kind === 'and' ? filter.filters.every(isOfFields) : filter.kind === 'field';

/** One equality or `$in`, whose index bounds are exact; those of null are not. */
function isPoints([test, ...others]: readonly FieldTest[]): boolean {
  if (others.length > 0) return false;
  if (test?.op === 'eq') return test.value !== null;
  return test?.op === 'in' && test.patterns.length === 0 && !test.values.includes(null);
}

/** Reads the plan: the first document of each value. MongoDB does not fetch it if the index has all it `needs`. */
export function* scanDistinct(
  store: Store,
  collection: Collection,
  { plan, keyFields }: DistinctPlan,
  needs: Needs,
  counts: ScanCounts,
): Generator<(ScannedRow & { readonly document: Doc }) | Pause> {
  const isCovered = isCoveredBy(plan, needs);
  for (const field of keyFields) needPath(needs, field.path);
  const decode = createDecoder(needs);
  for (const range of plan.ranges) {
    const { after, bound } = restOf(plan, range);
    for (let position: Position | undefined = after; position;) {
      const [entry] = readEntries(store, collection, plan, { after: position, bound }, 1);
      if (!entry) break;
      if (store.isDue()) yield PAUSE;
      counts.keysExamined++;
      if (!isCovered) counts.docsExamined++;
      const document = decode(entry.raw);
      yield { ...entry, document };
      position = hasNull(document, keyFields) ? entry : pastValue(plan, keyOf(document, keyFields));
    }
  }
}

/** Whether the index holds all fields that are read. */
function isCoveredBy({ index }: Plan, needs: Needs): boolean {
  const paths = new Set(index.spec.fields.map(({ path }) => path));
  return !needs.all && [...needs.fields].every((field) => paths.has(field));
}

const pastValue = ({ backward }: Plan, key: Buffer): Position => ({
  key: backward ? key : Buffer.concat([key, PAST_VALUE]),
  rowId: 0,
});

/** Missing and null share an index key but are different values to `distinct`, so none of them is skipped. */
function hasNull(document: Doc, fields: readonly IndexField[]): boolean {
  return fields.some(({ parts }) => (keyValuesAt(document, parts).values[0] ?? null) === null);
}

function keyOf(document: Doc, fields: readonly IndexField[]): Buffer {
  return Buffer.concat(
    fields.map(({ parts, descending }) =>
      orderKey(keyValuesAt(document, parts).values[0] ?? null, descending),
    ),
  );
}
