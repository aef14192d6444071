/** Lines, rectangles, paths and notes that a layout draws beside its traces. */
import { type Json, type JsonObject } from '../visuals.ts';
import type { Letter, PlacedAxis } from './axis.ts';
import { colorIn, PAGE } from './colors.ts';
import { flagIn, GREATEST, numberIn, objectIn, objectsIn, textIn } from './read.ts';
import { strokeOf } from './marks/scatter.ts';
import { coordinate, element, line, rect, seeThrough, words, type Anchor, type Box } from './svg.ts';
import { labelLines } from './text.ts';

/** Where the plot is, and the axes in it by their names. */
export type Plot = { readonly box: Box; readonly axes: ReadonlyMap<string, PlacedAxis> };

type Point = readonly [number, number];

const MOST = 3_000;

/** Shapes of one layer, with their labels. */
export const shapesOf = (layout: JsonObject, layer: 'below' | 'above', plot: Plot): string =>
  objectsIn(layout, 'shapes')
    .slice(0, MOST)
    .filter(
      (shape) => (textIn(shape, 'layer') === 'below') === (layer === 'below') && shape['visible'] !== false,
    )
    .map((shape) => shapeOf(shape, plot))
    .join('');

/** A place on an axis, or a part of the plot or of the axis' part of it. */
function pixelOf(letter: Letter, ref: string, value: Json, { box, axes }: Plot): number | null {
  const [id = letter, word] = ref.split(' ');
  const axis = axes.get(id);
  if (ref === 'paper' || word === 'domain') {
    if (!isDrawable(value)) return null;
    if (axis !== undefined && word === 'domain') {
      const [low, high] = letter === 'x' ? axis.ends : axis.ends.toSorted((a, b) => b - a);
      return (low ?? 0) + value * ((high ?? 0) - (low ?? 0));
    }
    return letter === 'x' ? box.left + value * box.width : box.top + (1 - value) * box.height;
  }
  const at = isDrawable(value) && axis?.kind === 'category' ? value : (axis?.place(value) ?? null);
  return axis === undefined || at === null ? null : axis.pixel(at);
}

const isDrawable = (value: Json): value is number => typeof value === 'number' && Math.abs(value) <= GREATEST;

function shapeOf(shape: JsonObject, plot: Plot): string {
  const [xref, yref] = [textIn(shape, 'xref') ?? 'x', textIn(shape, 'yref') ?? 'y'];
  const at = (letter: Letter, name: string): number | null =>
    pixelOf(letter, letter === 'x' ? xref : yref, shape[name] ?? null, plot);
  const style = {
    ...strokeOf(shape, '#444444'),
    fill: colorIn(shape['fillcolor']) ?? 'none',
    ...seeThrough(numberIn(shape, 'opacity')),
  };
  const type = textIn(shape, 'type');
  if (type === 'path') {
    const place = (letter: Letter, value: number): number | null =>
      pixelOf(letter, letter === 'x' ? xref : yref, value, plot);
    const d = pathIn(textIn(shape, 'path') ?? '', place);
    return d === null ? '' : element('path', { d, ...style });
  }
  const [x0, x1, y0, y1] = [at('x', 'x0'), at('x', 'x1'), at('y', 'y0'), at('y', 'y1')];
  if (x0 === null || x1 === null || y0 === null || y1 === null) return '';
  const label = labelOf(objectIn(shape, 'label'), type === 'line', [x0, y0], [x1, y1]);
  if (type === 'line') return line([x0, y0], [x1, y1], { ...style, fill: null }) + label;
  const box = {
    left: Math.min(x0, x1),
    top: Math.min(y0, y1),
    width: Math.abs(x1 - x0),
    height: Math.abs(y1 - y0),
  };
  if (type !== 'circle') return rect(box, style) + label;
  const [rx, ry] = [box.width / 2, box.height / 2];
  return element('ellipse', { cx: box.left + rx, cy: box.top + ry, rx, ry, ...style }) + label;
}

/** How many numbers follow a letter of a path, and whether each is across or down. */
const STEPS: Readonly<Record<string, readonly Letter[]>> = {
  M: ['x', 'y'],
  L: ['x', 'y'],
  T: ['x', 'y'],
  Q: ['x', 'y', 'x', 'y'],
  S: ['x', 'y', 'x', 'y'],
  C: ['x', 'y', 'x', 'y', 'x', 'y'],
  H: ['x'],
  V: ['y'],
  Z: [],
};

