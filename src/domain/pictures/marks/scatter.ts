/** Lines, points and words at points. */
import type { Json, JsonObject } from '../../visuals.ts';
import { colorAt, colorIn, colorMapOf, hasBar } from '../colors.ts';
import { flagIn, listIn, numberIn, objectIn, settingAt, textIn, Undrawable } from '../read.ts';
import { coordinate, element, line, pathThrough, seeThrough } from '../svg.ts';
import { errorBars, errorsOf } from './error-bars.ts';
import { positionsOf, reachOf, type Mark, type Panel, type Point, type Trace } from './mark.ts';
import { labels } from './point-labels.ts';
import { markers, symbolPath, type MarkerStyle } from './symbols.ts';

const DEFAULT_SIZE = 6;
/** Plotly draws markers, too, where there are fewer. */
const FEW = 20;

export function scatterMark(given: Trace, before: Mark | null, fontColor: string): Mark {
  const { trace, axes, color, name } = given;
  if (trace['stackgroup'] !== undefined) throw new Undrawable('it has lines that are stacked');
  const points = pointsOf(given);
  const mode = textIn(trace, 'mode') ?? (points.length < FEW ? 'lines+markers' : 'lines');
  const hasMarkers = mode.includes('markers');
  const lineColor =
    colorIn(objectIn(trace, 'line')['color']) ??
    (hasMarkers ? colorIn(objectIn(trace, 'marker')['color']) : null) ??
    color;
  const marker = markerStyles(trace, lineColor);
  const [errorX, errorY] = [errorsOf(trace, 'error_x'), errorsOf(trace, 'error_y')];
  const spread = (letter: 'x' | 'y'): Iterable<number | null> => {
    const errors = letter === 'x' ? errorX : errorY;
    const values = letter === 'x' ? listIn(trace, 'x') : listIn(trace, 'y');
    return points.flatMap((point) => {
      if (point === null) return [];
      const value = values?.[point.index] ?? null;
      const size = typeof value === 'number' ? errors?.(point.index, value) : null;
      if (!size || typeof value !== 'number') return [point[letter]];
      return [axes[letter].place(value - size.minus), axes[letter].place(value + size.plus), point[letter]];
    });
  };
  const isDrawnAt = hasMarkers || mode.includes('text');
  const ofErrors = { x: errorX, y: errorY, color: lineColor };
  const fill = textIn(trace, 'fill') ?? 'none';
  const opacity = numberIn(trace, 'opacity');
  const pixels = (panel: Panel): readonly (readonly [number, number] | null)[] =>
    points.map((point) => point && [panel.x.pixel(point.x), panel.y.pixel(point.y)]);
  return {
    x: reachOf(spread('x'), isDrawnAt || errorX !== null),
    y: reachOf(fill === 'tozeroy' ? [...spread('y'), axes.y.place(0)] : spread('y'), true),
    colors: marker.colors,
    outline: pixels,
    legend: {
      name,
      sign: (x, y) =>
        (mode.includes('lines') ? line([x - 12, y], [x + 12, y], strokeOf(trace, lineColor)) : '') +
        (hasMarkers ? signOf(marker.styleAt(0), [x, y]) : ''),
    },
    draw: (panel) => {
      const inside = [
        fill === 'none' ? '' : area(trace, fill, pixels(panel), before, panel, lineColor),
        mode.includes('lines') ? strokes(trace, pixels(panel), lineColor) : '',
        errorBars(trace, points, ofErrors, panel),
        hasMarkers ? dots(points, marker, panel) : '',
        mode.includes('text') ? labels(trace, points, marker.radiusAt, panel, fontColor) : '',
      ].join('');
      return opacity !== null && opacity < 1 ? element('g', seeThrough(opacity), inside) : inside;
    },
  };
}

function pointsOf({ trace, axes }: Trace): readonly (Point | null)[] {
  const [xs, ys] = [listIn(trace, 'x'), listIn(trace, 'y')];
  const count =
    xs === null || ys === null ? Math.max(xs?.length ?? 0, ys?.length ?? 0) : Math.min(xs.length, ys.length);
  const [x, y] = [positionsOf(trace, 'x', xs, count), positionsOf(trace, 'y', ys, count)];
  const points = Array.from({ length: count }, (_, index): Point | null => {
    const [at, value] = [axes.x.place(x[index] ?? null), axes.y.place(y[index] ?? null)];
    return at === null || value === null ? null : { index, x: at, y: value };
  });
  return flagIn(trace, 'connectgaps') === true ? points.filter((point) => point !== null) : points;
}

/** In parts of the width of a line, as Plotly has them. */
const DASHES: Readonly<Record<string, readonly number[]>> = {
  dot: [1, 1],
  dash: [3, 3],
  longdash: [5, 5],
  dashdot: [3, 1, 1, 1],
  longdashdot: [5, 2, 1, 2],
};
const LEAST_DASH = 3;

/** How a line of a trace or a shape is drawn. */
export function strokeOf(
  owner: JsonObject,
  color: string,
  width = 2,
): Readonly<Record<string, string | number | null>> {
  const settings = objectIn(owner, 'line');
  const drawn = numberIn(settings, 'width') ?? width;
  const dash = textIn(settings, 'dash') ?? 'solid';
  const parts = Object.hasOwn(DASHES, dash) ? DASHES[dash] : undefined;
  return {
    stroke: colorIn(settings['color']) ?? color,
    'stroke-width': Math.max(0, Math.min(20, drawn)),
    'stroke-dasharray':
      parts?.map((part) => coordinate(part * Math.max(LEAST_DASH, drawn))).join(' ') ?? null,
  };
}

