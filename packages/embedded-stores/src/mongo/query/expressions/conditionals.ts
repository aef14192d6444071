/**
 * `$cmp $eq $ne $gt $gte $lt $lte` compare values of any type, unlike in filters; a missing value is the smallest.
 * `$and $or $not $cond $ifNull $switch` evaluate only the branch that they take.
 */
import { type ExpressionName } from '../../allow-list.ts';
import { MongoError } from '../../errors.ts';
import { compareValues } from '../compare.ts';
import { getField, integer, isTruthy, type Maybe, type Value } from '../values.ts';
import type { Evaluate } from '../compiler.ts';
import { isNullish, namedArguments, nary, type Operator, unary } from './operator.ts';

export const CONDITIONALS = {
  $and: (argument, compiler) => {
    const operands = asList(argument).map(compiler.compile);
    return (root, variables) => operands.every((operand) => isTruthy(operand(root, variables)));
  },
  $or: (argument, compiler) => {
    const operands = asList(argument).map(compiler.compile);
    return (root, variables) => operands.some((operand) => isTruthy(operand(root, variables)));
  },
  $not: unary((value) => !isTruthy(value)),
  $cond: (argument, compiler) => {
    const [condition, whenTrue, whenFalse] = conditionParts(argument).map(compiler.compile) as [
      Evaluate,
      Evaluate,
      Evaluate,
    ];
    return (root, variables) =>
      isTruthy(condition(root, variables)) ? whenTrue(root, variables) : whenFalse(root, variables);
  },
  $ifNull: (argument, compiler) => {
    const operands = asList(argument).map(compiler.compile);
    if (operands.length < 2) {
      throw new MongoError(1257300, `$ifNull needs at least two arguments, had: ${operands.length}`);
    }
    return (root, variables) => {
      for (const operand of operands.slice(0, -1)) {
        const value = operand(root, variables);
        if (!isNullish(value)) return value;
      }
      return operands.at(-1)?.(root, variables);
    };
  },
  $switch: (argument, compiler, name) => {
    const { branches, default: otherwise } = namedArguments(argument, name, ['branches'], ['default']);
    if (!Array.isArray(branches) || branches.length === 0) {
      throw new MongoError(40068, '$switch requires at least one branch');
    }
    const cases = branches.map((branch) => {
      const parts = namedArguments(branch, `${name} branch`, ['case', 'then']);
      return {
        when: compiler.compile(getField(parts, 'case') ?? null),
        result: compiler.compile(getField(parts, 'then') ?? null),
      };
    });
    const fallback = otherwise === undefined ? undefined : compiler.compile(otherwise);
    return (root, variables) => {
      const hit = cases.find(({ when }) => isTruthy(when(root, variables)));
      if (hit) return hit.result(root, variables);
      if (fallback) return fallback(root, variables);
      throw new MongoError(
        40066,
        '$switch could not find a matching branch for an input, and no default was specified',
      );
    };
  },
} satisfies Partial<Record<ExpressionName, Operator>>;

function asList(argument: Value): readonly Value[] {
  return Array.isArray(argument) ? argument : [argument];
}

/** `$cond` takes an array of three or a document of `if`, `then`, `else`. */
function conditionParts(argument: Value): readonly Value[] {
  if (Array.isArray(argument)) {
    if (argument.length === 3) return argument;
    throw new MongoError(
      16020,
      `Expression $cond takes exactly 3 arguments. ${argument.length} were passed in.`,
    );
  }
  const parts = namedArguments(argument, '$cond', ['if', 'then', 'else']);
  return ['if', 'then', 'else'].map((key) => getField(parts, key) ?? null);
}

export const COMPARISONS = {
  $cmp: nary(2, 2, ([left, right]) => integer(Math.sign(compareMaybe(left, right)))),
  $eq: nary(2, 2, ([left, right]) => compareMaybe(left, right) === 0),
  $ne: nary(2, 2, ([left, right]) => compareMaybe(left, right) !== 0),
  $gt: nary(2, 2, ([left, right]) => compareMaybe(left, right) > 0),
  $gte: nary(2, 2, ([left, right]) => compareMaybe(left, right) >= 0),
  $lt: nary(2, 2, ([left, right]) => compareMaybe(left, right) < 0),
  $lte: nary(2, 2, ([left, right]) => compareMaybe(left, right) <= 0),
} satisfies Partial<Record<ExpressionName, Operator>>;

function compareMaybe(left: Maybe, right: Maybe): number {
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  return compareValues(left, right);
}
