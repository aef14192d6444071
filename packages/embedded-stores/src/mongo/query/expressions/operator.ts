/** What all expression operators share: their shape and the checking of their arguments. */
import { MongoError } from '../../errors.ts';
import { type Compiler, type Evaluate } from '../compiler.ts';
import { type Doc, getField, isDoc, type Maybe, numberOf, typeName, type Value } from '../values.ts';

/** Compiles the argument of an operator; `name` is for messages. */
export type Operator = (argument: Value, compiler: Compiler, name: string) => Evaluate;

/** An operator over `min` to `max` values; a single argument needs no array. */
export function nary(
  min: number,
  max: number,
  apply: (values: readonly Maybe[], name: string) => Maybe,
): Operator {
  return (argument, compiler, name) => {
    const items = Array.isArray(argument) ? argument : [argument];
    if (items.length < min || items.length > max) {
      const wanted = min === max ? `exactly ${min}` : `at least ${min} and at most ${max}`;
      throw new MongoError(
        16020,
        `Expression ${name} takes ${wanted} arguments. ${items.length} were passed in.`,
      );
    }
    const operands = items.map(compiler.compile);
    return (root, variables) =>
      apply(
        operands.map((operand) => operand(root, variables)),
        name,
      );
  };
}

/** An operator over one value. */
export function unary(apply: (value: Maybe, name: string) => Maybe): Operator {
  return nary(1, 1, ([value], name) => apply(value, name));
}

/** An operator over one value that is null for null and missing. */
export function unaryOrNull(apply: (value: Value, name: string) => Maybe): Operator {
  return unary((value, name) => (isNullish(value) ? null : apply(value, name)));
}

/** True for null and missing. */
export function isNullish(value: Maybe): value is null | undefined {
  return value === undefined || value === null;
}

/** The fields of an operator's argument document; refuses unknown and missing ones. */
export function namedArguments(
  argument: Value,
  name: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Doc {
  if (!isDoc(argument))
    throw new MongoError('FailedToParse', `${name} only supports an object as its argument`);
  for (const key of Object.keys(argument)) {
    if (!required.includes(key) && !optional.includes(key)) {
      throw new MongoError('FailedToParse', `Unrecognized argument to ${name}: ${key}`);
    }
  }
  for (const key of required) {
    if (getField(argument, key) === undefined) {
      throw new MongoError('FailedToParse', `Missing '${key}' parameter to ${name}`);
    }
  }
  return argument;
}

/** The array, or an error that names the operator and the type found. */
export function requireArray(value: Maybe, name: string, code: number): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new MongoError(code, `The argument to ${name} must be an array, but was of type: ${typeOf(value)}`);
}

/** The integer, or an error that names the operator. */
export function requireInteger(value: Maybe, name: string, code: number): number {
  const number = numberOf(value);
  if (Number.isInteger(number)) return number;
  throw new MongoError(code, `${name} requires an integral number, but found type: ${typeOf(value)}`);
}

/** MongoDB's type name of a value, `missing` included. */
export function typeOf(value: Maybe): string {
  return value === undefined ? 'missing' : typeName(value);
}