type Pixels = readonly (readonly [number, number] | null)[];

function strokes(trace: JsonObject, pixels: Pixels, color: string): string {
  const d = pathThrough(stepped(pixels, textIn(objectIn(trace, 'line'), 'shape') ?? 'linear'));
  return d === ''
    ? ''
    : element('path', { d, fill: 'none', ...strokeOf(trace, color), 'stroke-linejoin': 'round' });
}

/** With the corners of a line that goes in steps; curves are drawn straight. */
function stepped(pixels: Pixels, shape: string): Pixels {
  if (!/^[hv]/u.test(shape)) return pixels;
  return pixels.flatMap((point, index): Pixels => {
    const last = index === 0 ? null : (pixels[index - 1] ?? null);
    if (point === null || last === null) return [point];
    const [[x1, y1], [x2, y2]] = [last, point];
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    if (shape === 'hv') return [[x2, y1], point];
    if (shape === 'vh') return [[x1, y2], point];
    return shape === 'hvh' ? [[x, y1], [x, y2], point] : [[x1, y], [x2, y], point];
  });
}

/** The area below a line, inside it, or up to the line before it. */
function area(
  trace: JsonObject,
  fill: string,
  pixels: Pixels,
  before: Mark | null,
  panel: Panel,
  color: string,
): string {
  const whole = pixels.filter((pixel) => pixel !== null);
  const [first, last] = [whole[0], whole.at(-1)];
  if (first === undefined || last === undefined) return '';
  const zero = (axis: Panel['x']): number => axis.pixel(axis.place(0) ?? axis.range[0]);
  const base: Pixels =
    fill === 'tozeroy'
      ? [
          [last[0], zero(panel.y)],
          [first[0], zero(panel.y)],
        ]
      : fill === 'tozerox'
        ? [
            [zero(panel.x), last[1]],
            [zero(panel.x), first[1]],
          ]
        : fill === 'tonexty' || fill === 'tonextx'
          ? (before?.outline?.(panel) ?? []).filter((pixel) => pixel !== null).toReversed()
          : [];
  const d = `${pathThrough([...whole, ...base])}Z`;
  return element('path', {
    d,
    fill: colorIn(trace['fillcolor']) ?? color,
    'fill-opacity': trace['fillcolor'] === undefined ? 0.5 : null,
  });
}

type Markers = Pick<Mark, 'colors'> & {
  readonly styleAt: (index: number) => MarkerStyle;
  readonly radiusAt: (index: number) => number;
};

function markerStyles(trace: JsonObject, fallback: string): Markers {
  const marker = objectIn(trace, 'marker');
  const values = listIn(marker, 'color');
  const numbers = (values ?? []).filter((value) => typeof value === 'number');
  const map = numbers.length > 0 ? colorMapOf(marker, 'c', numbers) : null;
  const edge = objectIn(marker, 'line');
  const colorOf = (value: Json): string =>
    (typeof value === 'number' && map !== null ? colorAt(map, value) : colorIn(value)) ?? fallback;
  const single = colorOf(marker['color'] ?? null);
  return {
    colors: map !== null && hasBar(marker, false) ? { map, bar: objectIn(marker, 'colorbar') } : null,
    styleAt: (index) => {
      const [symbol, opacity] = [settingAt(marker, 'symbol', index), settingAt(marker, 'opacity', index)];
      const width = settingAt(edge, 'width', index);
      return {
        symbol: typeof symbol === 'string' ? symbol : 'circle',
        color: values === null ? single : colorOf(values[index] ?? null),
        opacity: typeof opacity === 'number' ? Math.max(0, Math.min(1, opacity)) : 1,
        edge: colorIn(settingAt(edge, 'color', index)) ?? '#444444',
        edgeWidth: typeof width === 'number' ? Math.min(10, width) : 0,
      };
    },
    radiusAt: radiusOf(marker),
  };
}

const GREATEST_RADIUS = 100;

function radiusOf(marker: JsonObject): (index: number) => number {
  const isOwn = listIn(marker, 'size') !== null;
  const by = numberIn(marker, 'sizeref') || 1;
  const isArea = textIn(marker, 'sizemode') === 'area';
  const least = numberIn(marker, 'sizemin') ?? 0;
  return (index) => {
    const size = settingAt(marker, 'size', index);
    if (typeof size !== 'number') return isOwn ? 0 : DEFAULT_SIZE / 2;
    const half = size / 2 / (isOwn ? by : 1);
    const radius = isArea && isOwn ? Math.sqrt(Math.max(0, half)) : half;
    return Math.min(GREATEST_RADIUS, radius > 0 ? Math.max(radius, least) : 0);
  };
}

/** Markers that look alike are one element: ten thousand points stay a small picture. */
function dots(points: readonly (Point | null)[], { styleAt, radiusAt }: Markers, panel: Panel): string {
  const paths = new Map<string, { style: MarkerStyle; parts: string[] }>();
  for (const point of points) {
    if (point === null) continue;
    const [style, radius] = [styleAt(point.index), radiusAt(point.index)];
    if (style.opacity === 0 || radius === 0) continue;
    const key = Object.values(style).join();
    const group = paths.get(key) ?? { style, parts: [] };
    group.parts.push(symbolPath(style.symbol, [panel.x.pixel(point.x), panel.y.pixel(point.y)], radius));
    paths.set(key, group);
  }
  return [...paths.values()].map(({ style, parts }) => markers(parts.join(''), style)).join('');
}

const signOf = (style: MarkerStyle, at: readonly [number, number]): string =>
  markers(symbolPath(style.symbol, at, 5), { ...style, opacity: style.opacity || 1 });
