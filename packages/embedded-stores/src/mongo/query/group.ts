/** The `$group` stage, and the part of it that lets the planner read less. */
import { MongoError } from '../errors.ts';
import { type PerGroup } from '../store/first-per-group.ts';
import { type Accumulator, compileAccumulator, constantCount, type Fold } from './accumulators.ts';
import type { Compiler } from './compiler.ts';
import { createNeeds } from './needs.ts';
import { identityKey } from './order-key.ts';
import { parseSort, type SortField } from './sort.ts';
import { type Stage } from './stage.ts';
import { type Doc, getField, isDoc, setField, type Value } from './values.ts';

/** Compiles `$group`. Groups come in the order in which they were first seen. */
export function compileGroup(spec: Value, compiler: Compiler): Stage {
  if (!isDoc(spec)) throw new MongoError(15947, "a group's fields must be specified in an object");
  const { _id: id, ...fields } = spec;
  if (id === undefined) throw new MongoError(15955, 'a group specification must include an _id');
  const key = compiler.compile(id);
  const accumulators = Object.entries(fields).map(([field, accumulator]): [string, Accumulator] => {
    if (field.includes('.')) throw new MongoError(40235, `The field name '${field}' cannot contain '.'`);
    return [field, compileAccumulator(accumulator, field, compiler)];
  });
  return {
    closes: true,
    *run(documents, variables) {
      const groups = new Map<string, { readonly id: Value; readonly folds: readonly Fold[] }>();
      for (const document of documents) {
        const value = key(document, variables) ?? null;
        const identity = identityKey(value);
        let group = groups.get(identity);
        if (!group) {
          group = { id: value, folds: accumulators.map(([, { start }]) => start()) };
          groups.set(identity, group);
        }
        for (const fold of group.folds) fold.add(document, variables);
      }
      for (const group of groups.values()) {
        const result: Doc = { _id: group.id };
        for (const [i, [field]] of accumulators.entries())
          setField(result, field, group.folds[i]?.result() ?? null);
        yield result;
      }
    },
  };
}

/**
 * How many documents of each group `$group` needs, if only the first ones: `$first` and `$firstN` in the order of the
 * `$sort` before it, `$top` and `$topN` in their own. Undefined if it needs all.
 */
export function perGroupOf(spec: Value, before: readonly SortField[]): PerGroup | undefined {
  if (!isDoc(spec)) return undefined;
  const paths = groupPaths(getField(spec, '_id') ?? null);
  if (!paths) return undefined;
  let count = 1;
  const sorts = new Map<string, readonly SortField[]>();
  for (const [field, accumulator] of Object.entries(spec)) {
    if (field === '_id') continue;
    const head = headOf(accumulator, before);
    if (!head) return undefined;
    count = Math.max(count, head.count);
    sorts.set(head.sort.map(({ path, direction }) => `${path} ${direction}`).join(), head.sort);
  }
  const [sort = []] = sorts.values();
  return sorts.size > 1 ? undefined : { paths, count, sort };
}

/** The field paths of a group key that is one path or a document of paths. */
function groupPaths(id: Value): string[] | undefined {
  const parts = isDoc(id) ? Object.values(id) : id === null ? [] : [id];
  const paths = parts.flatMap((part) =>
    typeof part === 'string' && /^\$[^$]/.test(part) ? [part.slice(1)] : [],
  );
  return paths.length === parts.length ? paths : undefined;
}

function headOf(
  accumulator: Value,
  before: readonly SortField[],
): { readonly count: number; readonly sort: readonly SortField[] } | undefined {
  const [name = '', argument] = isDoc(accumulator) ? (Object.entries(accumulator)[0] ?? []) : [];
  const parts: Doc = isDoc(argument) ? argument : {};
  switch (name) {
    case '$first':
      return { count: 1, sort: before };
    case '$firstN':
      return { count: constantCount(parts['n'], name), sort: before };
    case '$top':
    case '$topN':
      return {
        count: name === '$top' ? 1 : constantCount(parts['n'], name),
        sort: isDoc(parts['sortBy']) ? parseSort(parts['sortBy'], createNeeds()) : [],
      };
    default:
      return undefined;
  }
}
