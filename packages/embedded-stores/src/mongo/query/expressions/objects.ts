/** `$objectToArray $arrayToObject $mergeObjects $getField`. */
import { type ExpressionName } from '../../allow-list.ts';
import { MongoError } from '../../errors.ts';
import { type Doc, getField, isDoc, type Maybe, setField, type Value } from '../values.ts';
import {
  isNullish,
  namedArguments,
  nary,
  type Operator,
  requireArray,
  typeOf,
  unaryOrNull,
} from './operator.ts';

export const OBJECTS = {
  $objectToArray: unaryOrNull((value, name) => {
    if (!isDoc(value))
      throw new MongoError(40390, `${name} requires a document input, found: ${typeOf(value)}`);
    return Object.entries(value).map(([k, v]) => ({ k, v }));
  }),
  $arrayToObject: unaryOrNull((value, name) => {
    const result: Doc = {};
    for (const item of requireArray(value, name, 40386)) {
      const [key, content] = keyAndValue(item, name);
      setField(result, key, content);
    }
    return result;
  }),
  $mergeObjects: nary(0, Infinity, (values) => values.reduce<Doc>(mergeInto, {})),
  $getField: (argument, compiler, name) => {
    const parts =
      typeof argument === 'string'
        ? { field: argument }
        : namedArguments(argument, name, ['field'], ['input']);
    const field = compiler.compile(parts['field'] ?? null);
    const input = 'input' in parts ? compiler.compile(parts['input'] ?? null) : compiler.compile('$$CURRENT');
    return (root, variables) => {
      const key = field(root, variables);
      if (typeof key !== 'string') throw new MongoError(3041704, `${name} requires 'field' to be a string`);
      const value = input(root, variables);
      return isDoc(value) ? getField(value, key) : isNullish(value) ? value : undefined;
    };
  },
} satisfies Partial<Record<ExpressionName, Operator>>;

/** Adds the fields of a document over those there are; null and missing add nothing. */
export function mergeInto(target: Doc, value: Maybe): Doc {
  if (isNullish(value)) return target;
  if (!isDoc(value)) {
    throw new MongoError(
      40400,
      `$mergeObjects requires object inputs, but input is of type ${typeOf(value)}`,
    );
  }
  for (const [key, content] of Object.entries(value)) setField(target, key, content);
  return target;
}

/** An entry of `$arrayToObject`: `{k, v}` or `[k, v]`. */
function keyAndValue(item: Value, name: string): [string, Value] {
  const [key, value] = isDoc(item) ? [item['k'], item['v']] : Array.isArray(item) ? item : [];
  if (typeof key === 'string' && value !== undefined) return [key, value];
  throw new MongoError(
    40392,
    `${name} requires an array of {k, v} documents or [k, v] pairs with string keys`,
  );
}
