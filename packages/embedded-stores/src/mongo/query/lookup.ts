/** `$lookup`, by equality of two fields, by a pipeline with `let`, or both; and `$unionWith`. */
import { MongoError } from '../errors.ts';
import { allOf, PAUSE } from '../steps.ts';
import { namedArguments } from './expressions/operator.ts';
import { expressionValueAt, parsePath, withValueAt } from './paths.ts';
import { needPath } from './needs.ts';
import { type Join, type Stage, type StageContext } from './stage.ts';
import { type Doc, isDoc, type Maybe, type Value } from './values.ts';

/** Compiles `$lookup`. Each document costs one query. */
export function compileLookup(spec: Value, { compiler, read }: StageContext, name: string): Stage {
  const parts = namedArguments(spec, name, ['from', 'as'], ['localField', 'foreignField', 'let', 'pipeline']);
  const { from, as, localField, foreignField, pipeline = [] } = parts;
  if (typeof from !== 'string')
    throw new MongoError('FailedToParse', `${name} argument 'from' must be a string`);
  if (typeof as !== 'string') throw new MongoError('FailedToParse', `${name} argument 'as' must be a string`);
  if ((localField === undefined) !== (foreignField === undefined)) {
    throw new MongoError(
      'FailedToParse',
      `${name} requires both or neither of 'localField' and 'foreignField'`,
    );
  }
  if (localField === undefined && parts['pipeline'] === undefined) {
    throw new MongoError(
      'FailedToParse',
      `${name} requires either 'pipeline' or both 'localField' and 'foreignField'`,
    );
  }
  const stages = stagesOf(pipeline);
  const bound = Object.entries(isDoc(parts['let']) ? parts['let'] : {}).map(
    ([key, value]) => [key, compiler.compile(value)] as const,
  );
  const names = bound.map(([key]) => key);
  const asPath = parsePath(as);
  const join = joinOf(localField, foreignField);
  const find = read(from, stages, names);
  if (typeof localField === 'string') needPath(compiler.needs, localField);
  return {
    closes: false,
    *run(documents, variables) {
      for (const document of documents) {
        if (document === PAUSE) {
          yield document;
          continue;
        }
        const inner: Record<string, Maybe> = { ...variables };
        for (const [key, evaluate] of bound) inner[key] = evaluate(document, variables);
        yield withValueAt(document, asPath, yield* allOf(find(inner, join?.(document))));
      }
    },
  };
}

/** The condition of a local document: equality of the two fields, or one of the local field's elements. */
function joinOf(local: Maybe, foreign: Maybe): ((document: Doc) => Join) | undefined {
  if (local === undefined || foreign === undefined) return undefined;
  if (typeof local !== 'string' || typeof foreign !== 'string') {
    throw new MongoError(
      'FailedToParse',
      "$lookup arguments 'localField' and 'foreignField' must be strings",
    );
  }
  const path = parsePath(local);
  return (document) => {
    const value = expressionValueAt(document, path) ?? null;
    return {
      path: foreign,
      test: Array.isArray(value) ? { op: 'in', values: value, patterns: [] } : { op: 'eq', value },
    };
  };
}

/** Compiles `$unionWith`: the documents of another collection after those of this one. */
export function compileUnion(spec: Value, { read }: StageContext, name: string): Stage {
  const { coll, pipeline = [] } = namedArguments(spec, name, ['coll'], ['pipeline']);
  if (typeof coll !== 'string')
    throw new MongoError('TypeMismatch', `${name} argument 'coll' must be a string`);
  const find = read(coll, stagesOf(pipeline), []);
  return {
    closes: false,
    *run(documents) {
      yield* documents;
      yield* find({});
    },
  };
}

function stagesOf(pipeline: Value): readonly Doc[] {
  if (!Array.isArray(pipeline)) throw new MongoError('TypeMismatch', `'pipeline' option must be an array`);
  return pipeline.map((stage) => {
    if (isDoc(stage)) return stage;
    throw new MongoError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  });
}
