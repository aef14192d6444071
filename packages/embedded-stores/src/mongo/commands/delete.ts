import { z } from 'zod';
import { parseFilter } from '../query/filter.ts';
import { createNeeds } from '../query/needs.ts';
import { decode } from '../query/values.ts';
import { deleteDocument } from '../store/documents.ts';
import * as arg from './arguments.ts';
import { type Command, resolveHint } from './command.ts';
import { selectRows } from './rows.ts';
import { runStatements, writeErrors } from './write.ts';

const DELETE = arg.schema({
  delete: z.string(),
  deletes: arg.docs.min(1),
  ordered: arg.boolean.optional(),
});

const STATEMENT = z.strictObject({ q: arg.doc, limit: arg.integer, hint: arg.hint.optional() });

/** `delete`: the first match (`limit` 1) or all of them (0). */
export const deleteCommand: Command = ({ body, database }, context) => {
  const { delete: name, deletes, ordered = true } = arg.parse(DELETE, body, 'delete');
  const { store } = context;
  let n = 0;
  const errors = runStatements(context, deletes, ordered, (raw) => {
    const { q, limit, hint } = arg.parse(STATEMENT, raw, 'delete.deletes');
    const needs = createNeeds();
    const filter = parseFilter(q, needs);
    const collection = store.collection(database, name);
    if (!collection) return;
    const rows = selectRows(context, collection, {
      filter,
      needs,
      limit: limit > 0 ? limit : undefined,
      hint: resolveHint(collection, hint),
    });
    for (const row of rows) deleteDocument(store, collection, row.rowId, decode(row.raw));
    n += rows.length;
  });
  return { n, ...writeErrors(errors), ok: 1 };
};
