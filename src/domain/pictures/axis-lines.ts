/** Grid lines, tick labels and titles of axes, and how much room they need beside the plot. */
import { domainOf, isVisible, placed, spacingOf, type Axis, type PlacedAxis } from './axis.ts';
import { PAGE } from './colors.ts';
import type { RangedAxis } from './figure.ts';
import { flagIn, numberIn, textIn, titleIn } from './read.ts';
import { line, words, type Box } from './svg.ts';
import { fitted, labelLines, LINE_HEIGHT, widthOf, widthOfAll } from './text.ts';
import { hasGrid, ticksOf, type Tick } from './ticks.ts';

const SIZE = 12;
const GAP_PX = 6;
const TITLE_PX = SIZE * LINE_HEIGHT + 10;
/** Longest label of a tick. */
const LABEL_PX = { x: 150, y: 260 };
/** Pixels that Plotly leaves for a tick. */
const SPACING_PX = { x: 80, y: 40 };

/** An axis with the ticks that fit along a length. */
export type Ruled = RangedAxis & {
  readonly ticks: readonly Tick[];
  /** Whether labels stand along the axis, since beside each other they have no room. */
  readonly isTurned: boolean;
  /** Room beside the plot for labels and title. */
  readonly roomPx: number;
  readonly isFar: boolean;
};

/** Chooses the ticks of an axis that is `lengthPx` long. */
export function ruled({ axis, range }: RangedAxis, lengthPx: number): Ruled {
  const { settings, letter } = axis;
  const isFar = ['right', 'top'].includes(textIn(settings, 'side') ?? '');
  const own = lengthPx * Math.abs(domainOf(settings)[1] - domainOf(settings)[0]);
  const isOpen = isVisible(settings) && (flagIn(settings, 'showticklabels') ?? true);
  const all = isVisible(settings)
    ? cut(ticksOf({ ...axis, range }, spacingOf(settings, own, SPACING_PX[letter])), letter)
    : [];
  const spacing = all.length > 1 ? own / (all.length - 1 || 1) : own;
  const widest = Math.max(0, ...all.map(({ lines }) => widthOfAll(lines, SIZE)));
  const isTurned =
    letter === 'x' && (widest + GAP_PX > spacing || Math.abs(numberIn(settings, 'tickangle') ?? 0) >= 45);
  const ticks = thinned(all, letter === 'y' || isTurned ? spacing / (SIZE * 1.1) : 1);
  const title = titleLine(axis);
  const deepest = Math.max(0, ...ticks.map(({ lines }) => lines.length)) * SIZE * LINE_HEIGHT;
  const labelsPx =
    !isOpen || ticks.length === 0 ? 0 : (letter === 'y' || isTurned ? widest : deepest) + GAP_PX;
  const roomPx = isVisible(settings) ? labelsPx + (title === '' ? 0 : TITLE_PX) : 0;
  return {
    axis,
    range,
    ticks: isOpen ? ticks : ticks.map(({ at }) => ({ at, lines: [] })),
    isTurned,
    roomPx,
    isFar,
  };
}

const cut = (ticks: readonly Tick[], letter: 'x' | 'y'): readonly Tick[] =>
  ticks.map(({ at, lines }) => ({ at, lines: lines.map((each) => fitted(each, LABEL_PX[letter], SIZE)) }));

/** Every second, third, … where there is not enough room for all: below 1 of `room` they would touch. */
const thinned = (ticks: readonly Tick[], room: number): readonly Tick[] => {
  const by = room >= 1 ? 1 : Math.ceil(1 / Math.max(room, 0.01));
  return by === 1 ? ticks : ticks.filter((_, index) => index % by === 0);
};

const titleLine = ({ settings }: Axis): string => labelLines(titleIn(settings)).join(' ').trim();

/** The axis in the plot. */
export function inPlot({ axis, range }: RangedAxis, { left, top, width, height }: Box): PlacedAxis {
  const [from, to] = domainOf(axis.settings);
  const ends: readonly [number, number] =
    axis.letter === 'x'
      ? [left + from * width, left + to * width]
      : [top + (1 - from) * height, top + (1 - to) * height];
  return placed(axis, range, ends);
}

/** Grid lines behind the traces; `across` is the axis that it stands on. */
export function gridOf({ axis, ticks }: Ruled, at: PlacedAxis, across: PlacedAxis): string {
  const { settings, letter, kind } = axis;
  if (!isVisible(settings) || textIn(settings, 'overlaying') !== null) return '';
  if (!hasGrid(settings, kind !== 'category' || letter === 'y')) return '';
  return ticks
    .map((tick) => {
      const along = at.pixel(tick.at);
      const [from, to] = across.ends;
      const style = { stroke: PAGE.grid, 'stroke-width': 1 };
      return letter === 'x'
        ? line([along, from], [along, to], style)
        : line([from, along], [to, along], style);
    })
    .join('');
}

/** Labels and title beside the plot. */
export function labelsOf(
  { axis, ticks, isTurned, isFar, roomPx }: Ruled,
  at: PlacedAxis,
  across: PlacedAxis,
): string {
  if (!isVisible(axis.settings)) return '';
  const [near, far] = across.ends;
  const [start, end] = at.ends;
  const middle = (start + end) / 2;
  const length = Math.abs(end - start);
  const title = fitted(titleLine(axis), Math.max(length, 120), SIZE);
  const named = { lines: [title], size: SIZE, fill: PAGE.text, anchor: 'middle' } as const;
  const label = { size: SIZE, fill: PAGE.faint } as const;
  if (axis.letter === 'y') {
    const [edge, out, anchor] = isFar ? ([far, 1, 'start'] as const) : ([near, -1, 'end'] as const);
    return (
      ticks
        .map((tick) =>
          words({
            ...label,
            lines: tick.lines,
            x: edge + out * GAP_PX,
            y: at.pixel(tick.at),
            anchor,
            from: 'middle',
          }),
        )
        .join('') +
      (title === ''
        ? ''
        : words({ ...named, x: edge + out * (roomPx - SIZE), y: middle, from: 'middle', turn: -90 }))
    );
  }
  const [edge, out] = isFar ? ([far, -1] as const) : ([near, 1] as const);
  const from = out > 0 ? 'top' : 'bottom';
  return (
    ticks
      .map((tick) => {
        const place = { ...label, lines: tick.lines, x: at.pixel(tick.at), y: edge + out * GAP_PX };
        return isTurned
          ? words({
              ...place,
              lines: [tick.lines.join(' ')],
              anchor: out > 0 ? 'end' : 'start',
              from: 'middle',
              turn: -90,
            })
          : words({ ...place, x: within(place.x, tick.lines, at), anchor: 'middle', from });
      })
      .join('') +
    (title === ''
      ? ''
      : words({
          ...named,
          x: middle,
          y: edge + out * (roomPx - SIZE * 0.75),
          from: 'middle',
        }))
  );
}

/** A little nearer to the middle where a label would reach far beyond the end of its axis. */
function within(x: number, lines: readonly string[], { ends }: PlacedAxis): number {
  const half = Math.max(0, ...lines.map((each) => widthOf(each, SIZE))) / 2;
  const [low, high] = [Math.min(...ends) - 20, Math.max(...ends) + 12];
  return high - low < 2 * half ? x : Math.max(low + half, Math.min(high - half, x));
}
