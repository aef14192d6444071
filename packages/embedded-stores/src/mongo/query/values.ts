/**
 * The value domain of the query engine: BSON decoded without promotion, so that int, long and double stay apart.
 * A bare JavaScript number is never a value. `undefined` means a missing field and is never stored.
 */
import {
  Binary,
  BSONRegExp,
  Decimal128,
  deserialize,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import { MongoError } from '../errors.ts';
import { compareExactly, decimalToDouble, isZeroDecimal } from './decimals.ts';

/**
 * An embedded or top-level document. Use {@link getField} to read: field names may be those of
 * `Object.prototype`.
 */
export type Doc = { [field: string]: Value };
/** A number as stored: int, long, double or decimal. */
export type NumericValue = Int32 | Long | Double | Decimal128;
/** Anything that a stored document can hold. */
export type Value =
  | null
  | boolean
  | string
  | Date
  | NumericValue
  | ObjectId
  | Binary
  | Timestamp
  | BSONRegExp
  | MinKey
  | MaxKey
  | Value[]
  | Doc;
/** A value, or `undefined` where the field is missing. */
export type Maybe = Value | undefined;

/** MongoDB's alias of each type, as `$type` knows it, in the order in which types compare. */
export type TypeName =
  | 'minKey'
  | 'null'
  | 'int'
  | 'long'
  | 'double'
  | 'decimal'
  | 'string'
  | 'object'
  | 'array'
  | 'binData'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'timestamp'
  | 'regex'
  | 'maxKey';

/** The type of a value. Wrappers are recognised by class, not by `_bsontype`, which may be a field of a document. */
export function typeName(value: Value): TypeName {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'null';
  if (value instanceof Int32) return 'int';
  if (value instanceof Double) return 'double';
  if (value instanceof Date) return 'date';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ObjectId) return 'objectId';
  // Before Long, which Timestamp extends.
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Long) return 'long';
  if (value instanceof Decimal128) return 'decimal';
  if (value instanceof Binary) return 'binData';
  if (value instanceof BSONRegExp) return 'regex';
  if (value instanceof MinKey) return 'minKey';
  if (value instanceof MaxKey) return 'maxKey';
  return 'object';
}

/** True for an embedded document, false for arrays and every scalar. */
export function isDoc(value: Maybe): value is Doc {
  return value !== undefined && typeof value === 'object' && value !== null && typeName(value) === 'object';
}

/** True for int, long, double and decimal. */
export function isNumeric(value: Maybe): value is NumericValue {
  return (
    value instanceof Int32 ||
    value instanceof Double ||
    value instanceof Decimal128 ||
    (value instanceof Long && !(value instanceof Timestamp))
  );
}

/** True for the types whose values are doubles, which most numbers are. */
export function isDouble(value: NumericValue): value is Int32 | Double {
  return value instanceof Double || value instanceof Int32;
}

/** A number as a double; longs above 2^53 and most decimals are rounded. */
export function toDouble(value: NumericValue): number {
  if (isDouble(value)) return value.value;
  return value instanceof Long ? value.toNumber() : decimalToDouble(value);
}

/** A number such as a limit or a direction; NaN for anything else, also for a decimal that is not a double. */
export function numberOf(value: Maybe): number {
  if (!isNumeric(value)) return NaN;
  const double = toDouble(value);
  return value instanceof Decimal128 && compareExactly(value, new Double(double)) !== 0 ? NaN : double;
}

/** An integer as MongoDB holds it: int where it fits, else long. */
export function integer(value: number): Int32 | Long {
  return value === (value | 0) ? new Int32(value) : Long.fromNumber(value);
}

/** MongoDB's truth: missing, null, false and zero are false, all else (also NaN, '' and []) is true. */
export function isTruthy(value: Maybe): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (!isNumeric(value) || toDouble(value) !== 0) return true;
  return value instanceof Decimal128 && !isZeroDecimal(value);
}

/** The value of an own field. */
export function getField(document: Doc, field: string): Maybe {
  return Object.hasOwn(document, field) ? document[field] : undefined;
}

/** Sets an own field, also one called `__proto__`. */
export function setField(document: Doc, field: string, value: Value): void {
  if (field === '__proto__') {
    Object.defineProperty(document, field, { value, enumerable: true, configurable: true, writable: true });
  } else {
    document[field] = value;
  }
}

/** Decodes BSON into the value domain. */
export function decode(raw: Uint8Array): Doc {
  return deserialize(raw, { promoteValues: false, bsonRegExp: true }) as Doc;
}

/** Encodes a document; the bytes are the caller's. */
export function encode(document: Doc): Buffer {
  try {
    const bytes = serialize(document);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (cause) {
    throw new MongoError('BadValue', `document cannot be encoded: ${(cause as Error).message}`, {});
  }
}
