/**
 * Walks raw BSON without decoding it: to validate incoming documents, and to decode only the fields that a query
 * reads.
 */
import { isUtf8 } from 'node:buffer';
import { MongoError } from '../errors.ts';
import { type Needs } from '../query/needs.ts';
import { decode, type Doc } from '../query/values.ts';

/** One element of a raw document; offsets into it. The value lies between `valueStart` and `end`. */
export type RawElement = {
  readonly type: number;
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
};

/** MongoDB's nesting limit. */
const MAX_DEPTH = 100;
const OBJECT = 0x03;
const ARRAY = 0x04;
const STRING = 0x02;
const DATE = 0x09;
/** Range of a JavaScript Date. */
const MAX_DATE_MS = 8_640_000_000_000_000n;

/** Types this server stores, by the size of their values; negative: sized by a leading int32 plus that many bytes. */
const FIXED_SIZES: Readonly<Record<number, number>> = {
  0x01: 8,
  0x07: 12,
  0x08: 1,
  0x09: 8,
  0x0a: 0,
  0x10: 4,
  0x11: 8,
  0x12: 8,
  0x13: 16,
  0x7f: 0,
  0xff: 0,
};

const REFUSED_TYPES: Readonly<Record<number, string>> = {
  0x06: 'undefined',
  0x0c: 'DBPointer',
  0x0d: 'JavaScript code',
  0x0e: 'symbol',
  0x0f: 'JavaScript code with scope',
};

/** Bytes that are not a BSON document: the connection that sent them is closed. */
export class MalformedBsonError extends Error {}

/** The elements of a raw document, in order. */
export function* rawElements(raw: Buffer): Generator<RawElement> {
  const last = raw.length - 1;
  if (raw.length < 5 || raw.readInt32LE(0) !== raw.length || raw[last] !== 0) {
    throw new MalformedBsonError('document length and bytes disagree');
  }
  let offset = 4;
  while (offset < last) {
    const element = elementAt(raw, offset, last);
    yield element;
    offset = element.end;
  }
}

function elementAt(raw: Buffer, start: number, last: number): RawElement {
  const type = raw[start] ?? 0;
  const nameEnd = cstringEnd(raw, start + 1, last);
  const valueStart = nameEnd + 1;
  const end = valueStart + valueSize(raw, type, valueStart, last);
  if (end > last) throw new MalformedBsonError('element exceeds its document');
  return { type, name: raw.toString('utf8', start + 1, nameEnd), start, valueStart, end };
}

function valueSize(raw: Buffer, type: number, at: number, last: number): number {
  const fixed = FIXED_SIZES[type];
  if (fixed !== undefined) return fixed;
  switch (type) {
    case STRING:
      return 4 + sizeAt(raw, at, last, 1);
    case OBJECT:
    case ARRAY:
      return sizeAt(raw, at, last, 5);
    case 0x05:
      return 5 + sizeAt(raw, at, last, 0);
    case 0x0b:
      return cstringEnd(raw, cstringEnd(raw, at, last) + 1, last) + 1 - at;
    default: {
      const name = REFUSED_TYPES[type];
      if (name) throw new MongoError('BadValue', `BSON type ${name} is not supported by this server`);
      throw new MalformedBsonError(`unknown BSON type 0x${type.toString(16)}`);
    }
  }
}

function sizeAt(raw: Buffer, at: number, last: number, smallest: number): number {
  const size = at + 4 <= last ? raw.readInt32LE(at) : -1;
  if (size < smallest) throw new MalformedBsonError('value has an impossible length');
  return size;
}

function cstringEnd(raw: Buffer, from: number, last: number): number {
  const end = raw.indexOf(0, from);
  if (end < 0 || end >= last) throw new MalformedBsonError('name or pattern has no end');
  return end;
}

