/**
 * The skip scan behind "latest per key": when an index holds the groups one after another, each in the requested
 * order, only the first matching documents of each group are read and the scan jumps to the next group.
 */
import { type Filter } from '../query/filter.ts';
import { matches } from '../query/match.ts';
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

/**
 * Only the first `count` documents of each group matter, in the order of `sort`; a group has equal values at
 * `paths`.
 */
export type PerGroup = {
  readonly paths: readonly string[];
  readonly count: number;
  readonly sort: readonly SortField[];
};

/** A plan in which the first `groupFields` form the group key. */
export type GroupPlan = { readonly plan: Plan; readonly groupFields: readonly IndexField[] };

const PAST_GROUP = Buffer.of(0xff);
const LARGEST_CHUNK = 512;

/** A skip scan for the query, if an index allows it. */
export function planPerGroup(collection: Collection, filter: Filter, group: PerGroup): GroupPlan | undefined {
  const bounds = conjuncts(filter);
  const candidates = collection.indexes
    .filter((index) => !index.multikey && coversFilter(index, bounds))
    .flatMap((index): GroupPlan[] => {
      const { fields } = index.spec;
      const prefix = equalityPrefix(fields, bounds);
      const grouping = new Set(group.paths.filter((path) => !prefix.constant.has(path)));
      const groupFields = leadingFields(fields, prefix.constant, grouping);
      if (!groupFields || groupFields.length < prefix.length) return [];
      const fixed = new Set([...prefix.constant, ...grouping]);
      const direction = scanDirection(fields, fixed, group.sort);
      if (!direction) return [];
      const ranges = planRanges(index, prefix, bounds);
      const backward = direction === 'backward';
      return [{ plan: { index, ranges, backward, sorted: true, equalFields: prefix.length }, groupFields }];
    });
  return candidates.sort((a, b) => b.plan.equalFields - a.plan.equalFields)[0];
}

/** The shortest prefix of the index that holds all grouping fields, and otherwise constant ones only. */
function leadingFields(
  fields: readonly IndexField[],
  constant: ReadonlySet<string>,
  grouping: ReadonlySet<string>,
): readonly IndexField[] | undefined {
  let left = grouping.size;
  for (const [i, { path }] of fields.entries()) {
    if (left === 0 && !constant.has(path)) return fields.slice(0, i);
    if (grouping.has(path)) left--;
    else if (!constant.has(path)) return undefined;
  }
  return left === 0 ? fields : undefined;
}

/** Reads the plan: at least the first `count` matches of every group, group by group, in order within each. */
export function* scanFirstPerGroup(
  store: Store,
  collection: Collection,
  { plan, groupFields }: GroupPlan,
  filter: Filter,
  count: number,
  needs: Needs,
  counts: ScanCounts,
): Generator<ScannedRow & { readonly document: Doc }> {
  for (const field of groupFields) needPath(needs, field.path);
  const decode = createDecoder(needs);
  for (const range of plan.ranges) {
    const { after, bound } = restOf(plan, range);
    let position: Position | undefined = after;
    let group: Buffer | undefined;
    let found = 0;
    let size = count;
    while (position) {
      const entries = readEntries(store, collection, plan, { after: position, bound }, size);
      position = entries.length < size ? undefined : entries.at(-1);
      size = Math.min(size * 2, LARGEST_CHUNK);
      for (const entry of entries) {
        store.checkTime();
        counts.keysExamined++;
        counts.docsExamined++;
        const document = decode(entry.raw);
        if (!group || !startsWith(entry.key, group)) [group, found] = [groupKey(document, groupFields), 0];
        if (!matches(filter, document)) continue;
        yield { ...entry, document };
        found++;
        if (found < count || hasNull(document, groupFields)) continue;
        position = plan.backward
          ? { key: group, rowId: 0 }
          : { key: Buffer.concat([group, PAST_GROUP]), rowId: 0 };
        size = count;
        break;
      }
    }
  }
}

function startsWith(key: Buffer, prefix: Buffer): boolean {
  return key.length >= prefix.length && key.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}

function groupKey(document: Doc, fields: readonly IndexField[]): Buffer {
  return Buffer.concat(
    fields.map(({ parts, descending }) =>
      orderKey(keyValuesAt(document, parts).values[0] ?? null, descending),
    ),
  );
}

/** Missing and null share an index key but may be different groups, so such a group is read to its end. */
function hasNull(document: Doc, fields: readonly IndexField[]): boolean {
  return fields.some(({ parts }) => (keyValuesAt(document, parts).values[0] ?? null) === null);
}
