/**
 * Order-preserving bytes of a value: `Buffer.compare` of two keys orders as `compareValues` does, and equal
 * values have equal keys. Keys are self-terminating, so those of a compound index are concatenated. Used for
 * index entries, in-memory sorts, group keys and sets.
 */
import { type Binary, type BSONRegExp, Decimal128, Long, type ObjectId, type Timestamp } from 'bson';
import { compareExactly, neighbourOf, rankOf } from './decimals.ts';
import { isNumeric, type NumericValue, toDouble, typeName, type Value } from './values.ts';

/**
 * What an indexed path yields: a value (missing counts as null) or the marker of an empty array, which sorts
 * before null.
 */
export type KeyValue = Value | typeof EMPTY_ARRAY;

/** MongoDB indexes an empty array as "undefined", a type of its own between MinKey and null. */
export const EMPTY_ARRAY = Symbol('empty array');

const TAG = {
  minKey: 0x01,
  emptyArray: 0x04,
  null: 0x05,
  number: 0x10,
  string: 0x20,
  object: 0x30,
  array: 0x40,
  binData: 0x50,
  objectId: 0x60,
  bool: 0x70,
  date: 0x80,
  timestamp: 0x88,
  regex: 0x90,
  maxKey: 0xf0,
} as const;

/** Terminates arrays and documents; smaller than every tag, so that the shorter one sorts first. */
const END = 0x00;
const TWO_TO_53 = 2 ** 53;

let scratch = Buffer.allocUnsafe(4096);
let length = 0;
let isDescending = false;
/** Of arrays and documents around the value that is written. */
let depth = 0;

/** The key of one value. `descending` inverts the bytes, which inverts the order. */
export function orderKey(value: KeyValue, descending = false): Buffer {
  length = 0;
  isDescending = descending;
  depth = 0;
  writeValue(value);
  const key = Buffer.from(scratch.subarray(0, length));
  if (descending) for (let i = 0; i < key.length; i++) key[i] = ~(key[i] ?? 0);
  return key;
}

/** The key as a string, for use in a `Map` or `Set`. */
export function identityKey(value: Value): string {
  return orderKey(value).toString('latin1');
}

/** First byte of the keys of all values that compare with this one (the bracket of its type). */
export function keyTag(value: KeyValue, descending = false): number {
  return orderKey(value, descending)[0] ?? 0;
}

function reserve(bytes: number): void {
  if (length + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, length + bytes));
  scratch.copy(larger, 0, 0, length);
  scratch = larger;
}

function writeByte(byte: number): void {
  reserve(1);
  scratch[length++] = byte;
}

function writeBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, length);
  length += bytes.length;
}

function writeValue(value: KeyValue): void {
  if (value === EMPTY_ARRAY) return writeByte(TAG.emptyArray);
  if (isNumeric(value)) return writeNumber(value);
  const type = typeName(value);
  writeByte(tagOf(type));
  switch (type) {
    case 'string':
      return writeString(value as string);
    case 'object':
      return writeFields(Object.entries(value as object) as [string, Value][]);
    case 'array':
      return writeItems(value as Value[]);
    case 'binData':
      return writeBinary(value as Binary);
    case 'objectId':
      return writeBytes((value as ObjectId).id);
    case 'bool':
      return writeByte(Number(value));
    case 'date':
      return writeInt64(BigInt((value as Date).getTime()));
    case 'timestamp':
      return writeUint64((value as Timestamp).toBigInt());
    case 'regex':
      writeString((value as BSONRegExp).pattern);
      return writeString((value as BSONRegExp).options);
    case 'int':
    case 'long':
    case 'double':
    case 'decimal':
    case 'minKey':
    case 'null':
    case 'maxKey':
      return;
  }
}

function tagOf(type: ReturnType<typeof typeName>): number {
  return type === 'int' || type === 'long' || type === 'double' || type === 'decimal'
    ? TAG.number
    : TAG[type];
}

/**
 * Sign-adjusted IEEE bytes order all doubles. From 2^53 on, where several longs share a double, two more bytes
 * hold the distance of the exact integer from that double (at most 512 either way).
 */
function writeNumber(value: NumericValue): void {
  if (value instanceof Decimal128) return writeDecimal(value);
  const double = toDouble(value);
  reserve(11);
  scratch[length++] = TAG.number;
  if (Number.isNaN(double)) {
    scratch.fill(0, length, length + 8);
    length += 8;
    return;
  }
  scratch.writeDoubleBE(double === 0 ? 0 : double, length);
  if (double < 0) for (let i = 0; i < 8; i++) scratch[length + i] = ~(scratch[length + i] ?? 0);
  else scratch[length] = (scratch[length] ?? 0) | 0x80;
  length += 8;
  if (Math.abs(double) >= TWO_TO_53) {
    const distance =
      value instanceof Long && Number.isFinite(double) ? Number(value.toBigInt() - BigInt(double)) : 0;
    length = scratch.writeUInt16BE(distance + 0x8000, length);
  }
}

/**
 * A decimal that equals a double or a long has the key of that. Any other follows the key of the double or long before it, in
 * the direction of the key, with a byte that is greater than whatever else may follow there: the tag of another
 * field at the top, and in arrays and documents, if descending, first their ends. Keys of the other types are on the disks
 * of users and have to stay as they are.
 */
function writeDecimal(value: Decimal128): void {
  const neighbour = neighbourOf(value, isDescending ? 1 : -1);
  writeNumber(neighbour);
  if (compareExactly(neighbour, value) === 0) return;
  for (let i = 0; i <= depth; i++) writeByte(isDescending ? 0x00 : 0xff);
  const rank = rankOf(value);
  writeInt64(rank >> 64n);
  writeUint64(rank);
}

/** UTF-8 with 00 escaped as 00 FF and ended by 00 00: prefixes sort first and no key is a prefix of another. */
function writeString(text: string): void {
  const start = length;
  const size = Buffer.byteLength(text);
  reserve(size + 2);
  length += scratch.write(text, length);
  if (text.includes('\0')) {
    const bytes = Buffer.from(scratch.subarray(start, length));
    length = start;
    for (const byte of bytes) {
      writeByte(byte);
      if (byte === 0) writeByte(0xff);
    }
  }
  writeByte(0);
  writeByte(0);
}

function writeItems(items: readonly Value[]): void {
  depth++;
  for (const item of items) writeValue(item);
  depth--;
  writeByte(END);
}

function writeFields(fields: readonly (readonly [string, Value])[]): void {
  depth++;
  for (const [name, value] of fields) {
    writeByte(tagOf(typeName(value)));
    writeString(name);
    writeValue(value);
  }
  depth--;
  writeByte(END);
}

function writeBinary(binary: Binary): void {
  const bytes = binary.value();
  reserve(5);
  length = scratch.writeUInt32BE(bytes.length, length);
  writeByte(binary.sub_type);
  writeBytes(bytes);
}

function writeInt64(value: bigint): void {
  writeUint64(value ^ (1n << 63n));
}

function writeUint64(value: bigint): void {
  reserve(8);
  length = scratch.writeBigUInt64BE(BigInt.asUintN(64, value), length);
}
