/** Histograms: how many values are in which bin. Bins are chosen as Plotly chooses them, so that both draw the same. */
import { type Json, type JsonObject, isJsonObject } from '../../visuals.ts';
import { flagIn, listIn, numberIn, objectIn, textIn, Undrawable } from '../read.ts';
import { roundStep } from '../ticks.ts';
import type { BarTrace } from './bars.ts';
import type { Trace } from './mark.ts';

type Bins = { readonly start: number; readonly size: number; readonly count: number };

const MOST_BINS = 2_000;

/** The traces of one pair of axes, which share their bins, as bars. */
export function histogramBars(traces: readonly Trace[]): readonly BarTrace[] {
  const counted = traces.map((given) => {
    const { trace, axes } = given;
    if (textIn(trace, 'histfunc') !== null && trace['histfunc'] !== 'count')
      throw new Undrawable('its histogram sums values');
    if (flagIn(objectIn(trace, 'cumulative'), 'enabled') === true)
      throw new Undrawable('its histogram is cumulative');
    const isLying =
      textIn(trace, 'orientation') === 'h' || (trace['x'] === undefined && trace['y'] !== undefined);
    const letter = isLying ? 'y' : 'x';
    const axis = axes[letter];
    if (axis.kind === 'log') throw new Undrawable('it counts values on a logarithmic axis');
    const values = (listIn(trace, letter) ?? []).flatMap((value: Json) => axis.place(value) ?? []);
    return { given, isLying, letter, axis, values } as const;
  });
  const all = counted.flatMap(({ values }) => values);
  return counted.map(({ given, isLying, letter, axis, values }) => {
    const bins =
      axis.kind === 'category'
        ? { start: -0.5, size: 1, count: axis.names.length }
        : (binsIn(given.trace, letter, all) ?? automaticBins(all, numberIn(given.trace, `nbins${letter}`)));
    const counts = Array<number>(bins.count).fill(0);
    for (const value of values) {
      const index = Math.floor((value - bins.start) / bins.size + 1e-9);
      if (index >= 0 && index < bins.count) counts[index] = (counts[index] ?? 0) + 1;
    }
    return {
      ...given,
      isLying,
      at: counts.map((_, index) => bins.start + (index + 0.5) * bins.size),
      values: normalised(counts, values.length, bins.size, textIn(given.trace, 'histnorm') ?? ''),
      step: bins.size,
    };
  });
}

function normalised(counts: readonly number[], total: number, size: number, norm: string): readonly number[] {
  const [byTotal, bySize] = [
    norm.includes('percent') || norm.includes('probability'),
    norm.includes('density'),
  ];
  const factor = (norm === 'percent' ? 100 : 1) / (byTotal ? Math.max(1, total) : 1) / (bySize ? size : 1);
  return factor === 1 ? counts : counts.map((count) => count * factor);
}

function binsIn(trace: JsonObject, letter: 'x' | 'y', all: readonly number[]): Bins | null {
  const bins = trace[`${letter}bins`];
  if (!isJsonObject(bins ?? null)) return null;
  const { start, end, size } = bins as JsonObject;
  if (typeof size !== 'number' || !(size > 0)) return null;
  const [low, high] = endsOf(all);
  const from = typeof start === 'number' ? start : Math.floor(low / size) * size;
  const to = typeof end === 'number' ? end : high + size;
  return checked({ start: from, size, count: Math.ceil((to - from) / size - 1e-9) });
}

function endsOf(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return low > high ? [0, 0] : [low, high];
}

function automaticBins(values: readonly number[], wanted: number | null): Bins {
  if (values.length === 0) return { start: 0, size: 1, count: 0 };
  const [low, high] = endsOf(values);
  const size = roundStep(
    wanted !== null && wanted > 0 && high > low ? (high - low) / wanted : roughSize(values),
  );
  const first = Math.ceil(low / size - 1e-9) * size - size;
  const start = shifted(first, size, values, low, high);
  return checked({ start, size, count: 1 + Math.floor((high - start) / size) });
}

function checked(bins: Bins): Bins {
  if (bins.count <= MOST_BINS && bins.count >= 0) return bins;
  throw new Undrawable(`its histogram has more than ${MOST_BINS} bins`);
}

/** By how much the values scatter, but not less than what tells two of them apart. */
function roughSize(values: readonly number[]): number {
  const sorted = [...new Set(values)].toSorted((a, b) => a - b);
  let least = Infinity;
  const slack = ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / 1e4;
  for (const [index, value] of sorted.entries()) {
    const difference = index === 0 ? 0 : value - (sorted[index - 1] ?? value);
    if (difference > slack) least = Math.min(least, difference);
  }
  if (!Number.isFinite(least)) return 1;
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0));
  const base = 10 ** Math.floor(Math.log10(least));
  const smallest = base * ([9.9, 4.9, 1.9, 0.9].find((part) => part <= least / base) ?? 0.9);
  const size = Math.max(smallest, (2 * deviation) / values.length ** 0.4);
  return Number.isFinite(size) && size > 0 ? size : 1;
}

/** Moves bins so that values do not lie on their edges: whole numbers into the middle. */
function shifted(start: number, size: number, values: readonly number[], low: number, high: number): number {
  const isNearEdge = (value: number): boolean => (1 + ((value - start) * 100) / size) % 100 < 2;
  if (values.every((value) => Number.isInteger(value))) {
    if (size < 1) return low - size / 2;
    return start - 0.5 + size < low ? start - 0.5 + size : start - 0.5;
  }
  const middles = values.filter((value) => isNearEdge(value + size / 2)).length;
  const edges = values.filter(isNearEdge).length;
  const isOnEdges = edges > values.length * 0.3 || isNearEdge(low) || isNearEdge(high);
  if (middles >= values.length * 0.1 || !isOnEdges) return start;
  return start + size / 2 < low ? start + size / 2 : start - size / 2;
}