/** A path in the numbers of the axes as one in pixels; null for anything that it cannot be. */
function pathIn(path: string, place: (letter: Letter, value: number) => number | null): string | null {
  const parts: string[] = [];
  for (const [whole] of path.slice(0, 20_000).matchAll(/[a-z][^a-z]*/giu)) {
    const steps = Object.hasOwn(STEPS, whole.slice(0, 1)) ? STEPS[whole.slice(0, 1)] : undefined;
    const numbers = whole
      .slice(1)
      .split(/[\s,]+/u)
      .filter((text) => text !== '')
      .map(Number);
    if (steps === undefined || numbers.length !== steps.length) return null;
    const pixels = steps.map((letter, index) => place(letter, numbers[index] ?? Number.NaN));
    if (pixels.some((pixel) => pixel === null || !Number.isFinite(pixel))) return null;
    parts.push(whole.slice(0, 1) + pixels.map((pixel) => coordinate(pixel ?? 0)).join(' '));
  }
  return parts[0]?.startsWith('M') ? parts.join('') : null;
}

const PADDING = 3;

function labelOf(label: JsonObject, isLine: boolean, [x0, y0]: Point, [x1, y1]: Point): string {
  const text = textIn(label, 'text') ?? '';
  if (text === '') return '';
  const font = objectIn(label, 'font');
  const style = { lines: labelLines(text), size: sizeIn(font), fill: colorIn(font['color']) ?? PAGE.text };
  const place = textIn(label, 'textposition') ?? (isLine ? 'middle' : 'middle center');
  if (isLine) {
    const part = place === 'start' ? 0 : place === 'end' ? 1 : 0.5;
    const [anchor, dx] = ANCHORS[textIn(label, 'xanchor') ?? ''] ?? ['middle', 0];
    const from = FROMS[textIn(label, 'yanchor') ?? ''] ?? 'bottom';
    const dy = from === 'bottom' ? -PADDING : from === 'top' ? PADDING : 0;
    return words({
      ...style,
      x: x0 + part * (x1 - x0) + dx * PADDING,
      y: y0 + part * (y1 - y0) + dy,
      anchor,
      from,
    });
  }
  const [height = 'middle', side = 'center'] = place.split(' ');
  const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
  const x = side === 'left' ? left + PADDING : side === 'right' ? right - PADDING : (left + right) / 2;
  const y = height === 'top' ? top + PADDING : height === 'bottom' ? bottom - PADDING : (top + bottom) / 2;
  const anchor: Anchor = side === 'left' ? 'start' : side === 'right' ? 'end' : 'middle';
  return words({ ...style, x, y, anchor, from: FROMS[height] ?? 'middle' });
}

const ANCHORS: Readonly<Record<string, readonly [Anchor, number]>> = {
  left: ['start', 1],
  center: ['middle', 0],
  right: ['end', -1],
};
const FROMS: Readonly<Record<string, 'top' | 'middle' | 'bottom'>> = {
  top: 'top',
  middle: 'middle',
  bottom: 'bottom',
};

const sizeIn = (font: JsonObject): number => Math.max(6, Math.min(30, numberIn(font, 'size') ?? 12));

const ARROW = { ax: -10, ay: -30 };

/** Notes, with a line to what they are about. */
export const notesOf = (layout: JsonObject, plot: Plot): string =>
  objectsIn(layout, 'annotations')
    .slice(0, MOST)
    .map((note) => {
      const x = pixelOf('x', textIn(note, 'xref') ?? 'x', note['x'] ?? null, plot);
      const y = pixelOf('y', textIn(note, 'yref') ?? 'y', note['y'] ?? null, plot);
      if (x === null || y === null || note['visible'] === false) return '';
      const font = objectIn(note, 'font');
      const isPointing = flagIn(note, 'showarrow') ?? true;
      const [dx, dy] = isPointing
        ? [numberIn(note, 'ax') ?? ARROW.ax, numberIn(note, 'ay') ?? ARROW.ay]
        : [0, 0];
      const [anchor] = ANCHORS[textIn(note, 'xanchor') ?? ''] ?? ['middle'];
      const from =
        FROMS[textIn(note, 'yanchor') ?? ''] ?? (isPointing ? (dy > 0 ? 'top' : 'bottom') : 'middle');
      const text = words({
        lines: labelLines(textIn(note, 'text') ?? ''),
        x: x + dx,
        y: y + dy,
        size: sizeIn(font),
        fill: colorIn(font['color']) ?? PAGE.text,
        anchor,
        from,
      });
      const color = colorIn(note['arrowcolor']) ?? PAGE.faint;
      return (isPointing ? line([x + dx, y + dy], [x, y], { stroke: color, 'stroke-width': 1 }) : '') + text;
    })
    .join('');
