/** `delete`. */
import { z } from 'zod';
import { parseFilter } from '../query/filter.ts';
import { createNeeds } from '../query/needs.ts';
import { decode } from '../query/values.ts';
import { deleteDocument } from '../store/documents.ts';
import { type Selection } from '../store/select.ts';
import {
  argumentsOf,
  booleanArgument,
  type Command,
  docArgument,
  docsArgument,
  hintArgument,
  integerArgument,
  parseArguments,
  resolveHint,
} from './command.ts';
import { selectRows } from './rows.ts';
import { runStatements, writeErrors } from './write.ts';

const DELETE = argumentsOf({
  delete: z.string(),
  deletes: docsArgument.min(1),
  ordered: booleanArgument.optional(),
});

const STATEMENT = z.strictObject({ q: docArgument, limit: integerArgument, hint: hintArgument.optional() });

/** `delete`: the first match (`limit` 1) or all of them (0). */
export const deleteCommand: Command = ({ body, database }, context) => {
  const { delete: name, deletes, ordered = true } = parseArguments(DELETE, body, 'delete');
  const { store } = context;
  let n = 0;
  const errors = runStatements(context, deletes, ordered, (raw) => {
    const { q, limit, hint } = parseArguments(STATEMENT, raw, 'delete.deletes');
    const needs = createNeeds();
    const filter = parseFilter(q, needs);
    const collection = store.collection(database, name);
    if (!collection) return;
    const index = resolveHint(collection, hint);
    const selection: Selection = {
      filter,
      needs,
      ...(limit > 0 && { limit }),
      ...(index && { hint: index }),
    };
    const rows = selectRows(context, collection, selection);
    for (const row of rows) deleteDocument(store, collection, row.rowId, decode(row.raw));
    n += rows.length;
  });
  return { n, ...writeErrors(errors), ok: 1 };
};
