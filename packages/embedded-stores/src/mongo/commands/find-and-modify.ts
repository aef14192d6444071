import { z } from 'zod';
import { MongoError } from '../errors.ts';
import { createCompiler } from '../query/expression.ts';
import { parseFilter } from '../query/filter.ts';
import { createNeeds } from '../query/needs.ts';
import { compileProjection } from '../query/project.ts';
import { parseSort } from '../query/sort.ts';
import { applyUpdate, compileUpdate } from '../query/update.ts';
import { decode, type Doc, type Value } from '../query/values.ts';
import { deleteDocument } from '../store/documents.ts';
import { readRow } from '../store/scan.ts';
import { type SelectedRow } from '../store/select.ts';
import { ensureCollection, type Store } from '../store/store.ts';
import * as arg from './arguments.ts';
import { type Command, type CommandContext, resolveHint } from './command.ts';
import { selectRows } from './rows.ts';
import { insertUpsert, rewrite } from './update.ts';

const FIND_AND_MODIFY = arg.schema({
  findAndModify: z.string(),
  query: arg.doc.optional(),
  sort: arg.doc.optional(),
  update: arg.anything.optional(),
  remove: arg.boolean.optional(),
  new: arg.boolean.optional(),
  upsert: arg.boolean.optional(),
  fields: arg.doc.optional(),
  hint: arg.hint.optional(),
  bypassDocumentValidation: arg.boolean.optional(),
});

type Arguments = z.infer<typeof FIND_AND_MODIFY>;
type Outcome = { readonly value: Doc | null; readonly lastErrorObject: Record<string, unknown> };

/** `findAndModify`: changes or removes the first match in sort order, and returns it as it was before or after. */
export const findAndModify: Command = ({ body, database }, context) => {
  const args = arg.parse(FIND_AND_MODIFY, body, 'findAndModify');
  if ((args.update === undefined) === !args.remove) {
    throw new MongoError('FailedToParse', 'Either an update or remove=true must be specified');
  }
  if (args.remove && (args.upsert || args.new)) {
    throw new MongoError('FailedToParse', 'Cannot specify both upsert=true or new=true and remove=true');
  }
  const project = projector(args.fields);
  const { value, lastErrorObject } = context.store.transaction(() => modify(context, database, args));
  return { lastErrorObject, value: value && project(value), ok: 1 };
};

function projector(fields: Doc | undefined): (document: Doc) => Doc {
  if (!fields || Object.keys(fields).length === 0) return (document) => document;
  const projection = compileProjection(fields, createCompiler(createNeeds()));
  return (document) => projection.apply(document, {});
}

function modify(context: CommandContext, database: string, args: Arguments): Outcome {
  const { store } = context;
  const row = firstMatch(context, database, args);
  const name = args.findAndModify;
  if (!row)
    return args.upsert && args.update !== undefined
      ? upsert(store, database, args, args.update)
      : missing(args);
  const collection = ensureCollection(store, database, name);
  const before = decode(row.raw);
  if (args.update === undefined) {
    deleteDocument(store, collection, row.rowId, before);
    return { value: before, lastErrorObject: { n: 1 } };
  }
  const update = compileUpdate(args.update);
  rewrite(store, collection, row, (document) => applyUpdate(update, document));
  const raw = args.new ? readRow(store, collection, row.rowId) : undefined;
  return { value: raw ? decode(raw) : before, lastErrorObject: { n: 1, updatedExisting: true } };
}

function missing(args: Arguments): Outcome {
  return { value: null, lastErrorObject: args.remove ? { n: 0 } : { n: 0, updatedExisting: false } };
}

function upsert(store: Store, database: string, args: Arguments, u: Value): Outcome {
  const collection = ensureCollection(store, database, args.findAndModify);
  const { id, document } = insertUpsert(store, collection, { q: args.query ?? {}, u });
  return {
    value: args.new ? document : null,
    lastErrorObject: { n: 1, updatedExisting: false, upserted: id },
  };
}

function firstMatch(context: CommandContext, database: string, args: Arguments): SelectedRow | undefined {
  const needs = createNeeds();
  const filter = parseFilter(args.query ?? {}, needs);
  const sort = parseSort(args.sort ?? {}, needs);
  const collection = context.store.collection(database, args.findAndModify);
  if (!collection) return undefined;
  const hint = resolveHint(collection, args.hint);
  const [row] = selectRows(context, collection, { filter, sort, needs, limit: 1, hint });
  return row;
}
