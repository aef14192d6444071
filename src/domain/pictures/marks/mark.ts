/** What a trace becomes: what it needs of its axes, and how it is drawn once they have their places. */
import type { ColorMap } from '../colors.ts';
import type { PlacedAxis, Axis, Reach } from '../axis.ts';
import type { Json, JsonObject } from '../../visuals.ts';

/** Axes of a trace, with their places. */
export type Panel = {
  readonly x: PlacedAxis;
  readonly y: PlacedAxis;
  /** Side of a cell where the plot is a grid of cells, which words must fit into; else null. */
  readonly cellPx: number | null;
};

/** The two axes of a trace before they have places. */
export type Axes = { readonly x: Axis; readonly y: Axis };

/** A trace with its place among all. */
export type Trace = {
  readonly trace: JsonObject;
  readonly type: string;
  readonly name: string;
  /** What a figure without colours of its own is drawn in. */
  readonly color: string;
  readonly axes: Axes;
};

/** A point where its axes can place it; `index` is that of its values in the trace. */
export type Point = { readonly index: number; readonly x: number; readonly y: number };

export type LegendKey = {
  readonly name: string;
  /** Draws its sign into a box 24 wide and 12 high, whose middle is at `x` and `y`. */
  readonly sign: (x: number, y: number) => string;
};

export type ColorKey = { readonly map: ColorMap; readonly bar: JsonObject };

export type Mark = {
  readonly x: Reach | null;
  readonly y: Reach | null;
  readonly draw: (panel: Panel) => string;
  readonly legend: LegendKey | null;
  readonly colors: ColorKey | null;
  /** The line itself in pixels, for an area between two lines. */
  readonly outline?: (panel: Panel) => readonly (readonly [number, number] | null)[];
};

/** From the least to the greatest; null for none. */
export function reachOf(values: Iterable<number | null>, hasAir: boolean): Reach | null {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  return low > high ? null : { low, high, airBelow: hasAir, airAbove: hasAir };
}

/** The reach of what begins at zero: no air there. */
export const withZero = (reach: Reach | null): Reach | null =>
  reach && {
    low: Math.min(0, reach.low),
    high: Math.max(0, reach.high),
    airBelow: reach.low < 0,
    airAbove: reach.high > 0,
  };

/** Positions of the points of a trace: as listed, else counted from `x0` in steps of `dx`. */
export function positionsOf(
  trace: JsonObject,
  letter: 'x' | 'y',
  list: readonly Json[] | null,
  count: number,
): readonly Json[] {
  if (list !== null) return list;
  const [start, step] = [trace[`${letter}0`], trace[`d${letter}`]];
  const [from, by] = [typeof start === 'number' ? start : 0, typeof step === 'number' ? step : 1];
  return Array.from({ length: count }, (_, index) => from + index * by);
}
