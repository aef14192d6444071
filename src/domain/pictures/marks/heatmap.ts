/** Cells coloured by their values; a missing one stays empty. Contours are drawn as cells, too. */
import { type Json, type JsonObject } from '../../visuals.ts';
import type { Axis } from '../axis.ts';
import { colorAt, colorIn, colorMapOf, hasBar, PAGE } from '../colors.ts';
import { listIn, numberIn, objectIn, rowsIn, settingAt, Undrawable, textIn } from '../read.ts';
import { rect, words, type Box } from '../svg.ts';
import { labelLines } from '../text.ts';
import { filledIn } from '../number-format.ts';
import { positionsOf, reachOf, type Mark, type Panel, type Trace } from './mark.ts';

/** So many are drawn at once, and can be told apart. */
const MOST_CELLS = 20_000;

export function heatmapMark({ trace, axes, name }: Trace): Mark {
  const given = rowsIn(trace, 'z');
  const rows = trace['transpose'] === true ? transposed(given) : given;
  const columns = longest(rows);
  if (rows.length * columns > MOST_CELLS)
    throw new Undrawable(`it has ${rows.length * columns} cells; a picture holds ${MOST_CELLS}`);
  const edges = { x: edgesOf(trace, axes.x, columns), y: edgesOf(trace, axes.y, rows.length) };
  const values = rows.flatMap((row) => row.flatMap((value) => numberOf(value) ?? []));
  const map = colorMapOf(trace, 'z', values);
  const gap = { x: numberIn(trace, 'xgap') ?? 0, y: numberIn(trace, 'ygap') ?? 0 };
  const opacity = numberIn(trace, 'opacity');
  const textOf = cellTexts(trace);
  return {
    x: reachOf(edges.x.flat(), false),
    y: reachOf(edges.y.flat(), false),
    colors: map !== null && hasBar(trace, true) ? { map, bar: objectIn(trace, 'colorbar') } : null,
    legend: trace['showlegend'] === true ? { name, sign: () => '' } : null,
    draw: (panel) =>
      rows
        .flatMap((row, y) =>
          row.map((cell, x) => {
            const value = numberOf(cell);
            const [across, down] = [edges.x[x], edges.y[y]];
            if (value === null || map === null || !across || !down) return '';
            const box = boxOf(across, down, gap, panel);
            const fill = colorAt(map, value);
            const text = textOf(value, x, y);
            return (
              rect(box, {
                fill,
                'fill-opacity': opacity !== null && opacity < 1 ? Math.max(0, opacity) : null,
              }) + (text === null ? '' : wordsIn(box, text, trace, isBright(fill)))
            );
          }),
        )
        .join(''),
  };
}

const numberOf = (value: Json): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const longest = (rows: readonly (readonly Json[])[]): number =>
  rows.reduce((most, { length }) => Math.max(most, length), 0);

const transposed = (rows: readonly (readonly Json[])[]): readonly (readonly Json[])[] =>
  Array.from({ length: longest(rows) }, (_, column) => rows.map((row) => row[column] ?? null));

/** From edge to edge of each column or row: halfway to the next, unless all edges are given. */
function edgesOf(
  trace: JsonObject,
  axis: Axis,
  count: number,
): readonly (readonly [number, number] | null)[] {
  const { letter } = axis;
  const places = positionsOf(trace, letter, listIn(trace, letter), count).map((value) => axis.place(value));
  if (places.length === count + 1)
    return Array.from({ length: count }, (_, index) => {
      const [from, to] = [places[index] ?? null, places[index + 1] ?? null];
      return from === null || to === null ? null : [from, to];
    });
  return Array.from({ length: count }, (_, index) => {
    const at = places[index] ?? null;
    if (at === null) return null;
    if (axis.kind === 'category') return [at - 0.5, at + 0.5];
    const [before, after] = [places[index - 1] ?? null, places[index + 1] ?? null];
    const below = before ?? (after === null ? at - 1 : 2 * at - after);
    const above = after ?? (before === null ? at + 1 : 2 * at - before);
    return [(below + at) / 2, (at + above) / 2];
  });
}

function boxOf(
  across: readonly [number, number],
  down: readonly [number, number],
  gap: { readonly x: number; readonly y: number },
  { x, y }: Panel,
): Box {
  const [x1, x2] = across.map((at) => x.pixel(at)).toSorted((a, b) => a - b);
  const [y1, y2] = down.map((at) => y.pixel(at)).toSorted((a, b) => a - b);
  const [left = 0, right = 0, top = 0, bottom = 0] = [x1, x2, y1, y2];
  // However small the cells, some of each is seen.
  const [dx, dy] = [Math.min(gap.x, (right - left) / 3), Math.min(gap.y, (bottom - top) / 3)];
  return { left: left + dx / 2, top: top + dy / 2, width: right - left - dx, height: bottom - top - dy };
}

/** The words in each cell; null for none. */
function cellTexts(trace: JsonObject): (z: number, x: number, y: number) => string | null {
  const template = textIn(trace, 'texttemplate');
  if (template === null) return () => null;
  const [xs, ys, texts] = [listIn(trace, 'x'), listIn(trace, 'y'), rowsIn(trace, 'text')];
  return (z, x, y) =>
    filledIn(template, { z, text: texts[y]?.[x] ?? null, x: xs?.[x] ?? x, y: ys?.[y] ?? y });
}

const SIZE = 11;

const wordsIn = (box: Box, text: string, trace: JsonObject, isOnBright: boolean): string =>
  words({
    lines: labelLines(text),
    x: box.left + box.width / 2,
    y: box.top + box.height / 2,
    size: numberIn(objectIn(trace, 'textfont'), 'size') ?? SIZE,
    fill: colorIn(settingAt(objectIn(trace, 'textfont'), 'color', 0)) ?? (isOnBright ? PAGE.text : PAGE.page),
    anchor: 'middle',
    from: 'middle',
  });

const isBright = (color: string): boolean => {
  const [red = 0, green = 0, blue = 0] = [...color.matchAll(/\d+/gu)].map(Number);
  return 0.3 * red + 0.59 * green + 0.11 * blue > 140;
};