/** Validates a document at all levels; throws {@link MalformedBsonError}, or MongoError for unsupported values. */
export function checkBson(raw: Buffer, depth = 1): void {
  if (depth > MAX_DEPTH) {
    throw new MongoError('Overflow', `document is nested more than ${MAX_DEPTH} levels deep`);
  }
  for (const { type, name, valueStart, end } of rawElements(raw)) {
    if (type === OBJECT || type === ARRAY) checkBson(raw.subarray(valueStart, end), depth + 1);
    else if (type === STRING) checkString(raw.subarray(valueStart + 4, end));
    else if (type === DATE) checkDate(raw.readBigInt64LE(valueStart), name);
  }
}

function checkString(bytes: Buffer): void {
  if (bytes.at(-1) !== 0 || !isUtf8(bytes)) throw new MalformedBsonError('string is not UTF-8 or has no end');
}

function checkDate(epochMs: bigint, name: string): void {
  if (epochMs > MAX_DATE_MS || epochMs < -MAX_DATE_MS) {
    throw new MongoError(
      'BadValue',
      `date '${name}' is outside the years that this server stores (±271,821)`,
    );
  }
}

/** The documents of a raw array element. */
export function rawDocuments(raw: Buffer, array: RawElement): Buffer[] {
  const documents: Buffer[] = [];
  const bytes = raw.subarray(array.valueStart, array.end);
  for (const { type, valueStart, end } of rawElements(bytes)) {
    if (type !== OBJECT)
      throw new MongoError('TypeMismatch', `array '${array.name}' holds something other than documents`);
    documents.push(bytes.subarray(valueStart, end));
  }
  return documents;
}

/** Decodes what `needs` holds at the time of this call: the whole document or some of its top-level fields. */
export function createDecoder(needs: Needs): (raw: Buffer) => Doc {
  if (needs.all) return decode;
  const pick = createPicker(needs.fields);
  return (raw) => decode(pick(raw));
}

/** Copies some top-level fields of a document into a smaller one, in stored order. */
export function createPicker(fields: ReadonlySet<string>): (raw: Buffer) => Buffer {
  const wanted = [...fields].map((name) => Buffer.from(name));
  return (raw) => pickFields(raw, wanted);
}

/** A top-level field of a checked document. */
export function findField(
  raw: Buffer,
  name: Buffer,
): Pick<RawElement, 'type' | 'valueStart' | 'end'> | undefined {
  const last = raw.length - 1;
  for (let start = 4; start < last;) {
    const type = raw[start] ?? 0;
    let nameEnd = start + 1;
    while (raw[nameEnd] !== 0) nameEnd++;
    const end = nameEnd + 1 + valueSize(raw, type, nameEnd + 1, last);
    if (isNamed(raw, start + 1, nameEnd, name)) return { type, valueStart: nameEnd + 1, end };
    start = end;
  }
  return undefined;
}

/** A plain loop: scans spend most of their time here. */
function pickFields(raw: Buffer, wanted: readonly Buffer[]): Buffer {
  const last = raw.length - 1;
  const spans: number[] = [];
  let size = 5;
  let left = wanted.length;
  for (let start = 4; start < last && left > 0;) {
    let nameEnd = start + 1;
    while (raw[nameEnd] !== 0) nameEnd++;
    const end = nameEnd + 1 + valueSize(raw, raw[start] ?? 0, nameEnd + 1, last);
    if (isWanted(raw, start + 1, nameEnd, wanted)) {
      spans.push(start, end);
      size += end - start;
      left--;
    }
    start = end;
  }
  const picked = Buffer.allocUnsafe(size);
  picked.writeInt32LE(size, 0);
  let length = 4;
  for (let i = 0; i < spans.length; i += 2) length += raw.copy(picked, length, spans[i], spans[i + 1]);
  picked[length] = 0;
  return picked;
}

function isWanted(raw: Buffer, start: number, end: number, wanted: readonly Buffer[]): boolean {
  for (const name of wanted) if (isNamed(raw, start, end, name)) return true;
  return false;
}

function isNamed(raw: Buffer, start: number, end: number, name: Buffer): boolean {
  if (name.length !== end - start) return false;
  let length = 0;
  while (length < name.length && raw[start + length] === name[length]) length++;
  return length === name.length;
}
