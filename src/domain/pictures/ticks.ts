/** Where the ticks of an axis are, and what stands at them. The steps are those that Plotly takes for the same length. */
import type { Json, JsonObject } from '../visuals.ts';
import { dateTicks } from './date-ticks.ts';
import { flagIn, listIn, numberIn, scalarText, textIn } from './read.ts';
import { labelLines, printable } from './text.ts';
import { formatted } from './number-format.ts';
import type { AxisKind } from './axis.ts';

/** `at` in the axis' own numbers: decades of a logarithm, milliseconds, places of names. */
export type Tick = { readonly at: number; readonly lines: readonly string[] };

type TickAxis = {
  readonly kind: AxisKind;
  readonly range: readonly [number, number];
  readonly names: readonly string[];
  /** The axis of the layout. */
  readonly settings: JsonObject;
  /** From a value of the figure to the axis' own numbers. */
  readonly place: (value: Json) => number | null;
};

const MOST_TICKS = 60;
/** Of names and given ticks. */
const MOST_LABELS = 200;

/** Ticks within the range, `about` so many. */
export function ticksOf(axis: TickAxis, about: number): readonly Tick[] {
  const { settings } = axis;
  const given = listIn(settings, 'tickvals');
  const [low, high] = axis.range.toSorted((a, b) => a - b);
  if (low === undefined || high === undefined) return [];
  const isWithin = ({ at }: Tick): boolean =>
    at >= low - (high - low) * 1e-6 && at <= high + (high - low) * 1e-6;
  const ticks = given === null ? automatic(axis, [low, high], about) : named(axis, given);
  const shown = ticks.filter(isWithin);
  const by = Math.ceil(shown.length / MOST_LABELS);
  return by > 1 ? shown.filter((_, index) => index % by === 0) : shown;
}

function named({ settings, kind, place, names }: TickAxis, values: readonly Json[]): readonly Tick[] {
  const texts = listIn(settings, 'ticktext') ?? [];
  return values.flatMap((value, index): readonly Tick[] => {
    // Names have numbers, too.
    const at = place(value) ?? (kind === 'category' && typeof value === 'number' ? value : null);
    const text = texts[index] ?? (kind === 'category' && at !== null ? names[at] : null) ?? value;
    return at === null ? [] : [{ at, lines: labelLines(scalarText(text) ?? '') }];
  });
}

function automatic(axis: TickAxis, ends: readonly [number, number], about: number): readonly Tick[] {
  const { kind, settings, names } = axis;
  const step = numberIn(settings, 'dtick');
  const [low, high] = ends;
  const wanted = step !== null && step > 0 && (high - low) / step <= MOST_TICKS ? step : null;
  if (kind === 'date') return dateTicks(ends, about);
  if (kind === 'log') return logTicks(ends, about);
  const around = (text: string): readonly string[] =>
    labelLines(`${textIn(settings, 'tickprefix') ?? ''}${text}${textIn(settings, 'ticksuffix') ?? ''}`);
  if (kind === 'category') {
    const by = Math.max(1, Math.round(wanted ?? 1));
    return names.flatMap((name, at) => (at % by === 0 ? [{ at, lines: around(printable(name)) }] : []));
  }
  const by = wanted ?? roundStep((high - low) / Math.max(1, about));
  const from = wanted === null ? 0 : (numberIn(settings, 'tick0') ?? 0);
  const format = textIn(settings, 'tickformat');
  return multiples(ends, by, from).map((at) => ({
    at,
    lines: around((format === null ? null : formatted(at, format)) ?? tickText(at, by)),
  }));
}

/** 2, 5 or 10 times a power of ten. */
export function roundStep(rough: number): number {
  const base = 10 ** Math.floor(Math.log10(rough));
  return base * ([2, 5].find((round) => rough / base <= round) ?? 10);
}

function multiples([low, high]: readonly [number, number], step: number, from: number): readonly number[] {
  const slack = (high - low) * 1e-9;
  const [first, last] = [Math.ceil((low - from - slack) / step), Math.floor((high - from + slack) / step)];
  if (!(last - first <= MOST_TICKS)) return [];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = from + (first + index) * step;
    // Without the rest of a sum like 0.1 + 0.2.
    return Number(at.toPrecision(14)) + 0;
  });
}

/** As many decimals as tell ticks `step` apart, without zeros at their end; powers of ten where there would be more than six zeros. */
function tickText(value: number, step: number): string {
  const size = Math.max(Math.abs(value), step);
  if (value !== 0 && (size >= 1e7 || step < 1e-6))
    return Number(value.toPrecision(6)).toExponential().replace('e+', 'e');
  const decimals = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(step))));
  return value
    .toFixed(decimals)
    .replace(/(?<=\.\d*)0+$|\.0*$/u, '')
    .replace(/\.$/u, '');
}

function logTicks([low, high]: readonly [number, number], about: number): readonly Tick[] {
  const decades = high - low;
  const by = Math.max(1, Math.ceil(decades / Math.max(1, about)));
  const parts = decades > 3 ? [1] : decades > 1 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const first = Math.floor(low);
  const count = Math.min(MOST_TICKS, Math.ceil(high) - first + 1);
  const ticks = Array.from({ length: count }, (_, index) => first + index).flatMap((decade) =>
    decade % by === 0
      ? parts.map((part) => ({ at: decade + Math.log10(part), lines: [powerText(part, decade)] }))
      : [],
  );
  const isNarrow = ticks.filter(({ at }) => at >= low && at <= high).length < 2;
  if (!isNarrow) return ticks;
  // Less than a step of a decade: as on an axis of ordinary numbers.
  const ends = [10 ** low, 10 ** high] as const;
  const step = roundStep((ends[1] - ends[0]) / Math.max(1, about));
  return multiples(ends, step, 0).flatMap((value) =>
    value > 0 ? [{ at: Math.log10(value), lines: [tickText(value, step)] }] : [],
  );
}

const powerText = (part: number, decade: number): string =>
  decade >= 6 || decade < -4 ? `${part}e${decade}` : (part * 10 ** decade).toFixed(Math.max(0, -decade));

/** Whether a grid line is drawn at each tick. */
export const hasGrid = (settings: JsonObject, byDefault: boolean): boolean =>
  flagIn(settings, 'showgrid') ?? byDefault;
