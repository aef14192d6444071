/** Axes: of which kind they are, how values become their own numbers, and these become pixels. */
import type { Json, JsonObject } from '../visuals.ts';
import { timeIn } from './date-ticks.ts';
import { flagIn, GREATEST, listIn, numberIn, objectIn, scalarText, textIn, Undrawable } from './read.ts';

export type AxisKind = 'linear' | 'log' | 'date' | 'category';
export type Letter = 'x' | 'y';

/** An axis whose range and place are not known yet. */
export type Axis = {
  /** `x`, `y2`, as traces name it. */
  readonly id: string;
  readonly letter: Letter;
  readonly kind: AxisKind;
  readonly settings: JsonObject;
  /** Of a category axis, in order. */
  readonly names: readonly string[];
  /** From a value of the figure to the axis' own numbers (decades, milliseconds, places of names); null for none. */
  readonly place: (value: Json) => number | null;
};

/** An axis in a picture: `pixel` is along it, from the left or the top of the picture. */
export type PlacedAxis = Axis & {
  readonly range: readonly [number, number];
  /** Of its first and its last number. */
  readonly ends: readonly [number, number];
  readonly pixel: (at: number) => number;
};

/** What a trace needs of an axis: from `low` to `high`, with air beyond the ends that need it. */
export type Reach = {
  readonly low: number;
  readonly high: number;
  readonly airBelow: boolean;
  readonly airAbove: boolean;
};

/** The axis of a layout by the name that traces have for it. */
export const axisSettings = (layout: JsonObject, id: string): JsonObject =>
  objectIn(layout, `${id.slice(0, 1)}axis${id.slice(1)}`);

/** An axis for the values that traces have on it, each list in the order of the traces. */
export function axisFor(
  id: string,
  settings: JsonObject,
  values: readonly (readonly Json[])[],
  isOfNames: boolean,
): Axis {
  const kind = kindOf(settings, values, isOfNames);
  const names = kind === 'category' ? namesOf(settings, values) : [];
  const places = new Map(names.map((name, index) => [name, index]));
  const place = (value: Json): number | null => {
    if (value === null || typeof value === 'object') return null;
    switch (kind) {
      case 'date':
        return timeIn(value);
      case 'category':
        return places.get(String(value)) ?? null;
      case 'log': {
        const number = numeric(value);
        return number !== null && number > 0 ? Math.log10(number) : null;
      }
      case 'linear':
        return numeric(value);
      default:
        return kind satisfies never;
    }
  };
  return { id, letter: id.startsWith('x') ? 'x' : 'y', kind, settings, names, place };
}

/** Shorter axes would place values beyond all numbers. */
const SHORTEST = 1e-100;

function numeric(value: Json): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= GREATEST ? number : null;
}

const KINDS: readonly string[] = ['linear', 'log', 'date', 'category'] satisfies AxisKind[];

function kindOf(settings: JsonObject, values: readonly (readonly Json[])[], isOfNames: boolean): AxisKind {
  const type = textIn(settings, 'type');
  if (type !== null && KINDS.includes(type)) return type as AxisKind;
  if (type === 'multicategory') throw new Undrawable('it has an axis with names on two levels');
  if (isOfNames) return 'category';
  const first = values.find((each) => each.some((value) => value !== null)) ?? [];
  let [times, numbers, others] = [0, 0, 0];
  for (const value of first) {
    if (value === null) continue;
    if (numeric(value) !== null) numbers += 1;
    else if (typeof value === 'string' && timeIn(value) !== null) times += 1;
    else others += 1;
  }
  if (times > 2 * numbers && times >= others) return 'date';
  return others > 2 * numbers ? 'category' : 'linear';
}

function namesOf(settings: JsonObject, values: readonly (readonly Json[])[]): readonly string[] {
  const found = new Set<string>();
  for (const each of [listIn(settings, 'categoryarray') ?? [], ...values])
    for (const value of each) {
      const name = scalarText(value);
      if (name !== null) found.add(name);
    }
  const names = [...found];
  const order = textIn(settings, 'categoryorder');
  if (order === 'category ascending') return names.toSorted();
  return order === 'category descending' ? names.toSorted().toReversed() : names;
}

