/** Prepares and runs an aggregation: the store does the leading stages, the rest runs in memory. */
import { MongoError } from '../errors.ts';
import { type Flow, PAUSE, type Pause } from '../steps.ts';
import { createCompiler } from '../query/expression.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { distinctOf } from '../query/group.ts';
import { createNeeds, needPath, type Needs } from '../query/needs.ts';
import { parsePath } from '../query/paths.ts';
import { parseSort, type SortField } from '../query/sort.ts';
import { type Join, type Reader, type Stage } from '../query/stage.ts';
import { compilePipeline, parseStage, runStages } from '../query/stages.ts';
import { type Doc, encode, isDoc, numberOf, type Value } from '../query/values.ts';
import { noCounts, type ScanCounts } from '../store/scan.ts';
import { type AccessPath, planSelection, select, type Selection } from '../store/select.ts';
import { type Collection, type Index, type Store } from '../store/store.ts';

/** A pipeline ready to run on a collection. */
export type PreparedPipeline = {
  readonly collection: Collection;
  readonly selection: Selection;
  readonly path: AccessPath;
  readonly stages: readonly Stage[];
  /** What the stages that read on their own, `$lookup` and `$unionWith`, have touched so far. */
  readonly innerCounts: ScanCounts;
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
  {
    hint,
    variableNames = [],
    innerCounts = noCounts(),
  }: {
    hint?: Index | undefined;
    variableNames?: readonly string[];
    innerCounts?: ScanCounts;
  } = {},
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
  const read = createReader(store, collection.database, innerCounts);
  const stages = compilePipeline(rest, { compiler, read });
  if (rest.length > 0 && !stages.some(({ closes }) => closes)) needs.all = true;
  const distinct = head.skip === 0 && head.limit === undefined ? firstGroup(rest[0], sort) : undefined;
  const selection: Selection = {
    filter: { kind: 'and', filters } satisfies Filter,
    sort,
    skip: head.skip,
    needs: needs satisfies Needs,
    limit: head.limit,
    hint,
    distinct,
  };
  return { collection, selection, path: planSelection(store, collection, selection), stages, innerCounts };
}

/** The results as stored or encoded bytes. */
export function* runPipeline(
  store: Store,
  { collection, selection, path, stages }: PreparedPipeline,
  counts?: ScanCounts,
): Generator<Buffer | Pause> {
  const rows = select(store, collection, selection, path, counts);
  if (stages.length === 0) {
    for (const row of rows) yield row === PAUSE ? row : row.raw;
    return;
  }
  for (const document of runStages(stages, documentsOf(rows), {}))
    yield document === PAUSE ? document : encode(document);
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
    const count = numberOf(argument);
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

function firstGroup(stage: Value | undefined, sort: readonly SortField[]): Selection['distinct'] {
  if (stage === undefined) return undefined;
  const { name, argument } = parseStage(stage);
  return name === '$group' ? distinctOf(argument, sort) : undefined;
}

function* documentsOf(rows: Flow<{ readonly document: Doc }>): Generator<Doc | Pause> {
  for (const row of rows) yield row === PAUSE ? row : row.document;
}

function createReader(store: Store, database: string, counts: ScanCounts): Reader {
  return (name, pipeline, variableNames) => {
    const collection = store.collection(database, name);
    if (!collection) {
      compilePipeline(pipeline, {
        compiler: createCompiler(createNeeds(), variableNames),
        read: createReader(store, database, counts),
      });
      return () => [];
    }
    const options = { variableNames, innerCounts: counts };
    const { selection, path, stages } = preparePipeline(store, collection, pipeline, options);
    if (stages.length === 0) selection.needs.all = true;
    return (variables, joined) => {
      const filter = joined ? withJoin(selection, joined) : selection.filter;
      const bound = { ...selection, variables, filter };
      const way = joined ? planSelection(store, collection, bound) : path;
      const rows = select(store, collection, bound, way, counts);
      return runStages(stages, documentsOf(rows), variables);
    };
  };
}

/** The filter with the condition that joins the local document to foreign ones. */
function withJoin({ filter, needs }: Selection, { path, test }: Join): Filter {
  needPath(needs, path);
  return { kind: 'and', filters: [{ kind: 'field', path, parts: parsePath(path), test }, filter] };
}
