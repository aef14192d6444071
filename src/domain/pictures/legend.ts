/** What the colours and signs of a chart mean: rows of names above it, bars of colours beside it. */
import { axisFor, placed } from './axis.ts';
import { colorAt, PAGE } from './colors.ts';
import type { ColorKey, LegendKey } from './marks/mark.ts';
import { titleIn } from './read.ts';
import { element, line, rect, words, type Box } from './svg.ts';
import { fitted, labelLines, widthOf, widthOfAll } from './text.ts';
import { ticksOf } from './ticks.ts';

const SIZE = 12;
const SIGN_PX = 24;
const GAP_PX = 18;
export const ROW_PX = 19;
const MOST_ROWS = 8;

export type Legend = { readonly heightPx: number; readonly draw: (left: number, top: number) => string };

/** Names in rows of a width; what does not fit into the rows is counted. */
export function legendOf(keys: readonly LegendKey[], widthPx: number): Legend {
  const rows: { readonly key: LegendKey; readonly name: string; readonly x: number }[][] = [[]];
  let x = 0;
  let shown = 0;
  for (const key of keys) {
    const name = fitted(labelLines(key.name).join(' '), widthPx - SIGN_PX - GAP_PX, SIZE);
    const width = SIGN_PX + 6 + widthOf(name, SIZE) + GAP_PX;
    if (x > 0 && x + width > widthPx + GAP_PX) {
      if (rows.length === MOST_ROWS) break;
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ key, name, x });
    x += width;
    shown += 1;
  }
  const left = keys.length - shown;
  const more = left > 0 ? 1 : 0;
  return {
    heightPx: keys.length === 0 ? 0 : (rows.length + more) * ROW_PX + 4,
    draw: (start, top) =>
      rows
        .flatMap((row, index) => row.map((each) => ({ ...each, y: top + index * ROW_PX + ROW_PX / 2 })))
        .map(({ key, name, x: at, y }) => {
          const text = {
            lines: [name],
            x: start + at + SIGN_PX + 6,
            y,
            size: SIZE,
            fill: PAGE.text,
            from: 'middle',
          } as const;
          return key.sign(start + at + SIGN_PX / 2, y) + words(text);
        })
        .join('') +
      (more === 0
        ? ''
        : words({
            lines: [`and ${left} more`],
            x: start,
            y: top + rows.length * ROW_PX + 4,
            size: SIZE,
            fill: PAGE.faint,
          })),
  };
}

const BAR_PX = 14;
const STEPS = 64;

export type ColorBar = { readonly widthPx: number; readonly draw: (left: number, box: Box) => string };

/** A scale of colours with its numbers. */
export function colorBarOf({ map, bar }: ColorKey): ColorBar {
  const title = labelLines(titleIn(bar)).filter((each) => each !== '');
  const axis = axisFor('y', bar, [], false);
  const range = [map.low, map.high] as const;
  const ticks = ticksOf({ ...axis, kind: 'linear', range }, 6);
  const labels = ticks.map(({ lines }) => lines[0] ?? '');
  const labelsPx = Math.max(widthOfAll(labels, SIZE - 1) + 6, widthOfAll(title, SIZE) - BAR_PX);
  return {
    widthPx: BAR_PX + labelsPx + 16,
    draw: (left, { top, height }) => {
      const start = top + (title.length === 0 ? 4 : title.length * SIZE * 1.35 + 8);
      const end = top + height - 4;
      const { pixel } = placed({ ...axis, kind: 'linear' }, range, [end, start]);
      const step = (end - start) / STEPS;
      const cells = Array.from({ length: STEPS }, (_, index) => {
        const value = map.high - ((index + 0.5) / STEPS) * (map.high - map.low);
        // A little higher than its share, so that no gap is seen between two.
        return rect(
          { left, top: start + index * step, width: BAR_PX, height: step + 0.4 },
          { fill: colorAt(map, value) },
        );
      });
      const marks = ticks.map(({ at, lines }) => {
        const y = pixel(at);
        const text = {
          lines,
          x: left + BAR_PX + 6,
          y,
          size: SIZE - 1,
          fill: PAGE.faint,
          from: 'middle',
        } as const;
        return (
          line([left + BAR_PX, y], [left + BAR_PX + 3, y], { stroke: PAGE.faint, 'stroke-width': 1 }) +
          words(text)
        );
      });
      return element(
        'g',
        {},
        [words({ lines: title, x: left, y: top, size: SIZE, fill: PAGE.text }), ...cells, ...marks].join(''),
      );
    },
  };
}
