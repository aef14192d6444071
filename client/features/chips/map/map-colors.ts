/** Colours of the map. Pure. */
import type { MapMetric, MapPart, MapState } from './map-model.ts';

/** Bright is good, whatever direction is better; Cividis where neither is. Both can be read without red and green. */
const VIRIDIS = [
  '#440154',
  '#472d7b',
  '#3b528b',
  '#2c728e',
  '#21918c',
  '#28ae80',
  '#5ec962',
  '#addc30',
  '#fde725',
];
const CIVIDIS = ['#00224e', '#213b6e', '#4c556c', '#6c6e72', '#8a8779', '#aca373', '#cfc061', '#fee838'];
/** From worse to better; grey where nothing changed. */
const DIVERGING = ['#b2430a', '#e07b39', '#f3c3a1', '#e3e3e3', '#a5c8e8', '#4b8fcb', '#0b4f94'];

/** Of each state, where the map is coloured by it; the same in both colour schemes. */
export const STATE_COLORS: Readonly<Record<MapState, string>> = {
  ENABLED: '#2f9e77',
  STALE: '#b9b9b9',
  DOUBTFUL: '#e8a33d',
  DISABLED: '#c92a2a',
  MISSING: '#ffffff',
};

/** Which values have which colour: `low` is the first colour, `high` the last, what lies beyond has theirs. */
export type ColorScale = {
  readonly colors: readonly string[];
  readonly low: number;
  readonly high: number;
  /** Values beyond the ends. */
  readonly outside: number;
};

/** Part of the values that lies beyond each end, so that outliers do not make all others look alike. */
const TAIL = 0.02;

/** The scale of what a map shows; null without values. */
export function colorScale(
  parts: readonly MapPart[],
  { direction }: Pick<MapMetric, 'direction'>,
  isCompared: boolean,
): ColorScale | null {
  const values = parts.flatMap(({ shown }) => shown ?? []).toSorted((a, b) => a - b);
  if (values.length === 0) return null;
  const at = (part: number): number => values[Math.round(part * (values.length - 1))] ?? 0;
  const [usualLow, usualHigh] = values.length < 20 ? [at(0), at(1)] : [at(TAIL), at(1 - TAIL)];
  const ends = isCompared ? Math.max(Math.abs(usualLow), Math.abs(usualHigh)) : 0;
  const [low, high] = isCompared ? [-ends, ends] : [usualLow, usualHigh];
  const palette = isCompared ? DIVERGING : direction === 'NEUTRAL' ? CIVIDIS : VIRIDIS;
  return {
    colors: direction === 'LOWER_IS_BETTER' ? palette.toReversed() : palette,
    low,
    high,
    outside: values.filter((value) => value < low || value > high).length,
  };
}

/** The colour of a value. */
export function colorOf({ colors, low, high }: ColorScale, value: number): string {
  const part = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
  const place = part * (colors.length - 1);
  const index = Math.min(Math.floor(place), colors.length - 2);
  const [[r, g, b], [toR, toG, toB]] = [rgb(colors[index]), rgb(colors[index + 1])];
  const between = (from: number, to: number): string =>
    Math.round(from + (to - from) * (place - index))
      .toString(16)
      .padStart(2, '0');
  return `#${between(r, toR)}${between(g, toG)}${between(b, toB)}`;
}

/** Black or white, whichever is easier to read on a colour. */
export function textOn(color: string): '#000000' | '#ffffff' {
  const [r, g, b] = rgb(color);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.18 ? '#000000' : '#ffffff';
}

/** Light of a channel of sRGB. */
function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function rgb(color = '#000000'): readonly [number, number, number] {
  const channel = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}