const AIR = 0.05;

/** From the first to the last number of an axis: as its figure says, else all that its traces reach. */
export function rangeOf(
  { settings, kind, names, place, id }: Axis,
  reaches: readonly Reach[],
): readonly [number, number] {
  const [from = null, to = null] = (listIn(settings, 'range') ?? []).map((end) =>
    // Ends are decades on a logarithmic axis, and places on one of names.
    kind === 'date'
      ? timeIn(end)
      : kind === 'category' && typeof end === 'string'
        ? place(end)
        : numeric(end),
  );
  const [low, high] = automatic(settings, kind, names, reaches);
  const isTurned = textIn(settings, 'autorange')?.endsWith('reversed') ?? false;
  const [first, last] = isTurned ? [high, low] : [low, high];
  const range = from !== null && to !== null && from === to ? [first, last] : [from ?? first, to ?? last];
  const [start = 0, end = 1] = range;
  const least = Math.max(SHORTEST, Math.max(Math.abs(start), Math.abs(end)) * 1e-13);
  if (!(Math.abs(end - start) >= least))
    throw new Undrawable(`the range of its ${id} axis has no length that can be drawn`);
  return [start, end];
}

function automatic(
  settings: JsonObject,
  kind: AxisKind,
  names: readonly string[],
  reaches: readonly Reach[],
): readonly [number, number] {
  if (kind === 'category' && names.length > 0) return [-0.5, names.length - 0.5];
  let [low, high] = [Infinity, -Infinity];
  for (const reach of reaches) [low, high] = [Math.min(low, reach.low), Math.max(high, reach.high)];
  if (low > high) return kind === 'date' ? [Date.UTC(2000, 0, 1), Date.UTC(2001, 0, 1)] : [-1, 6];
  const mode = kind === 'linear' ? textIn(settings, 'rangemode') : null;
  const air = (high - low) * AIR;
  const isOpen = (end: 'airBelow' | 'airAbove'): boolean =>
    reaches.some((reach) => reach[end] && isAt(reach, end));
  const isAt = (reach: Reach, end: 'airBelow' | 'airAbove'): boolean =>
    end === 'airBelow' ? reach.low <= low + air : reach.high >= high - air;
  if (low === high) {
    const half = kind === 'date' ? 12 * 3_600_000 : Math.max(1, Math.abs(low) * 1e-3);
    return [low - half, high + half];
  }
  const [bottom, top] = [low - (isOpen('airBelow') ? air : 0), high + (isOpen('airAbove') ? air : 0)];
  if (mode === 'tozero') return [low >= 0 ? 0 : bottom, high <= 0 ? 0 : top];
  return mode === 'nonnegative' ? [Math.max(0, bottom), top] : [bottom, top];
}

/** Puts an axis between two pixels. */
export function placed(
  axis: Axis,
  range: readonly [number, number],
  ends: readonly [number, number],
): PlacedAxis {
  const [[from, to], [start, end]] = [range, ends];
  return { ...axis, range, ends, pixel: (at) => start + ((at - from) / (to - from)) * (end - start) };
}

/** The part of the plot, from 0 to 1, that an axis takes. */
export function domainOf(settings: JsonObject): readonly [number, number] {
  const [from, to] = listIn(settings, 'domain') ?? [];
  const isPart =
    typeof from === 'number' && typeof to === 'number' && from >= 0 && to <= 1 && to - from > 0.01;
  return isPart ? [from, to] : [0, 1];
}

export const isVisible = (settings: JsonObject): boolean => flagIn(settings, 'visible') ?? true;

/** The axis whose scale this one must have; null for none. */
export const sameScaleAs = (settings: JsonObject): string | null => textIn(settings, 'scaleanchor');

/** The number of pixels that ticks of an axis need for each other. */
export const spacingOf = (settings: JsonObject, lengthPx: number, leastPx: number): number => {
  const most = numberIn(settings, 'nticks');
  const about = Math.max(4, Math.min(9, lengthPx / leastPx)) + 1;
  return most !== null && most > 0 ? Math.min(about, most) : about;
};
