/** The `$group` stage, and the part of it that lets the planner read less. */
import { MongoError } from '../errors.ts';
import { PAUSE } from '../steps.ts';
import { type Distinct } from '../store/distinct-scan.ts';
import { type Accumulator, compileAccumulator, type Fold } from './accumulators.ts';
import type { Compiler } from './compiler.ts';
import { identityKey } from './order-key.ts';
import { type SortField } from './sort.ts';
import { type Stage } from './stage.ts';
import { type Doc, isDoc, setField, type Value } from './values.ts';

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
        if (document === PAUSE) {
          yield document;
          continue;
        }
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
 * The field of which `$group` needs the first document of each value, in the order of the `$sort` before it; undefined
 * if it needs more. MongoDB 6.0 looks for one field and nothing but `$first`.
 */
export function distinctOf(spec: Value, before: readonly SortField[]): Distinct | undefined {
  if (!isDoc(spec)) return undefined;
  const { _id: id = null, ...fields } = spec;
  const [key, ...others] = isDoc(id) ? Object.values(id) : [id];
  if (others.length > 0 || typeof key !== 'string' || !/^\$[^$]/.test(key)) return undefined;
  const onlyFirst = Object.values(fields).every((each) => isDoc(each) && Object.keys(each)[0] === '$first');
  return onlyFirst ? { path: key.slice(1), sort: before } : undefined;
}
