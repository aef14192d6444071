import { z } from 'zod';
import { parseFilter } from '../query/filter.ts';
import { createNeeds } from '../query/needs.ts';
import { applyUpdate, compileUpdate, upsertDocument } from '../query/update.ts';
import { decode, type Doc, encode, type Value } from '../query/values.ts';
import { insertDocument, replaceDocument } from '../store/documents.ts';
import { type SelectedRow } from '../store/select.ts';
import { type Collection, ensureCollection, type Store } from '../store/store.ts';
import * as arg from './arguments.ts';
import { type Command, type CommandContext, resolveHint } from './command.ts';
import { selectRows } from './rows.ts';
import { runStatements, writeErrors } from './write.ts';

const UPDATE = arg.schema({
  update: z.string(),
  updates: arg.docs.min(1),
  ordered: arg.boolean.optional(),
  bypassDocumentValidation: arg.boolean.optional(),
});

const STATEMENT = z.strictObject({
  q: arg.doc,
  u: arg.anything,
  upsert: arg.boolean.optional(),
  multi: arg.boolean.optional(),
  hint: arg.hint.optional(),
});

/** `update`: operators or replacements, one document or many, with upsert. */
export const update: Command = ({ body, database }, context) => {
  const { update: name, updates, ordered = true } = arg.parse(UPDATE, body, 'update');
  const { store } = context;
  const total = { n: 0, nModified: 0 };
  const upserted: { readonly index: number; readonly _id: Value | undefined }[] = [];
  const errors = runStatements(context, updates, ordered, (raw, index) => {
    const statement = arg.parse(STATEMENT, raw, 'update.updates');
    const collection = store.collection(database, name);
    const result = updateMatching(context, collection, statement);
    total.n += result.matched;
    total.nModified += result.modified;
    if (result.matched > 0 || !statement.upsert) return;
    const { id } = insertUpsert(store, ensureCollection(store, database, name), statement);
    total.n++;
    upserted.push({ index, _id: id });
  });
  return { ...total, ...(upserted.length > 0 && { upserted }), ...writeErrors(errors), ok: 1 };
};

function updateMatching(
  context: CommandContext,
  collection: Collection | undefined,
  { q, u, multi = false, hint }: z.infer<typeof STATEMENT>,
): { matched: number; modified: number } {
  const needs = createNeeds();
  const filter = parseFilter(q, needs);
  const compiled = compileUpdate(u, { multi });
  if (!collection) return { matched: 0, modified: 0 };
  const index = resolveHint(collection, hint);
  const rows = selectRows(context, collection, {
    filter,
    needs,
    limit: multi ? undefined : 1,
    hint: index,
  });
  const modified = rows.filter((row) =>
    rewrite(context.store, collection, row, (document) => applyUpdate(compiled, document)),
  );
  return { matched: rows.length, modified: modified.length };
}

/** Changes one row; false if the change changes nothing. */
export function rewrite(
  store: Store,
  collection: Collection,
  { rowId, raw }: SelectedRow,
  change: (document: Doc) => Doc,
): boolean {
  const after = change(decode(raw));
  if (encode(after).equals(raw)) return false;
  replaceDocument(store, collection, rowId, decode(raw), after);
  return true;
}

/** Inserts the document that an upsert builds from its filter and update. */
export function insertUpsert(
  store: Store,
  collection: Collection,
  { q, u }: { readonly q: Doc; readonly u: Value },
): { readonly id: Value | undefined; readonly document: Doc } {
  const document = upsertDocument(compileUpdate(u), parseFilter(q, createNeeds()));
  insertDocument(store, collection, encode(document));
  return { id: document['_id'], document };
}
