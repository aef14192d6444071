import { z } from 'zod';
import { parseFilter } from '../query/filter.ts';
import { createNeeds } from '../query/needs.ts';
import { type Collection, type Store } from '../store/store.ts';
import * as arg from './arguments.ts';
import { type CommandContext, type CommandRequest, resolveHint } from './command.ts';
import { PAUSE, type Steps } from '../steps.ts';
import { type Reply } from '../wire.ts';
import { readRows } from './rows.ts';

const COUNT = arg.schema({
  count: z.string(),
  query: arg.doc.optional(),
  limit: arg.integer.optional(),
  skip: arg.count.optional(),
  hint: arg.hint.optional(),
});

/** `count`: what `estimatedDocumentCount` sends; the driver's `countDocuments` is an aggregation. */
export function* count({ body, database }: CommandRequest, context: CommandContext): Steps<Reply> {
  const { store } = context;
  const args = arg.parse(COUNT, body, 'count');
  const collection = store.collection(database, args.count);
  const filter = args.query ?? {};
  if (!collection) return { n: 0, ok: 1 };
  if (Object.keys(filter).length === 0 && !args.limit && !args.skip) {
    return { n: countAll(store, collection), ok: 1 };
  }
  const needs = createNeeds();
  const rows = readRows(context, collection, {
    filter: parseFilter(filter, needs),
    needs,
    skip: args.skip ?? 0,
    limit: args.limit ? Math.abs(args.limit) : undefined,
    hint: resolveHint(collection, args.hint),
  });
  let n = 0;
  for (const row of rows) {
    if (row === PAUSE) yield row;
    else n++;
  }
  return { n, ok: 1 };
}

/** Counts the entries of the `_id` index, which are much smaller than the documents. */
function countAll(store: Store, collection: Collection): number {
  const [idIndex] = collection.indexes;
  const row = store.sqlite.get(`SELECT count(*) AS n FROM ${idIndex?.table ?? collection.table}`);
  return Number(row?.['n'] ?? 0);
}
