/**
 * Filters, parsed once into a tree that both the matcher and the planner read. Unknown operators are refused here.
 */
import { BSONRegExp, Int32 } from 'bson';
import { FIELD_OPERATORS, type FieldOperator } from '../allow-list.ts';
import { MongoError } from '../errors.ts';
import type { Compiler, Evaluate } from './compiler.ts';
import { createCompiler } from './expression.ts';
import { createNeeds, needPath, type Needs } from './needs.ts';
import { parsePath, type Path } from './paths.ts';
import { parseRegex, type Regex } from './regex.ts';
import { parseTypes } from './type-aliases.ts';
import { type Doc, isDoc, isTruthy, numberOf, type TypeName, typeName, type Value } from './values.ts';

/** A condition on a whole document. */
export type Filter =
  | { readonly kind: 'and' | 'or' | 'nor'; readonly filters: readonly Filter[] }
  | { readonly kind: 'expr'; readonly evaluate: Evaluate }
  | { readonly kind: 'field'; readonly path: string; readonly parts: Path; readonly test: FieldTest };

/** Operators that compare a value with a constant. */
export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** A condition on the values at one path. */
export type FieldTest =
  | { readonly op: Comparison; readonly value: Value }
  | { readonly op: 'in'; readonly values: readonly Value[]; readonly patterns: readonly Regex[] }
  | { readonly op: 'exists' }
  | { readonly op: 'type'; readonly types: ReadonlySet<TypeName> }
  | { readonly op: 'regex'; readonly pattern: Regex }
  | { readonly op: 'size'; readonly size: number }
  | { readonly op: 'elemMatchValue'; readonly tests: readonly FieldTest[] }
  | { readonly op: 'elemMatchDoc'; readonly filter: Filter }
  | { readonly op: 'not'; readonly tests: readonly FieldTest[] }
  | { readonly op: 'nothing' };

/**
 * Parses a filter and records the fields it reads in `needs`. `compiler` holds the variables of an outer
 * `$lookup`.
 */
export function parseFilter(filter: Doc, needs: Needs, compiler: Compiler = createCompiler(needs)): Filter {
  const filters: Filter[] = [];
  for (const [key, value] of Object.entries(filter)) {
    if (key.startsWith('$')) filters.push(...parseOperator(key, value, needs, compiler));
    else {
      needPath(needs, key);
      const parts = parsePath(key);
      for (const test of parseFieldTests(value, key)) filters.push({ kind: 'field', path: key, parts, test });
    }
  }
  const [only] = filters;
  return filters.length === 1 && only ? only : { kind: 'and', filters };
}

function parseOperator(key: string, value: Value, needs: Needs, compiler: Compiler): Filter[] {
  switch (key) {
    case '$comment':
      return [];
    case '$expr':
      return [{ kind: 'expr', evaluate: compiler.compile(value) }];
    case '$and':
    case '$or':
    case '$nor': {
      if (!Array.isArray(value) || value.length === 0) throw badValue(`${key} must be a nonempty array`);
      const filters = value.map((part) => {
        if (!isDoc(part)) throw badValue(`${key} entries need to be full objects`);
        return parseFilter(part, needs, compiler);
      });
      return [{ kind: key === '$and' ? 'and' : key === '$or' ? 'or' : 'nor', filters }];
    }
    default:
      throw badValue(`unknown top level operator: ${key}`);
  }
}

/** The conditions of `{path: value}`: an operator document, or equality. All of them must hold. */
export function parseFieldTests(value: Value, path: string): FieldTest[] {
  if (value instanceof BSONRegExp) return [{ op: 'regex', pattern: parseRegex(value) }];
  if (!isOperatorDoc(value)) return [{ op: 'eq', value }];
  const tests: FieldTest[] = [];
  for (const [operator, operand] of Object.entries(value)) {
    if (!isFieldOperator(operator)) throw badValue(`unknown operator: ${operator}`);
    tests.push(...parseFieldOperator(operator, operand, value, path));
  }
  return tests;
}

/** True for a document whose first field is an operator. */
export function isOperatorDoc(value: Value | undefined): value is Doc {
  return isDoc(value) && (Object.keys(value)[0]?.startsWith('$') ?? false);
}

function isFieldOperator(operator: string): operator is FieldOperator {
  return (FIELD_OPERATORS as readonly string[]).includes(operator);
}

function parseFieldOperator(
  operator: FieldOperator,
  operand: Value,
  siblings: Doc,
  path: string,
): FieldTest[] {
  switch (operator) {
    case '$eq':
      return [{ op: 'eq', value: operand }];
    case '$ne':
      if (operand instanceof BSONRegExp) throw badValue(`Can't have regex as arg to $ne.`);
      return [{ op: 'not', tests: [{ op: 'eq', value: operand }] }];
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (operand instanceof BSONRegExp)
        throw badValue(`Can't have RegEx as arg to predicate over field '${path}'.`);
      return [{ op: operator.slice(1) as Comparison, value: operand }];
    case '$in':
      return [parseIn(operator, operand)];
    case '$nin':
      return [{ op: 'not', tests: [parseIn(operator, operand)] }];
    case '$exists':
      return isTruthy(operand) ? [{ op: 'exists' }] : [{ op: 'not', tests: [{ op: 'exists' }] }];
    case '$type':
      return [{ op: 'type', types: parseTypes(operand) }];
    case '$not':
      return [{ op: 'not', tests: parseNot(operand, path) }];
    case '$regex':
      return [{ op: 'regex', pattern: parseRegex(operand, siblings['$options']) }];
    case '$options':
      if (!Object.hasOwn(siblings, '$regex')) throw badValue('$options needs a $regex');
      return [];
    case '$elemMatch':
      return [parseElemMatch(operand)];
    case '$all':
      return parseAll(operand, path);
    case '$size':
      return [{ op: 'size', size: parseSize(operand) }];
  }
}

function parseIn(operator: string, operand: Value): FieldTest {
  if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`);
  const values: Value[] = [];
  const patterns: Regex[] = [];
  for (const item of operand) {
    if (item instanceof BSONRegExp) patterns.push(parseRegex(item));
    else if (isOperatorDoc(item)) throw badValue(`cannot nest $ under ${operator}`);
    values.push(item);
  }
  return { op: 'in', values, patterns };
}

function parseNot(operand: Value, path: string): FieldTest[] {
  if (operand instanceof BSONRegExp) return [{ op: 'regex', pattern: parseRegex(operand) }];
  if (!isOperatorDoc(operand)) throw badValue('$not needs a regex or a document');
  return parseFieldTests(operand, path);
}

function parseElemMatch(operand: Value): FieldTest {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object');
  const first = Object.keys(operand)[0] ?? '';
  if (isFieldOperator(first)) return { op: 'elemMatchValue', tests: parseFieldTests(operand, '') };
  return { op: 'elemMatchDoc', filter: parseFilter(operand, createNeeds()) };
}

function parseAll(operand: Value, path: string): FieldTest[] {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  if (operand.length === 0) return [{ op: 'nothing' }];
  return operand.flatMap((item) => {
    if (isOperatorDoc(item) && !Object.hasOwn(item, '$elemMatch')) throw badValue('no $ expressions in $all');
    return parseFieldTests(item, path);
  });
}

function parseSize(operand: Value): number {
  const size = numberOf(operand);
  if (!Number.isInteger(size) || size < 0) {
    throw badValue(
      `Failed to parse $size. Expected a non-negative integer, but got ${operand instanceof Int32 ? operand.value : typeName(operand)}`,
    );
  }
  return size;
}

function badValue(message: string): MongoError {
  return new MongoError('BadValue', message);
}
