/**
 * How much there is in a Plotly figure that is not ours: arrays as JSON or, as Plotly's Python library writes them,
 * as bytes.
 */
import { isJsonObject, isJsonList, type Json, type JsonObject } from '../visuals.ts';

/** Bytes of a number by Plotly's names of its types. */
const BYTES: Readonly<Record<string, number>> = {
  i1: 1,
  u1: 1,
  uc1: 1,
  i2: 2,
  u2: 2,
  i4: 4,
  u4: 4,
  f4: 4,
  f8: 8,
};

/** How many values an array has, those of its rows together; 0 for anything else. */
export function countOf(values: Json | undefined): number {
  if (isJsonList(values))
    return values.reduce<number>((sum, each) => sum + (isJsonList(each) ? each.length : 1), 0);
  if (!isPacked(values)) return 0;
  const { bdata, dtype } = values;
  return Math.floor((bdata.length * 3) / 4 / (typeof dtype === 'string' ? (BYTES[dtype] ?? 1) : 1));
}

/**
 * Why a packed array anywhere in `value` cannot be drawn, null if all can: Plotly trusts `shape` and reserves memory for
 * it, or draws nothing for ever.
 */
export function packingProblem(value: Json): string | null {
  if (isPacked(value)) {
    const { bdata, dtype, shape = null } = value;
    if (typeof dtype !== 'string' || BYTES[dtype] === undefined) return 'its packed array has no known dtype';
    if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(bdata)) return 'its packed array is not base64';
    const bytes = Math.floor((bdata.replace(/(?<!=)=+$/u, '').length * 3) / 4);
    const sides = shape === null ? [bytes / BYTES[dtype]] : sidesOf(shape);
    const isWhole = sides.every((side) => Number.isInteger(side));
    return isWhole && sides.reduce((product, side) => product * side, BYTES[dtype]) === bytes
      ? null
      : `its packed array of ${bytes} bytes does not hold ${sides.join(' by ')} values of ${dtype}`;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const each of Object.values(value) as Json[]) {
    const problem = packingProblem(each);
    if (problem !== null) return problem;
  }
  return null;
}

/** Plotly takes `'2, 3'`, `[2, 3]` and `6`. */
const sidesOf = (shape: Json): readonly number[] =>
  (isJsonList(shape) ? shape : typeof shape === 'string' ? shape.split(',') : [shape]).map(Number);

/** Positions of a trace: its longest array. */
export const pointsOf = ({ x, y }: JsonObject): number => Math.max(countOf(x), countOf(y));

/** How Plotly knows a time. */
export const DATE = /^\d{4}-\d\d/;

/**
 * From the least to the greatest number on any axis of the figure (times in milliseconds); infinite where the numbers
 * cannot be read.
 */
export function spanOf(traces: readonly JsonObject[], axes: readonly JsonObject[] = []): number {
  let [least, greatest] = [Infinity, -Infinity];
  const see = (value: Json): void => {
    if (isJsonList(value)) return value.forEach(see);
    const at = typeof value === 'string' && DATE.test(value) ? Date.parse(value) : value;
    if (typeof at !== 'number' || Number.isNaN(at)) return;
    [least, greatest] = [Math.min(least, at), Math.max(greatest, at)];
  };
  for (const trace of traces) {
    const { x = null, y = null, z = null, dx, dy } = trace;
    if ([x, y, z].some(isPacked) || dx !== undefined || dy !== undefined) return Infinity;
    [x, y, z].forEach(see);
  }
  for (const { range = null } of axes) see(range);
  return Math.max(greatest - least, 0);
}

const isPacked = (value: Json | undefined): value is JsonObject & { readonly bdata: string } =>
  isJsonObject(value) && typeof value['bdata'] === 'string';
