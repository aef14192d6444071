/** Accumulators of `$group` (manual: "Accumulators ($group)"): each folds the documents of a group into one value. */
import { Decimal128, Double, Int32 } from 'bson';
import { ACCUMULATORS, type AccumulatorName } from '../allow-list.ts';
import { MongoError } from '../errors.ts';
import { compareValues } from './compare.ts';
import type { Compiler, Evaluate, Variables } from './compiler.ts';
import { addExact, type Exact, exactOf, meanOf, ZERO } from './decimals.ts';
import { createCompiler } from './expression.ts';
import { mergeInto } from './expressions/objects.ts';
import { isNullish, namedArguments } from './expressions/operator.ts';
import { createNeeds } from './needs.ts';
import { add, type Calculable, calculable } from './numbers.ts';
import { identityKey } from './order-key.ts';
import { parseSort, sortByKey, sortKey } from './sort.ts';
import { type Doc, integer, isDoc, isNumeric, type Maybe, numberOf, toDouble, type Value } from './values.ts';

/** The running value of one group. */
export type Fold = { add(document: Doc, variables: Variables): void; result(): Maybe };

/** A compiled accumulator; `start` begins a group. */
export type Accumulator = { readonly start: () => Fold };

type Operator = (argument: Value, compiler: Compiler, name: string) => Accumulator;

/** Compiles `{$operator: argument}`. */
export function compileAccumulator(spec: Value, field: string, compiler: Compiler): Accumulator {
  const [entry, extra] = isDoc(spec) ? Object.entries(spec) : [];
  if (!entry || extra) {
    throw new MongoError(40234, `The field '${field}' must be an accumulator object`);
  }
  const [name, argument] = entry;
  if (!isAccumulator(name)) throw new MongoError(15952, `unknown group operator '${name}'`);
  return OPERATORS[name](argument, compiler, name);
}

function isAccumulator(name: string): name is AccumulatorName {
  return (ACCUMULATORS as readonly string[]).includes(name);
}

const OPERATORS: Readonly<Record<AccumulatorName, Operator>> = {
  $addToSet: overValues(() => {
    const values = new Map<string, Value>();
    return {
      add: (value) => {
        if (value !== undefined) values.set(identityKey(value), values.get(identityKey(value)) ?? value);
      },
      result: () => [...values.values()],
    };
  }),
  $avg: overValues(average),
  $bottom: ordered(-1, false),
  $bottomN: ordered(-1, true),
  $count: (argument, _compiler, name) => {
    if (!isDoc(argument) || Object.keys(argument).length > 0) {
      throw new MongoError('BadValue', `${name} takes no arguments, i.e. $count:{}`);
    }
    return { start: () => counter() };
  },
  $first: overValues(() => {
    let first: { readonly value: Maybe } | undefined;
    return { add: (value) => void (first ??= { value }), result: () => first?.value };
  }),
  $firstN: overInput((n) => {
    const values: Value[] = [];
    return {
      add: (value) => {
        if (values.length < n) values.push(value ?? null);
      },
      result: () => values,
    };
  }),
  $last: overValues(() => {
    let last: Maybe;
    return { add: (value) => void (last = value), result: () => last };
  }),
  $lastN: overInput((n) => {
    const values: Value[] = [];
    return {
      add: (value) => {
        values.push(value ?? null);
        if (values.length > n) values.shift();
      },
      result: () => values,
    };
  }),
  $max: extremeOf(1),
  $median: median,
  $mergeObjects: overValues(() => {
    const merged: Doc = {};
    return { add: (value) => void mergeInto(merged, value), result: () => merged };
  }),
  $min: extremeOf(-1),
  $push: overValues(() => {
    const values: Value[] = [];
    return {
      add: (value) => {
        if (value !== undefined) values.push(value);
      },
      result: () => values,
    };
  }),
  $stdDevSamp: overValues(deviation),
  $sum: overValues(() => {
    let sum: Calculable = integer(0);
    return {
      add: (value) => {
        if (isNumeric(value)) sum = add(sum, calculable(value));
      },
      result: () => sum,
    };
  }),
  $top: ordered(1, false),
  $topN: ordered(1, true),
};

type ValueFold = { add(value: Maybe): void; result(): Maybe };

/** An accumulator over the value of its one argument. */
function overValues(start: () => ValueFold): Operator {
  return (argument, compiler) => {
    const evaluate = compiler.compile(argument);
    return { start: () => evaluated(evaluate, start()) };
  };
}

/** An accumulator over `{input, n}`. */
function overInput(start: (n: number) => ValueFold): Operator {
  return (argument, compiler, name) => {
    const parts = namedArguments(argument, name, ['input', 'n']);
    const evaluate = compiler.compile(parts['input'] ?? null);
    const n = constantCount(parts['n'], name);
    return { start: () => evaluated(evaluate, start(n)) };
  };
}

