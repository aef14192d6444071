import { z } from 'zod';
import { checkQuery, settledBy } from '../check.ts';
import { allOf, atOnce, type Flow } from '../steps.ts';
import { createCompiler } from '../query/expression.ts';
import { createNeeds } from '../query/needs.ts';
import { compilePipeline } from '../query/stages.ts';
import { type Doc } from '../query/values.ts';
import * as arg from './arguments.ts';
import { type Command, resolveHint, sessionOf } from './command.ts';
import { preparePipeline, runPipeline } from './pipeline.ts';

const AGGREGATE = arg.schema({
  aggregate: z.string(),
  pipeline: arg.docs,
  cursor: arg.doc.optional(),
  hint: arg.hint.optional(),
  allowDiskUse: arg.boolean.optional(),
});

const CURSOR = z.strictObject({ batchSize: arg.count.optional() });

/** Checks the arguments of `aggregate`. */
export function parseAggregate(body: Doc): z.infer<typeof AGGREGATE> {
  return arg.parse(AGGREGATE, body, 'aggregate');
}

/** `aggregate` on a collection. */
export const aggregate: Command = ({ body, database }, { store, cursors, checkQueries }) => {
  const args = parseAggregate(body);
  const { batchSize } = arg.parse(CURSOR, args.cursor ?? {}, 'cursor');
  const page = { batchSize, session: sessionOf(body) };
  const namespace = `${database}.${args.aggregate}`;
  const collection = store.collection(database, args.aggregate);
  if (!collection) {
    const compiler = createCompiler(createNeeds());
    compilePipeline(args.pipeline, { compiler, read: () => () => [] });
    return cursors.open([], namespace, page);
  }
  const prepared = preparePipeline(store, collection, args.pipeline, {
    hint: resolveHint(collection, args.hint),
  });
  const run = (path: typeof prepared.path): Flow<Buffer> => runPipeline(store, { ...prepared, path });
  if (checkQueries)
    checkQuery(prepared.selection.needs, prepared.path, run, namespace, settledBy(args.pipeline));
  const results = run(prepared.path);
  const isOrdered = settledBy(args.pipeline) === 'order';
  const mixed = isOrdered ? undefined : store.shuffle?.(atOnce(allOf(results)));
  return cursors.open(mixed ?? results, namespace, page);
};
