/** The aggregation stages by name (manual: "Aggregation Stages"). */
import { STAGES, type StageName } from '../allow-list.ts';
import { MongoError } from '../errors.ts';
import { allOf, type Flow, PAUSE } from '../steps.ts';
import { isDoc, numberOf, typeName, type Doc, type Value, integer, setField } from './values.ts';
import { parseFilter } from './filter.ts';
import { compileGroup } from './group.ts';
import { compileLookup, compileUnion } from './lookup.ts';
import { matches } from './match.ts';
import { compileAddFields, compileProjection, compileUnset } from './project.ts';
import { parseSort, sortFlow, sortKey } from './sort.ts';
import { createNeeds } from './needs.ts';
import { mapping, type Stage, type StageCompiler, type StageContext } from './stage.ts';
import { compileUnwind } from './unwind.ts';
import { compileWindow } from './window.ts';

/** Compiles a pipeline; every stage, operator and variable is checked before anything runs. */
export function compilePipeline(pipeline: readonly Value[], context: StageContext): Stage[] {
  let { compiler } = context;
  return pipeline.map((spec) => {
    const { name, argument } = parseStage(spec);
    const stage = COMPILERS[name](argument, { ...context, compiler }, name);
    // What later stages read, this one makes.
    if (stage.closes) compiler = compiler.withNeeds(createNeeds());
    return stage;
  });
}

/** The name and argument of a stage. */
export function parseStage(spec: Value): { readonly name: StageName; readonly argument: Value } {
  const [entry, extra] = isDoc(spec) ? Object.entries(spec) : [];
  if (!entry || extra) {
    throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const [name, argument] = entry;
  if (!isStage(name)) throw new MongoError(40324, `Unrecognized pipeline stage name: '${name}'`);
  return { name, argument };
}

function isStage(name: string): name is StageName {
  return (STAGES as readonly string[]).includes(name);
}

/** Runs compiled stages one after another, lazily. */
export function runStages(
  stages: readonly Stage[],
  documents: Flow<Doc>,
  variables: Parameters<Stage['run']>[1],
): Flow<Doc> {
  return stages.reduce<Flow<Doc>>((input, stage) => stage.run(input, variables), documents);
}

const addFields: StageCompiler = (spec, { compiler }, name) => {
  const { closes, apply } = compileAddFields(spec, compiler, name);
  return mapping(closes, apply);
};

const replaceWith = (expression: Value, { compiler }: StageContext, name: string): Stage => {
  const evaluate = compiler.compile(expression);
  return mapping(true, (document, variables) => {
    const value = evaluate(document, variables);
    if (isDoc(value)) return value;
    const found = value === undefined ? 'missing' : typeName(value);
    throw new MongoError(
      40228,
      `'newRoot' expression of ${name} must evaluate to an object, but resulting value was of type: ${found}`,
    );
  });
};

const COMPILERS: Readonly<Record<StageName, StageCompiler>> = {
  $addFields: addFields,
  $set: addFields,
  $count: (spec) => {
    if (typeof spec !== 'string' || !/^[^$.]+$/.test(spec)) {
      throw new MongoError(40156, 'the count field must be a non-empty string without $ and .');
    }
    return {
      closes: true,
      *run(documents) {
        let count = 0;
        for (const document of documents) {
          if (document === PAUSE) yield document;
          else count++;
        }
        if (count > 0) yield { [spec]: integer(count) };
      },
    };
  },
  $facet: compileFacet,
  $group: (spec, { compiler }) => compileGroup(spec, compiler),
  $limit: (spec, _context, name) => {
    const limit = stageCount(spec, name, 1);
    return {
      closes: false,
      *run(documents) {
        let count = 0;
        for (const document of documents) {
          yield document;
          if (document !== PAUSE && ++count >= limit) return;
        }
      },
    };
  },
  $lookup: compileLookup,
  $match: (spec, { compiler }) => {
    const filter = parseFilter(stageDoc(spec, '$match', 15959), compiler.needs, compiler);
    return {
      closes: false,
      run: (documents, variables) =>
        Iterator.from(documents).filter(
          (document) => document === PAUSE || matches(filter, document, variables),
        ),
    };
  },
  $project: (spec, { compiler }) => {
    const { closes, apply } = compileProjection(stageDoc(spec, '$project', 15969), compiler);
    return mapping(closes, apply);
  },
  $replaceRoot: (spec, context, name) => {
    const { newRoot } = stageDoc(spec, name, 40229);
    if (newRoot === undefined) throw new MongoError(40231, 'no newRoot specified for the $replaceRoot stage');
    return replaceWith(newRoot, context, name);
  },
  $replaceWith: replaceWith,
  $setWindowFields: compileWindow,
  $skip: (spec, _context, name) => {
    const skip = stageCount(spec, name, 0);
    return {
      closes: false,
      *run(documents) {
        let count = 0;
        for (const document of documents) if (document === PAUSE || ++count > skip) yield document;
      },
    };
  },
  $sort: (spec, { compiler }) => {
    const sort = parseSort(stageDoc(spec, '$sort', 15973), compiler.needs);
    if (sort.length === 0) throw new MongoError(15976, '$sort stage must have at least one sort key');
    return {
      closes: false,
      *run(documents) {
        for (const { item } of yield* sortFlow(documents, (document) => sortKey(document, sort))) yield item;
      },
    };
  },
  $sortByCount: (spec, context) => {
    const [group, sort] = compilePipeline(sortByCountPipeline(spec), context);
    return {
      closes: true,
      run: (documents, variables) =>
        runStages(
          [group, sort].filter((stage) => stage !== undefined),
          documents,
          variables,
        ),
    };
  },
  $unionWith: compileUnion,
  $unset: (spec) => {
    const { closes, apply } = compileUnset(spec);
    return mapping(closes, apply);
  },
  $unwind: compileUnwind,
};

function sortByCountPipeline(expression: Value): Doc[] {
  return [{ $group: { _id: expression, count: { $sum: integer(1) } } }, { $sort: { count: integer(-1) } }];
}

/** Every facet sees the same input, which is therefore held in memory. */
function compileFacet(spec: Value, context: StageContext, name: string): Stage {
  const facets = Object.entries(stageDoc(spec, name, 40169)).map(([field, pipeline]) => {
    if (!Array.isArray(pipeline))
      throw new MongoError(40170, `arguments to ${name} must be arrays, '${field}' is not`);
    if (pipeline.some((stage) => parseStage(stage).name === '$facet')) {
      throw new MongoError(40600, '$facet is not allowed to be used within a $facet stage');
    }
    return { field, stages: compilePipeline(pipeline, context) };
  });
  return {
    closes: facets.every(({ stages }) => stages.some(({ closes }) => closes)),
    *run(documents, variables) {
      const input = yield* allOf(documents);
      const result: Doc = {};
      for (const { field, stages } of facets)
        setField(result, field, yield* allOf(runStages(stages, input, variables)));
      yield result;
    },
  };
}

function stageDoc(spec: Value, name: string, code: number): Doc {
  if (isDoc(spec)) return spec;
  throw new MongoError(code, `the ${name} specification must be an object`);
}

function stageCount(spec: Value, name: string, least: number): number {
  const count = numberOf(spec);
  if (Number.isSafeInteger(count) && count >= least) return count;
  throw new MongoError(
    name === '$limit' ? 15958 : 5107200,
    `invalid argument to ${name} stage: expected an integer of at least ${least}`,
  );
}
