/** Operators that bind variables (`$let $map $filter $reduce`), and `$literal`, which binds nothing. */
import { type ExpressionName } from '../../allow-list.ts';
import { MongoError } from '../../errors.ts';
import { getField, isDoc, isTruthy, type Maybe, type Value } from '../values.ts';
import { isNullish, namedArguments, type Operator, requireArray, requireInteger } from './operator.ts';

export const VARIABLES = {
  $literal: (argument) => () => argument,
  $let: (argument, compiler, name) => {
    const { vars, in: body } = namedArguments(argument, name, ['vars', 'in']);
    if (!isDoc(vars)) throw new MongoError(16876, 'invalid parameter: expected an object (vars)');
    const bound = Object.entries(vars).map(([key, value]) => [key, compiler.compile(value)] as const);
    const evaluate = compiler.withVariables(Object.keys(vars)).compile(body ?? null);
    return (root, variables) => {
      const inner: Record<string, Maybe> = { ...variables };
      for (const [key, value] of bound) inner[key] = value(root, variables);
      return evaluate(root, inner);
    };
  },
  $map: (argument, compiler, name) => {
    const parts = namedArguments(argument, name, ['input', 'in'], ['as']);
    const variable = loopVariable(parts['as'], name);
    const input = compiler.compile(parts['input'] ?? null);
    const evaluate = compiler.withVariables([variable]).compile(parts['in'] ?? null);
    return (root, variables) => {
      const items = input(root, variables);
      if (isNullish(items)) return null;
      return requireArray(items, name, 16883).map(
        (item) => evaluate(root, { ...variables, [variable]: item }) ?? null,
      );
    };
  },
  $filter: (argument, compiler, name) => {
    const parts = namedArguments(argument, name, ['input', 'cond'], ['as', 'limit']);
    const variable = loopVariable(parts['as'], name);
    const input = compiler.compile(parts['input'] ?? null);
    const condition = compiler.withVariables([variable]).compile(parts['cond'] ?? null);
    const limit = compiler.compile(getField(parts, 'limit') ?? null);
    return (root, variables) => {
      const items = input(root, variables);
      if (isNullish(items)) return null;
      const most = limit(root, variables);
      const kept = requireArray(items, name, 28651).filter((item) =>
        isTruthy(condition(root, { ...variables, [variable]: item })),
      );
      return isNullish(most) ? kept : kept.slice(0, requireInteger(most, name, 327391));
    };
  },
  $reduce: (argument, compiler, name) => {
    const parts = namedArguments(argument, name, ['input', 'initialValue', 'in']);
    const input = compiler.compile(parts['input'] ?? null);
    const initial = compiler.compile(parts['initialValue'] ?? null);
    const evaluate = compiler.withVariables(['this', 'value']).compile(parts['in'] ?? null);
    return (root, variables) => {
      const items = input(root, variables);
      if (isNullish(items)) return null;
      let value = initial(root, variables);
      for (const item of requireArray(items, name, 40080)) {
        value = evaluate(root, { ...variables, this: item, value });
      }
      return value;
    };
  },
} satisfies Partial<Record<ExpressionName, Operator>>;

function loopVariable(name: Value | undefined, operator: string): string {
  if (name === undefined) return 'this';
  if (typeof name === 'string' && /^[a-z]\w*$/.test(name)) return name;
  throw new MongoError(
    'FailedToParse',
    `${operator}: 'as' must be a variable name that starts with a lowercase letter`,
  );
}
