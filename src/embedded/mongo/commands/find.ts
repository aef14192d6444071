/** `find`, `count` and `distinct`. */
import { z } from 'zod';
import { MongoError } from '../errors.ts';
import { createCompiler } from '../query/expression.ts';
import { parseFilter } from '../query/filter.ts';
import { createNeeds } from '../query/needs.ts';
import { identityKey, orderKey } from '../query/order-key.ts';
import { parsePath, someValueAt } from '../query/paths.ts';
import { compileProjection } from '../query/project.ts';
import { parseSort } from '../query/sort.ts';
import { type Doc, encode, type Value } from '../query/values.ts';
import { type ScanCounts } from '../store/scan.ts';
import { planSelection, select, type Selection } from '../store/select.ts';
import { type Collection, type Store } from '../store/store.ts';
import {
  argumentsOf,
  booleanArgument,
  type Command,
  countArgument,
  docArgument,
  hintArgument,
  integerArgument,
  parseArguments,
  resolveHint,
  sessionOf,
} from './command.ts';
import { checkQuery } from '../check.ts';

const FIND = argumentsOf({
  find: z.string(),
  filter: docArgument.optional(),
  projection: docArgument.optional(),
  sort: docArgument.optional(),
  hint: hintArgument.optional(),
  skip: countArgument.optional(),
  limit: countArgument.optional(),
  batchSize: countArgument.optional(),
  singleBatch: booleanArgument.optional(),
  allowDiskUse: booleanArgument.optional(),
  noCursorTimeout: booleanArgument.optional(),
});

/** The parsed arguments of `find`. */
export type FindArguments = z.infer<typeof FIND>;

/** Checks the arguments of `find`. */
export function parseFind(body: Doc): FindArguments {
  return parseArguments(FIND, body, 'find');
}

/** A `find` ready to run. */
export type PreparedFind = {
  readonly selection: Selection;
  readonly project: ((document: Doc) => Doc) | undefined;
};

/** Compiles a `find` on an existing collection, or on none just to check it. */
export function prepareFind(collection: Collection | undefined, args: FindArguments): PreparedFind {
  const needs = createNeeds();
  const filter = parseFilter(args.filter ?? {}, needs);
  const sort = parseSort(args.sort ?? {}, needs);
  const hint = collection && resolveHint(collection, args.hint);
  const projecting = args.projection && Object.keys(args.projection).length > 0;
  const projection = projecting ? compileProjection(args.projection ?? {}, createCompiler(needs)) : undefined;
  if (projection && !projection.closes) needs.all = true;
  const selection: Selection = {
    filter,
    sort,
    skip: args.skip ?? 0,
    needs,
    ...(args.limit && { limit: args.limit }),
    ...(hint && { hint }),
  };
  return { selection, project: projection && ((document) => projection.apply(document, {})) };
}

/** Reads a prepared `find`: stored bytes, or encoded projections. */
export function* runFind(
  store: Store,
  collection: Collection,
  { selection, project }: PreparedFind,
  path = planSelection(collection, selection),
  counts?: ScanCounts,
): Generator<Buffer> {
  for (const { raw, document } of select(store, collection, selection, path, counts)) {
    yield project ? encode(project(document)) : raw;
  }
}

/** `find`. */
export const find: Command = ({ body, database }, { store, cursors, checkQueries }) => {
  const args = parseFind(body);
  const collection = store.collection(database, args.find);
  const prepared = prepareFind(collection, args);
  const page = { batchSize: args.batchSize, single: args.singleBatch ?? false, session: sessionOf(body) };
  const namespace = `${database}.${args.find}`;
  if (!collection) return cursors.open([], namespace, page);
  const path = planSelection(collection, prepared.selection);
  const run = (way: typeof path): Iterable<Buffer> => runFind(store, collection, prepared, way);
  if (checkQueries) checkQuery(prepared.selection.needs, path, run, namespace, 'order');
  return cursors.open(run(path), namespace, page);
};

const COUNT = argumentsOf({
  count: z.string(),
  query: docArgument.optional(),
  limit: integerArgument.optional(),
  skip: countArgument.optional(),
  hint: hintArgument.optional(),
});

/** `count`: what `estimatedDocumentCount` sends; the driver's `countDocuments` is an aggregation. */
export const count: Command = ({ body, database }, { store }) => {
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
  let n = 0;
  for (const _row of select(store, collection, selection, planSelection(collection, selection))) n++;
  return { n, ok: 1 };
};

/** Counts the entries of the `_id` index, which are much smaller than the documents. */
function countAll(store: Store, collection: Collection): number {
  const [idIndex] = collection.indexes;
  const row = store.sqlite.get(`SELECT count(*) AS n FROM ${idIndex?.table ?? collection.table}`);
  return Number(row?.['n'] ?? 0);
}

const DISTINCT = argumentsOf({
  distinct: z.string(),
  key: z.string(),
  query: docArgument.optional(),
  hint: hintArgument.optional(),
});

/** `distinct`: the values at a path, array elements one by one, in value order. */
export const distinct: Command = ({ body, database }, { store }) => {
  const { distinct: name, key, query, hint } = parseArguments(DISTINCT, body, 'distinct');
  if (key === '') throw new MongoError('BadValue', "Argument 'key' of distinct must not be empty");
  const collection = store.collection(database, name);
  const needs = createNeeds(key.split('.')[0] ?? key);
  const filter = parseFilter(query ?? {}, needs);
  if (!collection) return { values: [], ok: 1 };
  const index = resolveHint(collection, hint);
  const perGroup = { paths: [key], count: 1, sort: [] };
  const selection: Selection = { filter, needs, perGroup, ...(index && { hint: index }) };
  const values = new Map<string, Value>();
  const path = parsePath(key);
  for (const { document } of select(store, collection, selection, planSelection(collection, selection))) {
    someValueAt(document, path, true, (value) => {
      if (value !== undefined && !Array.isArray(value)) values.set(identityKey(value), value);
      return false;
    });
  }
  return { values: [...values.values()].sort((a, b) => Buffer.compare(orderKey(a), orderKey(b))), ok: 1 };
};
