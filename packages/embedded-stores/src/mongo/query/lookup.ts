/** The `$lookup` stage: by equality of two fields, by a pipeline with `let`, or both. */
import { MongoError } from '../errors.ts';
import { namedArguments } from './expressions/operator.ts';
import { expressionValueAt, parsePath, withValueAt } from './paths.ts';
import { needPath } from './needs.ts';
import { type Stage, type StageContext } from './stage.ts';
import { type Doc, isDoc, type Maybe, type Value } from './values.ts';
import type { Variables } from './compiler.ts';

/** Compiles `$lookup`. With fields, each document costs one query by the foreign field. */
export function compileLookup(spec: Value, { compiler, read }: StageContext, name: string): Stage {
  const parts = namedArguments(spec, name, ['from', 'as'], ['localField', 'foreignField', 'let', 'pipeline']);
  const { from, as, localField, foreignField, pipeline = [] } = parts;
  if (typeof from !== 'string')
    throw new MongoError('FailedToParse', `${name} argument 'from' must be a string`);
  if (typeof as !== 'string') throw new MongoError('FailedToParse', `${name} argument 'as' must be a string`);
  if (!Array.isArray(pipeline)) throw new MongoError('TypeMismatch', `'pipeline' option must be an array`);
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
  const stages = pipeline.map((stage) => {
    if (isDoc(stage)) return stage;
    throw new MongoError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  });
  const bound = Object.entries(isDoc(parts['let']) ? parts['let'] : {}).map(
    ([key, value]) => [key, compiler.compile(value)] as const,
  );
  const names = bound.map(([key]) => key);
  const asPath = parsePath(as);
  const find = joinBy(localField, foreignField, (match) => read(from, [...match, ...stages], names));
  if (typeof localField === 'string') needPath(compiler.needs, localField);
  return {
    closes: false,
    *run(documents, variables) {
      for (const document of documents) {
        const inner: Record<string, Maybe> = { ...variables };
        for (const [key, evaluate] of bound) inner[key] = evaluate(document, variables);
        yield withValueAt(document, asPath, [...find(document, inner)]);
      }
    },
  };
}

type Find = (document: Doc, variables: Variables) => Iterable<Doc>;

/** The foreign documents for a local one; without fields the pipeline is compiled once for all. */
function joinBy(
  local: Maybe,
  foreign: Maybe,
  prepare: (match: Doc[]) => (variables: Variables) => Iterable<Doc>,
): Find {
  if (local === undefined || foreign === undefined) {
    const run = prepare([]);
    return (_document, variables) => run(variables);
  }
  if (typeof local !== 'string' || typeof foreign !== 'string') {
    throw new MongoError(
      'FailedToParse',
      "$lookup arguments 'localField' and 'foreignField' must be strings",
    );
  }
  const localPath = parsePath(local);
  prepare([]);
  return (document, variables) => {
    const value = expressionValueAt(document, localPath) ?? null;
    const condition: Doc = Array.isArray(value) ? { $in: value } : { $eq: value };
    return prepare([{ $match: { [foreign]: condition } }])(variables);
  };
}