function evaluated(evaluate: Evaluate, fold: ValueFold): Fold {
  return {
    add: (document, variables) => fold.add(evaluate(document, variables)),
    result: () => fold.result(),
  };
}

/** The positive `n` of the accumulators that keep several values; it may be an expression over constants. */
function constantCount(n: Maybe, name: string): number {
  const value = createCompiler(createNeeds()).compile(n ?? null)({}, {});
  const count = numberOf(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new MongoError(5787908, `'n' of ${name} must be greater than 0 and an integer`);
}

function counter(): Fold {
  let count: Calculable = new Int32(0);
  return { add: () => void (count = add(count, new Int32(1))), result: () => count };
}

/** Anything but numbers is skipped. The mean of numbers among which there are decimals is a decimal. */
function average(): ValueFold {
  let count = 0;
  let sum: Calculable = integer(0);
  let decimals: Exact | undefined;
  return {
    add: (value) => {
      if (!isNumeric(value)) return;
      count++;
      if (value instanceof Decimal128) {
        const exact = exactOf(value);
        decimals = addExact(decimals ?? ZERO, exact ?? ZERO);
        if (!exact) sum = add(sum, new Double(toDouble(value)));
      } else sum = add(sum, value);
    },
    result: () => {
      if (count === 0) return null;
      if (!decimals) return new Double(toDouble(sum) / count);
      const exact = exactOf(sum);
      return exact ? meanOf(addExact(exact, decimals), count) : Decimal128.fromString(String(toDouble(sum)));
    },
  };
}

/** Standard deviation of a sample, always a double, by the squared deviations from the mean (Welford). */
function deviation(): ValueFold {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add: (value) => {
      if (!isNumeric(value)) return;
      const x = toDouble(value);
      const delta = x - mean;
      mean += delta / ++count;
      squares += delta * (x - mean);
    },
    result: () => (count < 2 ? null : new Double(Math.sqrt(squares / (count - 1)))),
  };
}

function extremeOf(sign: -1 | 1): Operator {
  return overValues(() => {
    let best: Value = null;
    return {
      add: (value) => {
        if (isNullish(value)) return;
        if (best === null || compareValues(value, best) * sign > 0) best = value;
      },
      result: () => best,
    };
  });
}

/** `{input, method: 'approximate'}`: the lower middle value, as in MongoDB for groups that fit in memory. */
function median(argument: Value, compiler: Compiler, name: string): Accumulator {
  const { input, method } = namedArguments(argument, name, ['input', 'method']);
  if (method !== 'approximate')
    throw new MongoError('BadValue', `Currently only 'approximate' can be used as the method of ${name}`);
  const evaluate = compiler.compile(input ?? null);
  return {
    start: () => {
      const numbers: number[] = [];
      return evaluated(evaluate, {
        add: (value) => {
          if (isNumeric(value)) numbers.push(toDouble(value));
        },
        result: () => {
          const middle = numbers.sort((a, b) => a - b)[Math.ceil(numbers.length / 2) - 1];
          return middle === undefined ? null : new Double(middle);
        },
      });
    },
  };
}

/**
 * `$top` and `$topN` (`sign` 1), `$bottom` and `$bottomN` (-1): outputs of the first or last documents by
 * `sortBy`.
 */
function ordered(sign: 1 | -1, several: boolean): Operator {
  return (argument, compiler, name) => {
    const parts = namedArguments(argument, name, several ? ['n', 'sortBy', 'output'] : ['sortBy', 'output']);
    if (!isDoc(parts['sortBy'])) throw new MongoError(10065, `expected 'sortBy' of ${name} to be an object`);
    const sort = parseSort(parts['sortBy'], compiler.needs);
    const output = compiler.compile(parts['output'] ?? null);
    const n = several ? constantCount(parts['n'], name) : 1;
    return {
      start: () => {
        const rows: { readonly key: Buffer; readonly value: Value }[] = [];
        return {
          add: (document, variables) => {
            const key = sortKey(document, sort);
            const edge = sign > 0 ? rows.at(-1) : rows[0];
            if (rows.length >= n && edge && Buffer.compare(key, edge.key) * sign >= 0) return;
            rows.push({ key, value: output(document, variables) ?? null });
            rows.splice(0, rows.length, ...sortByKey(rows, (row) => row.key).map(({ item }) => item));
            if (rows.length > n) rows.splice(sign > 0 ? n : 0, 1);
          },
          result: () => (several ? rows.map(({ value }) => value) : rows[0]?.value),
        };
      },
    };
  };
}
