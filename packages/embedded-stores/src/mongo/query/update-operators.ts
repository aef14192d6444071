/** The update operators (manual: "Field Update Operators", "Array Update Operators"): each changes one field. */
import { Double } from 'bson';
import { type UpdateOperator } from '../allow-list.ts';
import { MongoError } from '../errors.ts';
import { compareValues, equalValues } from './compare.ts';
import { isOperatorDoc, parseFieldTests, parseFilter } from './filter.ts';
import { matches, passes } from './match.ts';
import { createNeeds } from './needs.ts';
import { add, calculable } from './numbers.ts';
import { type Doc, isDoc, isNumeric, type Maybe, numberOf, typeName, type Value } from './values.ts';

/** How an operator edits the value of its field; `create`: whether it creates a missing path. */
export type FieldEdit = { readonly create: boolean; readonly edit: (current: Maybe) => Maybe };

/** `$rename` changes two paths and is applied by `update.ts` itself. */
type EditOperator = Exclude<UpdateOperator, '$rename'>;

/** Compiles the operand of an operator for the field `path`; wrong operands are refused here. */
export const EDITS: Readonly<Record<EditOperator, (operand: Value, path: string) => FieldEdit>> = {
  $set: (operand) => ({ create: true, edit: () => operand }),
  $setOnInsert: (operand) => ({ create: true, edit: () => operand }),
  $unset: () => ({ create: false, edit: () => undefined }),
  $inc: increment,
  $min: (operand) => ({ create: true, edit: (current) => closer(current, operand, -1) }),
  $max: (operand) => ({ create: true, edit: (current) => closer(current, operand, 1) }),
  $push: (operand, path) => {
    const { items, slice } = modifiers('$push', operand, ['$each', '$slice']);
    return {
      create: true,
      edit: (current) => {
        const all = [...arrayOf(current, path), ...items];
        if (slice === undefined) return all;
        return slice < 0 ? all.slice(slice) : all.slice(0, slice);
      },
    };
  },
  $addToSet: (operand, path) => {
    const { items } = modifiers('$addToSet', operand, ['$each']);
    return {
      create: true,
      edit: (current) =>
        items.reduce<Value[]>(
          (set, item) => (set.some((member) => equalValues(member, item)) ? set : [...set, item]),
          arrayOf(current, path),
        ),
    };
  },
  $pull: (operand) => {
    const unwanted = pullCondition(operand);
    return {
      create: false,
      edit: (current) => {
        if (current === undefined) return undefined;
        if (!Array.isArray(current))
          throw new MongoError('BadValue', 'Cannot apply $pull to a non-array value');
        return current.filter((item) => !unwanted(item));
      },
    };
  },
};

function increment(operand: Value, path: string): FieldEdit {
  if (!isNumeric(operand)) {
    throw new MongoError(
      'TypeMismatch',
      `Cannot increment with non-numeric argument: {${path}: ${JSON.stringify(operand)}}`,
    );
  }
  const step = calculable(operand);
  return {
    create: true,
    edit: (current) => {
      if (current === undefined) return step;
      if (!isNumeric(current)) {
        throw new MongoError(
          'TypeMismatch',
          `Cannot apply $inc to a value of non-numeric type. The field '${path}' is of type ${typeName(current)}`,
        );
      }
      const sum = add(calculable(current), step);
      if (sum instanceof Double && !(current instanceof Double) && !(step instanceof Double)) {
        throw new MongoError(
          'BadValue',
          `Failed to apply $inc operations to current value (${current.toString()}) for field '${path}'`,
        );
      }
      return sum;
    },
  };
}

function closer(current: Maybe, operand: Value, sign: -1 | 1): Value {
  return current === undefined || compareValues(operand, current) * sign > 0 ? operand : current;
}

function arrayOf(current: Maybe, path: string): Value[] {
  if (current === undefined) return [];
  if (Array.isArray(current)) return current;
  throw new MongoError(
    'BadValue',
    `The field '${path}' must be an array but is of type ${typeName(current)}`,
  );
}

/** The values to add, and `$slice`: a bare value, or a document of modifiers that starts with one. */
function modifiers(
  operator: string,
  operand: Value,
  allowed: readonly string[],
): { readonly items: readonly Value[]; readonly slice?: number } {
  if (!isOperatorDoc(operand)) return { items: [operand] };
  for (const key of Object.keys(operand)) {
    if (!allowed.includes(key))
      throw new MongoError('BadValue', `Unrecognized clause in ${operator}: ${key}`);
  }
  const { $each: items, $slice: slice } = operand;
  if (!Array.isArray(items))
    throw new MongoError('TypeMismatch', `The argument to $each in ${operator} must be an array`);
  if (slice === undefined) return { items };
  const count = numberOf(slice);
  if (!Number.isInteger(count))
    throw new MongoError('BadValue', `The value for $slice must be an integer value`);
  return { items, slice: count };
}

/** Elements to pull: by operators, by a filter on documents, or by equality. */
function pullCondition(operand: Value): (item: Value) => boolean {
  if (isOperatorDoc(operand) || typeName(operand) === 'regex') {
    const tests = parseFieldTests(operand, '');
    return (item) => tests.every((test) => passes(test, item, []));
  }
  if (isDoc(operand)) {
    const filter = parseFilter(operand, createNeeds());
    return (item) => isDoc(item) && matches(filter, item);
  }
  return (item) => equalValues(item, operand);
}

/** The document whose fields are the operands of an operator. */
export function operandsOf(operator: string, operands: Value): Doc {
  if (isDoc(operands)) return operands;
  throw new MongoError(
    'FailedToParse',
    `Modifiers operate on fields but we found type ${typeName(operands)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${JSON.stringify(operands)}}`,
  );
}
