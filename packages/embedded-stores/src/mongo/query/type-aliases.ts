/** The type names and numbers of `$type` in filters. */
import { MongoError } from '../errors.ts';
import { isNumeric, numberOf, toDouble, type TypeName, type Value } from './values.ts';

/** BSON type numbers by alias (BSON specification). */
const TYPE_NUMBERS: Readonly<Record<TypeName, number>> = {
  minKey: -1,
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  maxKey: 127,
};

const NAMES = Object.keys(TYPE_NUMBERS) as TypeName[];

/** The set of types that a `$type` operand names: an alias, a number, `"number"`, or an array of these. */
export function parseTypes(operand: Value): Set<TypeName> {
  const items = Array.isArray(operand) ? operand : [operand];
  if (items.length === 0) throw new MongoError('FailedToParse', '$type must match at least one type');
  return new Set(items.flatMap(parseType));
}

function parseType(item: Value): TypeName[] {
  if (item === 'number') return ['int', 'long', 'double', 'decimal'];
  const found = NAMES.find((name) => name === item || TYPE_NUMBERS[name] === numberOf(item));
  if (found) return [found];
  const shown = isNumeric(item) ? String(toDouble(item)) : JSON.stringify(item);
  throw new MongoError('BadValue', `Unknown type name alias: ${shown}`);
}
