/** Words at the points of a trace. */
import type { JsonObject } from '../../visuals.ts';
import { colorIn } from '../colors.ts';
import { filledIn } from '../number-format.ts';
import { listIn, objectIn, settingAt } from '../read.ts';
import { words, type Anchor } from '../svg.ts';
import { labelLines, LINE_HEIGHT, widthOfAll } from '../text.ts';
import type { Panel, Point } from './mark.ts';

const FONT_SIZE = 12;
/** Smaller words are illegible: then none of a trace is drawn. */
const LEAST_SIZE = 7;

/** The words of a trace at its points; in a grid of cells as large as all of them fit. */
export function labels(
  trace: JsonObject,
  points: readonly (Point | null)[],
  radiusAt: (index: number) => number,
  panel: Panel,
  fallback: string,
): string {
  const font = objectIn(trace, 'textfont');
  const isBold = font['weight'] === 'bold';
  const found = points.flatMap((point) => {
    const text = point === null || !isWithin(point, panel) ? null : wordsAt(trace, point);
    if (point === null || text === null) return [];
    const place = settingAt(trace, 'textposition', point.index);
    const [height = 'middle', side = 'center'] = (typeof place === 'string' ? place : 'middle center').split(
      ' ',
    );
    const given = settingAt(font, 'size', point.index);
    const size = typeof given === 'number' ? Math.max(5, Math.min(40, given)) : FONT_SIZE;
    return [{ point, lines: labelLines(text), height, side, size }];
  });
  const room = panel.cellPx;
  const most = room === null ? Infinity : Math.min(...found.map((each) => sizeIn(room, each)));
  if (most < LEAST_SIZE) return '';
  return found
    .map(({ point, lines, height, side, size }) => {
      const gap = radiusAt(point.index) + 2;
      const [dx, anchor] = SIDES[side] ?? SIDES.center;
      const [dy, from] = HEIGHTS[height] ?? HEIGHTS.middle;
      return words({
        lines,
        x: panel.x.pixel(point.x) + dx * gap,
        y: panel.y.pixel(point.y) + dy * gap,
        size: Math.min(size, most),
        fill: colorIn(settingAt(font, 'color', point.index)) ?? fallback,
        anchor,
        from,
        isBold,
      });
    })
    .join('');
}

/** The size at which words fill a cell, or the half of it that is beside its mark. */
function sizeIn(
  cellPx: number,
  { lines, side }: { readonly lines: readonly string[]; readonly side: string },
): number {
  const room = side === 'center' ? cellPx * 0.94 : cellPx / 2;
  const widest = widthOfAll(lines, 1) * 1.05;
  return Math.min(room / Math.max(widest, 0.1), cellPx / (Math.max(1, lines.length) * LINE_HEIGHT));
}

const isWithin = ({ x, y }: Point, panel: Panel): boolean =>
  (
    [
      [x, panel.x.range],
      [y, panel.y.range],
    ] as const
  ).every(([at, [from, to]]) => at >= Math.min(from, to) && at <= Math.max(from, to));

type Sides<Names extends string, Where> = Readonly<Record<string, readonly [number, Where]>> &
  Readonly<Record<Names, readonly [number, Where]>>;
const SIDES: Sides<'center', Anchor> = { left: [-1, 'end'], center: [0, 'middle'], right: [1, 'start'] };
const HEIGHTS: Sides<'middle', 'top' | 'middle' | 'bottom'> = {
  top: [-1, 'bottom'],
  middle: [0, 'middle'],
  bottom: [1, 'top'],
};

function wordsAt(trace: JsonObject, { index }: Point): string | null {
  const text = settingAt(trace, 'text', index);
  const template = settingAt(trace, 'texttemplate', index);
  if (typeof template !== 'string')
    return typeof text === 'string' || typeof text === 'number' ? String(text) : null;
  const [x, y] = [listIn(trace, 'x')?.[index] ?? null, listIn(trace, 'y')?.[index] ?? null];
  return filledIn(template, { x, y, text });
}
