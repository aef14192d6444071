/** `$sum $avg $min $max` as expressions: over their arguments, or over the one array they are given. */
import { Double } from 'bson';
import { type ExpressionName } from '../../allow-list.ts';
import { compareValues } from '../compare.ts';
import { add, type Calculable, calculable } from '../numbers.ts';
import { integer, isNumeric, type Maybe, toDouble, type Value } from '../values.ts';
import { isNullish, type Operator } from './operator.ts';

export const STATISTICS = {
  $sum: overValues((values) => sumOf(numbersIn(values))),
  $avg: overValues((values) => {
    const numbers = numbersIn(values);
    return numbers.length === 0 ? null : new Double(toDouble(sumOf(numbers)) / numbers.length);
  }),
  $min: overValues((values) => extreme(values, -1)),
  $max: overValues((values) => extreme(values, 1)),
} satisfies Partial<Record<ExpressionName, Operator>>;

const numbersIn = (values: readonly Maybe[]): Calculable[] => values.filter(isNumeric).map(calculable);

const sumOf = (numbers: readonly Calculable[]): Calculable => numbers.reduce(add, integer(0));

/** The smallest (`sign` -1) or greatest (1) value that is neither null nor missing; null if there is none. */
function extreme(values: readonly Maybe[], sign: -1 | 1): Value {
  let best: Maybe;
  for (const value of values) {
    if (!isNullish(value) && (best === undefined || compareValues(value, best) * sign > 0)) best = value;
  }
  return best ?? null;
}

function overValues(apply: (values: readonly Maybe[]) => Maybe): Operator {
  return (argument, compiler) => {
    if (Array.isArray(argument) && argument.length !== 1) {
      const operands = argument.map(compiler.compile);
      return (root, variables) => apply(operands.map((operand) => operand(root, variables)));
    }
    const operand = compiler.compile(Array.isArray(argument) ? (argument[0] ?? null) : argument);
    return (root, variables) => {
      const value = operand(root, variables);
      return apply(Array.isArray(value) ? value : [value]);
    };
  };
}
