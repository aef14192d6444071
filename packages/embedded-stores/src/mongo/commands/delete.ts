import { z } from 'zod';
import { MongoError } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { matches } from '../query/match.ts';
import { createNeeds } from '../query/needs.ts';
import { decode } from '../query/values.ts';
import { PAUSE, type Steps } from '../steps.ts';
import { deleteDocument } from '../store/documents.ts';
import { readRow } from '../store/scan.ts';
import { type SelectedRow } from '../store/select.ts';
import { type Collection } from '../store/store.ts';
import { type Reply } from '../wire.ts';
import * as arg from './arguments.ts';
import { type CommandContext, type CommandRequest, resolveHint } from './command.ts';
import { readRows } from './rows.ts';
import { type WriteError, writeErrors } from './write.ts';

const DELETE = arg.schema({
  delete: z.string(),
  deletes: arg.docs.min(1),
  ordered: arg.boolean.optional(),
});

const STATEMENT = z.strictObject({ q: arg.doc, limit: arg.integer, hint: arg.hint.optional() });
type Statement = z.infer<typeof STATEMENT>;

/** Documents that go in one transaction; between two of these, others have their turn. */
const BATCH = 512;

/** `delete`: the first match (`limit` 1) or all of them (0). As in MongoDB, one that is interrupted has deleted some. */
export function* deleteCommand({ body, database }: CommandRequest, context: CommandContext): Steps<Reply> {
  const { delete: name, deletes, ordered = true } = arg.parse(DELETE, body, 'delete');
  const errors: WriteError[] = [];
  let n = 0;
  for (const [index, raw] of deletes.entries()) {
    try {
      const statement = arg.parse(STATEMENT, raw, 'delete.deletes');
      const collection = context.store.collection(database, name);
      if (collection) n += yield* deleteMatching(context, collection, statement);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      errors.push({ index, code: error.code, errmsg: error.message, ...error.details });
      if (ordered) break;
    }
  }
  return { n, ...writeErrors(errors), ok: 1 };
}

function* deleteMatching(
  context: CommandContext,
  collection: Collection,
  { q, limit, hint }: Statement,
): Steps<number> {
  const needs = createNeeds();
  const filter = parseFilter(q, needs);
  const rows = readRows(context, collection, {
    filter,
    needs,
    limit: limit > 0 ? limit : undefined,
    hint: resolveHint(collection, hint),
  });
  let n = 0;
  let batch: SelectedRow[] = [];
  for (const row of rows) {
    if (row === PAUSE) yield row;
    else batch.push(row);
    if (batch.length < BATCH) continue;
    n += deleteBatch(context, collection, filter, batch);
    batch = [];
    yield PAUSE;
  }
  return n + deleteBatch(context, collection, filter, batch);
}

/** Deletes the rows that are still there and still match: others may have changed them since they were read. */
function deleteBatch(
  { store }: CommandContext,
  { database, name, table }: Collection,
  filter: Filter,
  batch: readonly SelectedRow[],
): number {
  const collection = store.collection(database, name);
  if (batch.length === 0 || collection?.table !== table) return 0;
  return store.transaction(() => {
    let n = 0;
    for (const { rowId, raw } of batch) {
      const stored = readRow(store, collection, rowId);
      if (!stored) continue;
      const document = decode(stored);
      if (!stored.equals(raw) && !matches(filter, document)) continue;
      deleteDocument(store, collection, rowId, document);
      n++;
    }
    return n;
  });
}
