/**
 * Shared by all charts: escaped text, and colours that colour-blind people can distinguish on white and black
 * pages. Backgrounds, fonts and grid lines belong to the page and are never set.
 */
import { formatNumber, formatTime } from '../text/display-text.ts';
import type { Rating } from '../values/metric.ts';
import type { JsonObject } from '../visuals.ts';

/** Values without a rating. */
export const ACCENT = '#4c6ef5';
/** Background marks: edges, the previous window. */
export const MUTED = '#868e96';

/** Okabe and Ito (2008): bluish green, sky blue, orange, vermilion. */
export const RATING_COLORS: Readonly<Record<Rating, string>> = {
  EXCELLENT: '#009e73',
  GOOD: '#56b4e9',
  FAIR: '#e69f00',
  BAD: '#d55e00',
  UNKNOWN: ACCENT,
};

/** For adjacent lines and bars, in this order. */
export const SERIES_COLORS: readonly string[] = [
  ACCENT,
  RATING_COLORS.FAIR,
  RATING_COLORS.EXCELLENT,
  '#cc79a7',
  RATING_COLORS.BAD,
  RATING_COLORS.GOOD,
  '#a6761d',
  MUTED,
];

/** Plotly reads a few HTML tags in text, links among them; in names and texts that are not ours none may count. */
export const plainText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Longest line of a title that a chart of a usual width holds. */
const TITLE_LINE = 64;

/**
 * A title, broken into lines, with a caption below it. Clients with a heading of their own show both as text instead.
 */
export function titleOf(title: string, caption = ''): JsonObject {
  return {
    text: brokenText(title),
    ...(caption === '' ? {} : { subtitle: { text: brokenText(caption) } }),
  };
}

function brokenText(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= TITLE_LINE) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map(plainText).join('<br>');
}

/** `T1 (μs)`; arbitrary units have no name. */
export const withUnit = (title: string, unit: string): string =>
  unit === '' || unit === 'a.u.' ? title : `${title} (${unit})`;

/** {@link withUnit} as the title of an axis. */
export const axisTitle = (title: string, unit: string): JsonObject => ({
  text: plainText(withUnit(title, unit)),
});

/** A value as its hover text shows it. */
export type PointedValue = {
  readonly label: string;
  readonly value: number;
  readonly error: number | null;
  readonly unit: string;
  readonly at: Date | null;
};

/** An uncertainty with two significant digits. */
export const errorText = (error: number): string => (error < 100 ? error.toPrecision(2) : error.toFixed(0));

/** `Q07`, `59.52 ± 1.9 μs` and `2026-05-19 23:22 UTC`, a line each. */
export function pointedText({ label, value, error, unit, at }: PointedValue): string {
  const uncertainty = error === null || error === 0 ? '' : ` ± ${errorText(error)}`;
  const quantity = `${formatNumber(value, unit)}${uncertainty}${unit === '' || unit === 'a.u.' ? '' : ` ${unit}`}`;
  return [label, quantity, ...(at === null ? [] : [formatTime(at)])].map(plainText).join('<br>');
}

/** Traces without values that explain a colour in the legend. */
export const legendKeys = (
  keys: readonly { readonly name: string; readonly color: string; readonly symbol?: string }[],
): readonly JsonObject[] =>
  keys.map(({ name, color, symbol = 'square' }) => ({
    type: 'scatter',
    mode: 'markers',
    name,
    x: [null],
    y: [null],
    marker: { color, symbol, size: 10 },
    hoverinfo: 'skip',
  }));

/** `good`; `not rated` for values that are not. */
export const ratingName = (rating: Rating): string =>
  rating === 'UNKNOWN' ? 'not rated' : rating.toLowerCase();
