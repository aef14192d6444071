/** `explain` for `find` and `aggregate`: the access path and, at `executionStats`, what it touched. */
import { z } from 'zod';
import { allOf, type Flow, type Steps } from '../steps.ts';
import { MongoError } from '../errors.ts';
import { type Doc } from '../query/values.ts';
import { type Plan } from '../store/planner.ts';
import { noCounts, type ScanCounts } from '../store/scan.ts';
import { type AccessPath, planSelection } from '../store/select.ts';
import { parseAggregate } from './aggregate.ts';
import * as arg from './arguments.ts';
import { type Reply } from '../wire.ts';
import { type CommandContext, type CommandRequest, requireCollection, resolveHint } from './command.ts';
import { parseFind, prepareFind, runFind } from './find.ts';
import { preparePipeline, runPipeline } from './pipeline.ts';

const EXPLAIN = arg.schema({ explain: arg.doc, verbosity: z.string().optional() });

/** `inner` counts what `$lookup` and `$unionWith` touch. */
type Explained = {
  readonly path: AccessPath;
  readonly run: (counts: ScanCounts) => Flow<Buffer>;
  readonly inner: ScanCounts;
};

/**
 * `explain`; stage names and counters as MongoDB's: COLLSCAN, IXSCAN, DISTINCT_SCAN, `totalKeysExamined` and
 * `totalDocsExamined`, which here include what `$lookup` and `$unionWith` read. The counters are what MongoDB would
 * examine with the same plan, up to a key at the end of each interval.
 */
export function* explain({ body, database }: CommandRequest, context: CommandContext): Steps<Reply> {
  const { explain: command, verbosity = 'queryPlanner' } = arg.parse(EXPLAIN, body, 'explain');
  const { path, run, inner } = prepare(command, database, context);
  const queryPlanner = { winningPlan: winningPlan(path) };
  if (verbosity === 'queryPlanner') return { queryPlanner, ok: 1 };
  const counts = noCounts();
  const nReturned = (yield* allOf(run(counts))).length;
  const executionStats = {
    nReturned,
    totalKeysExamined: counts.keysExamined + inner.keysExamined,
    totalDocsExamined: counts.docsExamined + inner.docsExamined,
  };
  return { queryPlanner, executionStats, ok: 1 };
}

function prepare(command: Doc, database: string, context: CommandContext): Explained {
  const { store } = context;
  if (command['find'] !== undefined) {
    const args = parseFind(command);
    const collection = requireCollection(context, database, args.find);
    const prepared = prepareFind(collection, args);
    const path = planSelection(store, collection, prepared.selection);
    return { path, inner: noCounts(), run: (counts) => runFind(store, collection, prepared, path, counts) };
  }
  if (command['aggregate'] !== undefined) {
    const args = parseAggregate(command);
    const collection = requireCollection(context, database, args.aggregate);
    const prepared = preparePipeline(store, collection, args.pipeline, {
      hint: resolveHint(collection, args.hint),
    });
    return {
      path: prepared.path,
      inner: prepared.innerCounts,
      run: (counts) => runPipeline(store, prepared, counts),
    };
  }
  throw new MongoError(
    'CommandNotFound',
    `explain of '${Object.keys(command)[0] ?? ''}' is not supported; find and aggregate are`,
  );
}

function winningPlan(path: AccessPath): Record<string, unknown> {
  switch (path.kind) {
    case 'natural':
      return { stage: 'COLLSCAN', direction: 'forward' };
    case 'index':
      return { stage: path.plan.sorted ? 'FETCH' : 'SORT', inputStage: scanOf('IXSCAN', path.plan) };
    case 'distinct':
      return { stage: 'FETCH', inputStage: scanOf('DISTINCT_SCAN', path.distinctPlan.plan) };
  }
}

function scanOf(stage: string, { index, backward }: Plan): Record<string, unknown> {
  return {
    stage,
    indexName: index.spec.name,
    keyPattern: index.spec.definition['key'],
    isMultiKey: index.arrays !== 0,
    direction: backward ? 'backward' : 'forward',
  };
}
