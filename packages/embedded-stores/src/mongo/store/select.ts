/** Reads the documents of a collection that match a filter, in order: plans, scans, filters, sorts, limits. */
import { allOf, type Flow, PAUSE, type Pause } from '../steps.ts';
import type { Variables } from '../query/compiler.ts';
import { type Filter } from '../query/filter.ts';
import { matches } from '../query/match.ts';
import { type Needs } from '../query/needs.ts';
import { sortFlow, sortKey, type SortField } from '../query/sort.ts';
import { type Doc } from '../query/values.ts';
import { type Shuffle } from '../shuffle.ts';
import { createDecoder } from './bson-elements.ts';
import { type Distinct, type DistinctPlan, planDistinct, scanDistinct } from './distinct-scan.ts';
import { type Plan, planQuery } from './planner.ts';
import { createQuickCheck } from './quick-check.ts';
import {
  isFarSmaller,
  noCounts,
  readRow,
  type ScanCounts,
  scanCollection,
  scanIndex,
  type ScannedRow,
} from './scan.ts';
import { type Collection, type Index, type Store } from './store.ts';

/**
 * What to read. `needs` holds the fields that filter, sort and the consumer of {@link SelectedRow.document} look
 * at.
 */
export type Selection = {
  readonly filter: Filter;
  readonly sort?: readonly SortField[];
  readonly skip?: number;
  readonly limit?: number | undefined;
  readonly needs: Needs;
  readonly hint?: Index | undefined;
  readonly variables?: Variables;
  /** The consumer looks at the first document of each value only; excludes skip and limit. */
  readonly distinct?: Distinct | undefined;
};

/**
 * How a selection is read; `natural` reads the collection in order of insertion, or against it. `plain` decodes every
 * document, which is slow and certain, as the reference for `check.ts`.
 */
export type AccessPath =
  | { readonly kind: 'natural'; readonly backward?: boolean; readonly plain?: boolean }
  | { readonly kind: 'index'; readonly plan: Plan }
  | { readonly kind: 'distinct'; readonly distinctPlan: DistinctPlan };

type MatchingPath = Exclude<AccessPath, { kind: 'distinct' }>;

/** A row with at least the needed fields decoded. */
export type SelectedRow = ScannedRow & { readonly document: Doc };

/** Chooses the access path. */
export function planSelection(store: Store, collection: Collection, selection: Selection): AccessPath {
  const { filter, distinct, hint, limit } = selection;
  const distinctPlan = distinct && planDistinct(collection, filter, distinct);
  if (distinctPlan) return { kind: 'distinct', distinctPlan };
  const isSmaller = (plan: Plan, other: Plan): boolean =>
    limit !== undefined && isFarSmaller(store, plan, other);
  const plan = planQuery(collection, filter, selection.sort ?? [], { hint, isSmaller });
  return plan ? { kind: 'index', plan } : { kind: 'natural' };
}

/** Reads along `path`. Lazy: stops reading when the consumer stops. Pauses where the store says so. */
export function* select(
  store: Store,
  collection: Collection,
  selection: Selection,
  path: AccessPath,
  counts: ScanCounts = noCounts(),
): Generator<SelectedRow | Pause> {
  const { needs, skip = 0, limit = Infinity } = selection;
  if (path.kind === 'distinct') {
    yield* scanDistinct(store, collection, path.distinctPlan, needs, counts);
    return;
  }
  const sort = selection.sort ?? [];
  const found = matching(store, collection, selection, path, counts);
  const isSorted = sort.length > 0 && path.kind === 'index' && path.plan.sorted;
  const rows = store.shuffle
    ? isSorted
      ? tiesMixed(found, sort, store.shuffle)
      : store.shuffle(yield* allOf(found))
    : found;
  const ordered =
    sort.length === 0 || isSorted ? rows : sortRows(store, collection, rows, sort, needs, skip + limit);
  let position = 0;
  for (const row of ordered) {
    if (row === PAUSE) {
      yield row;
      continue;
    }
    if (position >= skip + limit) return;
    if (position++ >= skip) yield row;
    if (position >= skip + limit) return;
  }
}

function* matching(
  store: Store,
  collection: Collection,
  { filter, needs, variables }: Selection,
  path: MatchingPath,
  counts: ScanCounts,
): Generator<SelectedRow | Pause> {
  const rows =
    path.kind === 'index'
      ? scanIndex(store, collection, path.plan, counts)
      : scanCollection(store, collection, counts, path.backward);
  const decode = createDecoder(needs);
  const mayMatch = quickCheckFor(filter, path);
  for (const row of rows) {
    if (store.isDue()) yield PAUSE;
    if (!mayMatch(row.raw)) continue;
    const document = decode(row.raw);
    if (matches(filter, document, variables)) yield { ...row, document };
  }
}

/** Paths that an index scan binds need no second look. */
function quickCheckFor(filter: Filter, path: MatchingPath): (raw: Buffer) => boolean {
  if (path.kind === 'natural') return path.plain ? () => true : createQuickCheck(filter, new Set());
  const { index, equalFields } = path.plan;
  return createQuickCheck(
    filter,
    new Set(index.spec.fields.slice(0, equalFields).map((field) => field.path)),
  );
}

/** Sorted rows, those of one key in any order. */
function* tiesMixed(
  rows: Flow<SelectedRow>,
  sort: readonly SortField[],
  shuffle: Shuffle,
): Generator<SelectedRow | Pause> {
  const tied: SelectedRow[] = [];
  let last: Buffer | undefined;
  for (const row of rows) {
    const key = row === PAUSE ? last : sortKey(row.document, sort);
    if (key && last && !key.equals(last)) yield* shuffle(tied.splice(0));
    last = key;
    if (row === PAUSE) yield row;
    else tied.push(row);
  }
  yield* shuffle(tied);
}

/** Sorts by key. Without a limit only keys and row numbers are held and the documents are read again in order. */
function* sortRows(
  store: Store,
  collection: Collection,
  rows: Flow<SelectedRow>,
  sort: readonly SortField[],
  needs: Needs,
  limit: number,
): Generator<SelectedRow | Pause> {
  if (limit !== Infinity) {
    for (const { item } of yield* sortFlow(rows, (row) => sortKey(row.document, sort), limit)) yield item;
    return;
  }
  const keys = Iterator.from(rows).map((row) =>
    row === PAUSE ? row : { rowId: row.rowId, key: sortKey(row.document, sort) },
  );
  const decode = createDecoder(needs);
  for (const { item } of yield* sortFlow(keys, ({ key }) => key)) {
    if (store.isDue()) yield PAUSE;
    const raw = readRow(store, collection, item.rowId);
    if (raw) yield { rowId: item.rowId, raw, document: decode(raw) };
  }
}
