/** `$concat $regexMatch $toLower $toString $type`. */
import { ObjectId } from 'bson';
import { type ExpressionName } from '../../allow-list.ts';
import { MongoError } from '../../errors.ts';
import { isNumeric, type Maybe, type Value } from '../values.ts';
import { parseRegex } from '../regex.ts';
import { isNullish, namedArguments, nary, type Operator, typeOf, unary, unaryOrNull } from './operator.ts';

export const STRINGS = {
  $concat: nary(0, Infinity, (values, name) => {
    if (values.some(isNullish)) return null;
    return values.map((value) => requireString(value, name)).join('');
  }),
  $regexMatch: (argument, compiler, name) => {
    const { input, regex, options } = namedArguments(argument, name, ['input', 'regex'], ['options']);
    const { regexp } = parseRegex(regex ?? null, options);
    const evaluate = compiler.compile(input ?? null);
    return (root, variables) => {
      const value = evaluate(root, variables);
      return isNullish(value) ? false : regexp.test(requireString(value, name));
    };
  },
  $toLower: unary((value) => (isNullish(value) ? '' : textOf(value).toLowerCase())),
  $toString: unaryOrNull(textOf),
  $type: unary(typeOf),
} satisfies Partial<Record<ExpressionName, Operator>>;

function requireString(value: Maybe, name: string): string {
  if (typeof value === 'string') return value;
  throw new MongoError(16702, `${name} only supports strings, not ${typeOf(value)}`);
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isNumeric(value)) return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  throw new MongoError(
    241,
    `Unsupported conversion from ${typeOf(value)} to string in $convert with no onError value`,
  );
}
