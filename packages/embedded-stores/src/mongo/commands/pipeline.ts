/** Prepares and runs an aggregation: the store does the leading stages, the rest runs in memory. */
import { MongoError } from '../errors.ts';
import type { Variables } from '../query/compiler.ts';
import { createCompiler } from '../query/expression.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { perGroupOf } from '../query/group.ts';
import { createNeeds, type Needs } from '../query/needs.ts';
import { parseSort, type SortField } from '../query/sort.ts';
import { type Reader, type Stage } from '../query/stage.ts';
import { compilePipeline, parseStage, runStages } from '../query/stages.ts';
import { type Doc, encode, isDoc, isNumeric, toDouble, type Value } from '../query/values.ts';
import { type ScanCounts } from '../store/scan.ts';
import { type AccessPath, planSelection, select, type Selection } from '../store/select.ts';
import { type Collection, type Index, type Store } from '../store/store.ts';

/** A pipeline ready to run on a collection. */
export type PreparedPipeline = {
  readonly collection: Collection;
  readonly selection: Selection;
  readonly path: AccessPath;
  readonly stages: readonly Stage[];
};

/** The stages at the start of a pipeline that the store does itself. */
type Head = {
  readonly matches: readonly Value[];
  readonly sort: Doc | undefined;
  readonly skip: number;
  readonly limit: number | undefined;
  readonly length: number;
};

/** Compiles a pipeline on `collection`; `variableNames` are those of an outer `$lookup`. */
export function preparePipeline(
  store: Store,
  collection: Collection,
  pipeline: readonly Value[],
  { hint, variableNames = [] }: { hint?: Index | undefined; variableNames?: readonly string[] } = {},
): PreparedPipeline {
  const head = splitHead(pipeline);
  const needs = createNeeds();
  const compiler = createCompiler(needs, variableNames);
  const filters = head.matches.map((spec) => {
    if (!isDoc(spec)) throw new MongoError(15959, 'the match filter must be an expression in an object');
    return parseFilter(spec, needs, compiler);
  });
  const sort = head.sort ? parseSort(head.sort, needs) : [];
  const rest = pipeline.slice(head.length);
  const stages = compilePipeline(rest, { compiler, read: createReader(store, collection.database) });
  if (rest.length > 0 && !stages.some(({ closes }) => closes)) needs.all = true;
  const perGroup = head.skip === 0 && head.limit === undefined ? firstGroup(rest[0], sort) : undefined;
  const selection: Selection = {
    filter: { kind: 'and', filters } satisfies Filter,
    sort,
    skip: head.skip,
    needs: needs satisfies Needs,
    limit: head.limit,
    hint,
    perGroup,
  };
  return { collection, selection, path: planSelection(collection, selection), stages };
}

/** The results as stored or encoded bytes. */
export function* runPipeline(
  store: Store,
  { collection, selection, path, stages }: PreparedPipeline,
  counts?: ScanCounts,
): Generator<Buffer> {
  const rows = select(store, collection, selection, path, counts);
  if (stages.length === 0) {
    for (const { raw } of rows) yield raw;
    return;
  }
  for (const document of runStages(stages, documentsOf(rows), {})) yield encode(document);
}

/** Leading `$match`, then one `$sort`, then `$skip`, then `$limit`. */
function splitHead(pipeline: readonly Value[]): Head {
  const matches: Value[] = [];
  let sort: Doc | undefined;
  let skip = 0;
  let limit: number | undefined;
  let length = 0;
  for (const spec of pipeline) {
    const { name, argument } = parseStage(spec);
    const count = isNumeric(argument) ? toDouble(argument) : NaN;
    if (name === '$match' && !sort && !skip && limit === undefined) matches.push(argument);
    else if (name === '$sort' && !sort && !skip && limit === undefined && isDoc(argument)) sort = argument;
    else if (name === '$skip' && !skip && limit === undefined && Number.isSafeInteger(count) && count > 0)
      skip = count;
    else if (name === '$limit' && limit === undefined && Number.isSafeInteger(count) && count > 0)
      limit = count;
    else break;
    length++;
  }
  if (sort && Object.keys(sort).length === 0)
    throw new MongoError(15976, '$sort stage must have at least one sort key');
  return { matches, sort, skip, limit, length };
}

function firstGroup(stage: Value | undefined, sort: readonly SortField[]): Selection['perGroup'] {
  if (stage === undefined) return undefined;
  const { name, argument } = parseStage(stage);
  return name === '$group' ? perGroupOf(argument, sort) : undefined;
}

function* documentsOf(rows: Iterable<{ readonly document: Doc }>): Generator<Doc> {
  for (const { document } of rows) yield document;
}

function createReader(store: Store, database: string): Reader {
  return (name, pipeline, variableNames) => {
    const collection = store.collection(database, name);
    if (!collection) {
      compilePipeline(pipeline, {
        compiler: createCompiler(createNeeds(), variableNames),
        read: createReader(store, database),
      });
      return () => [];
    }
    const prepared = preparePipeline(store, collection, pipeline, { variableNames });
    if (prepared.stages.length === 0) prepared.selection.needs.all = true;
    return (variables: Variables) => {
      const selection = { ...prepared.selection, variables };
      const rows = select(store, collection, selection, prepared.path);
      return runStages(prepared.stages, documentsOf(rows), variables);
    };
  };
}
