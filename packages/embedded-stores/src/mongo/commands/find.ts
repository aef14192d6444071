import { z } from 'zod';
import { createCompiler } from '../query/expression.ts';
import { parseFilter } from '../query/filter.ts';
import { createNeeds, needAllOf, type Needs } from '../query/needs.ts';
import { compileProjection } from '../query/project.ts';
import { parseSort } from '../query/sort.ts';
import { type Doc, encode } from '../query/values.ts';
import { createPicker } from '../store/bson-elements.ts';
import { type ScanCounts } from '../store/scan.ts';
import { planSelection, select, type SelectedRow, type Selection } from '../store/select.ts';
import { type Collection, type Store } from '../store/store.ts';
import * as arg from './arguments.ts';
import { type Command, resolveHint, sessionOf } from './command.ts';
import { checkQuery } from '../check.ts';
import { type Flow, PAUSE, type Pause } from '../steps.ts';

const FIND = arg.schema({
  find: z.string(),
  filter: arg.doc.optional(),
  projection: arg.doc.optional(),
  sort: arg.doc.optional(),
  hint: arg.hint.optional(),
  skip: arg.count.optional(),
  limit: arg.count.optional(),
  batchSize: arg.count.optional(),
  singleBatch: arg.boolean.optional(),
  allowDiskUse: arg.boolean.optional(),
  noCursorTimeout: arg.boolean.optional(),
});

/** The parsed arguments of `find`. */
export type FindArguments = z.infer<typeof FIND>;

/** Checks the arguments of `find`. */
export function parseFind(body: Doc): FindArguments {
  return arg.parse(FIND, body, 'find');
}

/** A `find` ready to run. */
export type PreparedFind = {
  readonly selection: Selection;
  /** The result bytes of a row. */
  readonly answer: (row: SelectedRow) => Buffer;
};

/** Compiles a `find`; without a collection, only to check it. */
export function prepareFind(collection: Collection | undefined, args: FindArguments): PreparedFind {
  const needs = createNeeds();
  const filter = parseFilter(args.filter ?? {}, needs);
  const sort = parseSort(args.sort ?? {}, needs);
  const hint = collection && resolveHint(collection, args.hint);
  const answer = compileAnswer(args.projection ?? {}, needs);
  const selection: Selection = {
    filter,
    sort,
    skip: args.skip ?? 0,
    needs,
    limit: args.limit || undefined,
    hint,
  };
  return { selection, answer };
}

/** Uses the stored bytes, whole or in part, where possible, instead of decoding and encoding them. */
function compileAnswer(projection: Doc, needs: Needs): PreparedFind['answer'] {
  if (Object.keys(projection).length === 0) return ({ raw }) => raw;
  const read = createNeeds();
  const { kept, closes, apply } = compileProjection(projection, createCompiler(read));
  if (kept) {
    const pick = createPicker(kept);
    return ({ raw }) => pick(raw);
  }
  needAllOf(needs, read);
  if (!closes) needs.all = true;
  return ({ document }) => encode(apply(document, {}));
}

/** Reads a prepared `find`: stored bytes, or encoded projections. */
export function* runFind(
  store: Store,
  collection: Collection,
  { selection, answer }: PreparedFind,
  path = planSelection(store, collection, selection),
  counts?: ScanCounts,
): Generator<Buffer | Pause> {
  for (const row of select(store, collection, selection, path, counts))
    yield row === PAUSE ? row : answer(row);
}

/** `find`. */
export const find: Command = ({ body, database }, { store, cursors, checkQueries }) => {
  const args = parseFind(body);
  const collection = store.collection(database, args.find);
  const prepared = prepareFind(collection, args);
  const page = { batchSize: args.batchSize, single: args.singleBatch ?? false, session: sessionOf(body) };
  const namespace = `${database}.${args.find}`;
  if (!collection) return cursors.open([], namespace, page);
  const path = planSelection(store, collection, prepared.selection);
  const run = (way: typeof path): Flow<Buffer> => runFind(store, collection, prepared, way);
  if (checkQueries) checkQuery(prepared.selection.needs, path, run, namespace, 'order');
  return cursors.open(run(path), namespace, page);
};
