import { z } from 'zod';
import { checkQuery } from '../check.ts';
import { atOnce, type Flow, PAUSE, type Steps } from '../steps.ts';
import { MongoError } from '../errors.ts';
import { compareValues } from '../query/compare.ts';
import { parseFilter } from '../query/filter.ts';
import { createNeeds, needPath } from '../query/needs.ts';
import { identityKey } from '../query/order-key.ts';
import { parsePath, type Path, someValueAt } from '../query/paths.ts';
import { encode, type Value } from '../query/values.ts';
import { type AccessPath, planSelection, select, type SelectedRow, type Selection } from '../store/select.ts';
import * as arg from './arguments.ts';
import { type Reply } from '../wire.ts';
import { type CommandContext, type CommandRequest, resolveHint } from './command.ts';

const DISTINCT = arg.schema({
  distinct: z.string(),
  key: z.string(),
  query: arg.doc.optional(),
  hint: arg.hint.optional(),
});

/** `distinct`: the values at a path, array elements one by one, in value order. */
export function* distinct(
  { body, database }: CommandRequest,
  { store, checkQueries }: CommandContext,
): Steps<Reply> {
  const { distinct: name, key, query, hint } = arg.parse(DISTINCT, body, 'distinct');
  if (key === '') throw new MongoError('BadValue', "Argument 'key' of distinct must not be empty");
  const needs = createNeeds();
  needPath(needs, key);
  const filter = parseFilter(query ?? {}, needs);
  const collection = store.collection(database, name);
  if (!collection) return { values: [], ok: 1 };
  const distinctOf = { path: key, sort: [] };
  const selection: Selection = { filter, needs, distinct: distinctOf, hint: resolveHint(collection, hint) };
  const path = planSelection(store, collection, selection);
  const run = (way: AccessPath): Steps<Value[]> =>
    distinctValues(select(store, collection, selection, way), parsePath(key));
  if (checkQueries) {
    const encoded = (way: AccessPath): Buffer[] => atOnce(run(way)).map((value) => encode({ value }));
    checkQuery(needs, path, encoded, collection.namespace, 'order');
  }
  return { values: yield* run(path), ok: 1 };
}

function* distinctValues(rows: Flow<SelectedRow>, path: Path): Steps<Value[]> {
  const values = new Map<string, Value>();
  const keep = (value: Value): unknown => values.set(identityKey(value), value);
  for (const row of rows) {
    if (row === PAUSE) {
      yield row;
      continue;
    }
    someValueAt(row.document, path, false, (value) => {
      if (Array.isArray(value)) value.forEach(keep);
      else if (value !== undefined) keep(value);
      return false;
    });
  }
  return [...values.values()].sort(compareValues);
}
