/**
 * Aggregation expressions (manual: "Aggregation Operators"), compiled once into closures. Every operator and every
 * variable is checked while compiling, so a pipeline fails before it has read anything.
 */
import { EXPRESSIONS, type ExpressionName } from '../allow-list.ts';
import { MongoError } from '../errors.ts';
import { ARITHMETIC } from './expressions/arithmetic.ts';
import { ARRAYS } from './expressions/arrays.ts';
import { COMPARISONS, CONDITIONALS } from './expressions/conditionals.ts';
import { DATES } from './expressions/dates.ts';
import { OBJECTS } from './expressions/objects.ts';
import type { Compiler, Evaluate } from './compiler.ts';
import { type Operator } from './expressions/operator.ts';
import { STATISTICS } from './expressions/statistics.ts';
import { STRINGS } from './expressions/strings.ts';
import { VARIABLES } from './expressions/variables.ts';
import { needPath, type Needs } from './needs.ts';
import { expressionValueAt, parsePath } from './paths.ts';
import { type Doc, isDoc, setField, type Value } from './values.ts';

const OPERATORS: Readonly<Record<ExpressionName, Operator>> = {
  ...ARITHMETIC,
  ...ARRAYS,
  ...COMPARISONS,
  ...CONDITIONALS,
  ...DATES,
  ...OBJECTS,
  ...STATISTICS,
  ...STRINGS,
  ...VARIABLES,
};

/** A compiler that records into `needs` and knows the variables `names`. */
export function createCompiler(needs: Needs, names: readonly string[] = []): Compiler {
  const known = new Set(names);
  const compiler: Compiler = {
    needs,
    compile: (expression) => compile(expression, compiler, known),
    withNeeds: (other) => createCompiler(other, names),
    withVariables: (more) => createCompiler(needs, [...names, ...more]),
  };
  return compiler;
}

function compile(expression: Value, compiler: Compiler, known: ReadonlySet<string>): Evaluate {
  if (typeof expression === 'string' && expression.startsWith('$')) {
    return expression.startsWith('$$')
      ? compileVariable(expression.slice(2), compiler, known)
      : compileFieldPath(expression.slice(1), compiler);
  }
  if (Array.isArray(expression)) {
    const items = expression.map(compiler.compile);
    return (root, variables) => items.map((item) => item(root, variables) ?? null);
  }
  if (isDoc(expression)) return compileObject(expression, compiler);
  return () => expression;
}

function compileFieldPath(path: string, compiler: Compiler): Evaluate {
  checkPath(path);
  needPath(compiler.needs, path);
  const parts = parsePath(path);
  return (root) => expressionValueAt(root, parts);
}

function compileVariable(path: string, compiler: Compiler, known: ReadonlySet<string>): Evaluate {
  checkPath(path);
  const [name = '', ...parts] = parsePath(path);
  if (name === 'ROOT' || name === 'CURRENT') {
    const [field] = parts;
    if (field === undefined) compiler.needs.all = true;
    else needPath(compiler.needs, field);
    return (root) => expressionValueAt(root, parts);
  }
  if (!known.has(name)) throw new MongoError(17276, `Use of undefined variable: ${name}`);
  return (_root, variables) => expressionValueAt(variables[name], parts);
}

function checkPath(path: string): void {
  if (path === '') throw new MongoError(16872, `'$' by itself is not a valid FieldPath`);
  if (path.split('.').includes(''))
    throw new MongoError(15998, `FieldPath field names may not be empty strings: '${path}'`);
}

function compileObject(expression: Doc, compiler: Compiler): Evaluate {
  const entries = Object.entries(expression);
  const operator = entries.find(([key]) => key.startsWith('$'));
  if (operator) {
    if (entries.length > 1) {
      throw new MongoError(
        15983,
        `Object must contain exactly one field if it is an expression, found: ${Object.keys(expression).join(', ')}`,
      );
    }
    return compileOperator(operator[0], operator[1], compiler);
  }
  const fields = entries.map(([name, value]) => {
    if (name.includes('.'))
      throw new MongoError(16412, `FieldPath field names may not contain '.': '${name}'`);
    return [name, compiler.compile(value)] as const;
  });
  return (root, variables) => {
    const result: Doc = {};
    for (const [name, evaluate] of fields) {
      const value = evaluate(root, variables);
      if (value !== undefined) setField(result, name, value);
    }
    return result;
  };
}

function compileOperator(name: string, argument: Value, compiler: Compiler): Evaluate {
  if (!isExpressionName(name)) {
    throw new MongoError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  }
  return OPERATORS[name](argument, compiler, name);
}

function isExpressionName(name: string): name is ExpressionName {
  return (EXPRESSIONS as readonly string[]).includes(name);
}
