/** `count`. */
import { z } from 'zod';
import { parseFilter } from '../query/filter.ts';
import { createNeeds } from '../query/needs.ts';
import { type Selection } from '../store/select.ts';
import { type Collection, type Store } from '../store/store.ts';
import {
  argumentsOf,
  type Command,
  countArgument,
  docArgument,
  hintArgument,
  integerArgument,
  parseArguments,
  resolveHint,
} from './command.ts';
import { selectRows } from './rows.ts';

const COUNT = argumentsOf({
  count: z.string(),
  query: docArgument.optional(),
  limit: integerArgument.optional(),
  skip: countArgument.optional(),
  hint: hintArgument.optional(),
});

/** `count`: what `estimatedDocumentCount` sends; the driver's `countDocuments` is an aggregation. */
export const count: Command = ({ body, database }, context) => {
  const { store } = context;
  const args = parseArguments(COUNT, body, 'count');
  const collection = store.collection(database, args.count);
  const filter = args.query ?? {};
  if (!collection) return { n: 0, ok: 1 };
  if (Object.keys(filter).length === 0 && !args.limit && !args.skip) {
    return { n: countAll(store, collection), ok: 1 };
  }
  const needs = createNeeds();
  const hint = resolveHint(collection, args.hint);
  const selection: Selection = {
    filter: parseFilter(filter, needs),
    needs,
    skip: args.skip ?? 0,
    ...(args.limit && { limit: Math.abs(args.limit) }),
    ...(hint && { hint }),
  };
  return { n: selectRows(context, collection, selection).length, ok: 1 };
};

/** Counts the entries of the `_id` index, which are much smaller than the documents. */
function countAll(store: Store, collection: Collection): number {
  const [idIndex] = collection.indexes;
  const row = store.sqlite.get(`SELECT count(*) AS n FROM ${idIndex?.table ?? collection.table}`);
  return Number(row?.['n'] ?? 0);
}
