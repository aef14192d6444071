/**
 * Reads Plotly's figures as they come: of our rules, of analysis code, of models. What is missing or of another type is
 * null, never an error.
 */
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../visuals.ts';

/** Why a chart cannot be drawn as a picture, in words that follow "not drawn, because". */
export class Undrawable extends Error {}

/** Further out, differences are no numbers any more. */
export const GREATEST = 1e150;

export const textIn = (object: JsonObject, name: string): string | null => {
  const value = object[name];
  return typeof value === 'string' ? value : null;
};

export const numberIn = (object: JsonObject, name: string): number | null => {
  const value = object[name];
  return typeof value === 'number' && Math.abs(value) <= GREATEST ? value : null;
};

export const flagIn = (object: JsonObject, name: string): boolean | null => {
  const value = object[name];
  return typeof value === 'boolean' ? value : null;
};

/** Empty where there is none. */
export const objectIn = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isJsonObject(value ?? null) ? (value as JsonObject) : {};
};

export const objectsIn = (object: JsonObject, name: string): readonly JsonObject[] =>
  (listIn(object, name) ?? []).filter(isJsonObject);

/** A word, a number or a truth value as text; null for anything else. */
export const scalarText = (value: Json): string | null =>
  value === null || typeof value === 'object' ? null : String(value);

/** A list, also one that Plotly's Python library wrote as bytes; null for anything else. */
export function listIn(object: JsonObject, name: string): readonly Json[] | null {
  const value = object[name];
  if (isJsonList(value)) return value;
  if (!isJsonObject(value ?? null)) return null;
  const packed = value as JsonObject;
  const known = UNPACKED.get(packed);
  const list = known === undefined ? unpacked(packed) : known;
  UNPACKED.set(packed, list);
  return list;
}

/** Lists that were written as bytes, which each point of a trace asks for. */
const UNPACKED = new WeakMap<JsonObject, readonly Json[] | null>();

/** A list of lists. */
export const rowsIn = (object: JsonObject, name: string): readonly (readonly Json[])[] =>
  (listIn(object, name) ?? []).map((row) => (isJsonList(row) ? row : []));

/** A setting of each point, or one for all. */
export function settingAt(object: JsonObject, name: string, index: number): Json {
  const list = listIn(object, name);
  return (list === null ? object[name] : list[index]) ?? null;
}

/** Title of a chart, an axis or a colour bar: an object with text, or text. */
export const titleIn = (object: JsonObject): string =>
  textIn(object, 'title') ?? textIn(objectIn(object, 'title'), 'text') ?? '';

const READERS: Readonly<Record<string, readonly [bytes: number, (view: DataView, at: number) => number]>> = {
  i1: [1, (view, at) => view.getInt8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
  uc1: [1, (view, at) => view.getUint8(at)],
  i2: [2, (view, at) => view.getInt16(at, true)],
  u2: [2, (view, at) => view.getUint16(at, true)],
  i4: [4, (view, at) => view.getInt32(at, true)],
  u4: [4, (view, at) => view.getUint32(at, true)],
  f4: [4, (view, at) => view.getFloat32(at, true)],
  f8: [8, (view, at) => view.getFloat64(at, true)],
};

function unpacked(packed: JsonObject): readonly Json[] | null {
  const [data, type] = [textIn(packed, 'bdata'), textIn(packed, 'dtype')];
  const reader = Object.hasOwn(READERS, type ?? '') ? READERS[type ?? ''] : undefined;
  if (data === null || reader === undefined) return null;
  const [bytes, read] = reader;
  const { buffer, byteOffset, byteLength } = Buffer.from(data, 'base64');
  const view = new DataView(buffer, byteOffset, byteLength);
  const values = Array.from({ length: Math.floor(byteLength / bytes) }, (_, index): Json => {
    const value = read(view, index * bytes);
    return Number.isFinite(value) ? value : null;
  });
  const columns = columnsOf(packed['shape'] ?? null);
  if (columns === null) return values;
  return Array.from({ length: Math.ceil(values.length / columns) }, (_, row) =>
    values.slice(row * columns, (row + 1) * columns),
  );
}

/** Of two dimensions the second; Plotly writes `'2, 3'` and `[2, 3]`. */
function columnsOf(shape: Json): number | null {
  const sides = typeof shape === 'string' ? shape.split(',') : isJsonList(shape) ? shape : [];
  const columns = sides.length === 2 ? Number(sides[1]) : 0;
  return Number.isInteger(columns) && columns > 0 ? columns : null;
}
