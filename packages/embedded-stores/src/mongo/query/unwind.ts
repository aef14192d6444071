/** The `$unwind` stage. */
import { Long } from 'bson';
import { MongoError } from '../errors.ts';
import { PAUSE } from '../steps.ts';
import { needPath } from './needs.ts';
import { expressionValueAt, parsePath, withValueAt } from './paths.ts';
import { type Stage, type StageContext } from './stage.ts';
import { type Doc, isDoc, isTruthy, type Value } from './values.ts';

/** Compiles `$unwind`: `'$path'`, or a document with `path`, `includeArrayIndex`, `preserveNullAndEmptyArrays`. */
export function compileUnwind(spec: Value, { compiler }: StageContext, name: string): Stage {
  const options: Doc = isDoc(spec) ? spec : { path: spec };
  for (const key of Object.keys(options)) {
    if (!['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(key)) {
      throw new MongoError(28811, `unrecognized option to ${name} stage: ${key}`);
    }
  }
  const { path, includeArrayIndex: indexField } = options;
  if (typeof path !== 'string' || !/^\$[^$]/.test(path)) {
    throw new MongoError(28818, `path option to ${name} stage should be prefixed with a '$'`);
  }
  if (indexField !== undefined && (typeof indexField !== 'string' || indexField.startsWith('$'))) {
    throw new MongoError(28810, `includeArrayIndex option to ${name} stage must be a field name`);
  }
  const preserve = isTruthy(options['preserveNullAndEmptyArrays']);
  needPath(compiler.needs, path.slice(1));
  const parts = parsePath(path.slice(1));
  const indexParts = indexField === undefined ? undefined : parsePath(indexField);
  const numbered = (document: Doc, index: Value): Doc =>
    indexParts ? withValueAt(document, indexParts, index) : document;
  return {
    closes: false,
    *run(documents) {
      for (const document of documents) {
        if (document === PAUSE) {
          yield document;
          continue;
        }
        const value = expressionValueAt(document, parts);
        if (Array.isArray(value) && value.length > 0) {
          for (const [i, item] of value.entries()) {
            yield numbered(withValueAt(document, parts, item), Long.fromNumber(i));
          }
        } else if (value === undefined || value === null || Array.isArray(value)) {
          if (preserve)
            yield numbered(Array.isArray(value) ? withValueAt(document, parts, undefined) : document, null);
        } else {
          yield numbered(document, null);
        }
      }
    },
  };
}
