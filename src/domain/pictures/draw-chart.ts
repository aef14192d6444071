/**
 * A chart as a picture: SVG that loads nothing, runs nothing and needs no page around it. It shows what the web client shows of
 * the same chart, and says of which chip and when it was measured, since a picture travels alone. Pure and bounded: the
 * same chart is always the same picture, and what would be too large is refused in words.
 */
import type { ChartSpec } from '../visuals.ts';
import { sameScaleAs, type PlacedAxis } from './axis.ts';
import { gridOf, inPlot, labelsOf, ruled, type Ruled } from './axis-lines.ts';
import { cardsOf } from './cards.ts';
import { PAGE } from './colors.ts';
import { figureOf, type DrawnTrace, type Figure } from './figure.ts';
import { colorBarOf, legendOf } from './legend.ts';
import { numberIn, textIn, Undrawable } from './read.ts';
import { notesOf, shapesOf } from './shapes.ts';
import type { PictureSource } from './source.ts';
import { element, rect, type Box } from './svg.ts';
import { headOf, MARGIN, pictureWords } from './picture-words.ts';

/** A picture, in pixels of a page, or why there is none, in words that follow "not drawn, because". */
export type Picture =
  { readonly svg: string; readonly width: number; readonly height: number } | { readonly refused: string };

const WIDTH = 800;
const LEAST_WIDTH = 420;
const HEIGHT = 400;
const HEIGHTS = { least: 160, most: 1_100 };
const MOST_CELL_PX = 72;
const MOST_CHARACTERS = 4_000_000;

export function drawChart(chart: ChartSpec, source: PictureSource): Picture {
  try {
    const picture = chart.kind === 'INDICATOR' ? cardPicture(chart, source) : figurePicture(chart, source);
    if (picture.svg.length > MOST_CHARACTERS) throw new Undrawable('its drawing would be larger than 4 MB');
    return picture;
  } catch (error) {
    if (error instanceof Undrawable) return { refused: error.message };
    throw error;
  }
}

function pictureOf(
  chart: ChartSpec,
  source: PictureSource,
  inside: string,
  width: number,
  height: number,
): Picture & { svg: string } {
  const label = pictureWords(chart, source);
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: 'img',
      'aria-label': label,
      'font-family': "'M PLUS 1p', 'Noto Sans JP', sans-serif",
    },
    rect({ left: 0, top: 0, ...size }, { fill: PAGE.page }) + inside,
  );
  return { svg, ...size };
}

function cardPicture(chart: ChartSpec, source: PictureSource): Picture & { svg: string } {
  const width = LEAST_WIDTH + 60;
  const head = headOf(chart, source, width);
  const cards = cardsOf(chart.data, width - 2 * MARGIN);
  return pictureOf(
    chart,
    source,
    head.svg + cards.draw(MARGIN, head.heightPx),
    width,
    head.heightPx + cards.heightPx + MARGIN,
  );
}

function figurePicture(chart: ChartSpec, source: PictureSource): Picture & { svg: string } {
  const { layout } = chart;
  const figure = figureOf(chart.data, layout);
  const bars = figure.traces
    .flatMap(({ mark }) => (mark.colors === null ? [] : [colorBarOf(mark.colors)]))
    .slice(0, 3);
  const barsPx = bars.reduce((sum, { widthPx }) => sum + widthPx, 0);
  const cells = cellsOf(figure, barsPx);
  const width = cells === null ? WIDTH : Math.max(LEAST_WIDTH, cells.width + barsPx + 2 * MARGIN);
  const head = headOf(chart, source, width);
  const legend = legendOf(
    figure.named.flatMap(({ legend: key }) => key ?? []),
    width - 2 * MARGIN,
  );
  const top = head.heightPx + legend.heightPx;
  const figurePx =
    cells?.height ?? Math.max(HEIGHTS.least, Math.min(HEIGHTS.most, numberIn(layout, 'height') ?? HEIGHT));
  const rules = rulesOf(figure, { width: width - 2 * MARGIN - barsPx, height: figurePx });
  const box = cells
    ? { left: MARGIN, top, ...cells }
    : {
        left: MARGIN + rules.left,
        top: top + rules.top,
        width: width - 2 * MARGIN - barsPx - rules.left - rules.right,
        height: figurePx - rules.top - rules.bottom,
      };
  if (box.width < 60 || box.height < 40) throw new Undrawable('its labels leave no room for it');
  const plot = equalScales(rules.all, box, cells !== null);
  let barLeft = width - MARGIN - barsPx + 14;
  const inside = [
    head.svg,
    legend.draw(MARGIN, head.heightPx),
    plotOf(chart, figure, rules.all, plot, cells?.cellPx ?? null),
    ...bars.map((bar) => {
      const left = barLeft;
      barLeft += bar.widthPx;
      return bar.draw(left, plot);
    }),
  ];
  return pictureOf(chart, source, inside.join(''), width, top + figurePx + MARGIN);
}

type Rules = {
  readonly all: readonly Ruled[];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

/** Ticks of all axes, and the room beside the plot: how long one axis is depends on the labels of the other. */
function rulesOf({ axes }: Figure, size: { readonly width: number; readonly height: number }): Rules {
  const roomOf = (rules: readonly Ruled[], isFar: boolean): number =>
    Math.max(0, ...rules.filter((rule) => rule.isFar === isFar).map(({ roomPx }) => roomPx));
  const of = (letter: 'x' | 'y', lengthPx: number): readonly Ruled[] =>
    [...axes.values()].filter(({ axis }) => axis.letter === letter).map((axis) => ruled(axis, lengthPx));
  const roughly = of('y', size.height - 50);
  const across = of('x', size.width - roomOf(roughly, false) - roomOf(roughly, true));
  const [top, bottom] = [roomOf(across, true), roomOf(across, false)];
  const up = of('y', size.height - top - bottom);
  return {
    all: [...across, ...up],
    left: roomOf(up, false),
    right: roomOf(up, true) + 8,
    top: top + 6,
    bottom,
  };
}

/** Square cells of a chip's layout, as large as there is room; null for other figures. */
function cellsOf({ axes }: Figure, barsPx: number) {
  const [x, y] = [axes.get('x'), axes.get('y')];
  if (!x || !y || sameScaleAs(y.axis.settings) !== 'x' || x.axis.settings['showticklabels'] !== false)
    return null;
  const [columns, rows] = [x, y].map(({ range: [from, to] }) => Math.abs(to - from));
  if (!columns || !rows) return null;
  const cellPx = Math.min(MOST_CELL_PX, (WIDTH - 2 * MARGIN - barsPx) / columns, HEIGHTS.most / rows);
  const [width, height] = [columns * cellPx, rows * cellPx];
  return Math.min(width, height) < 60 ? null : { cellPx, width, height };
}

/** The part of a box in which a unit is as long upwards as it is across, where the figure asks for that. */
function equalScales(rules: readonly Ruled[], box: Box, isDone: boolean): Box {
  const [x, y] = ['x', 'y'].map((id) => rules.find(({ axis }) => axis.id === id));
  if (isDone || !x || !y || (sameScaleAs(y.axis.settings) !== 'x' && sameScaleAs(x.axis.settings) !== 'y'))
    return box;
  const [across, up] = [x, y].map(({ range: [from, to] }) => Math.abs(to - from));
  if (!across || !up) return box;
  const unit = Math.min(box.width / across, box.height / up);
  const [width, height] = [Math.max(1, across * unit), Math.max(1, up * unit)];
  return {
    left: box.left + (box.width - width) / 2,
    top: box.top + (box.height - height) / 2,
    width,
    height,
  };
}

/** Beyond the edge of the plot, so that a mark upon it is whole. */
const EDGE_PX = 5;

function plotOf(
  chart: ChartSpec,
  figure: Figure,
  rules: readonly Ruled[],
  box: Box,
  cellPx: number | null,
): string {
  const axes = new Map(rules.map((rule) => [rule.axis.id, inPlot(rule, box)]));
  const pairs = rules.flatMap((rule) => {
    const at = axes.get(rule.axis.id);
    const across = axes.get(standingOn(rule, axes));
    return at && across ? [{ rule, at, across }] : [];
  });
  const plot = { box, axes };
  return [
    ...pairs.map(({ rule, at, across }) => gridOf(rule, at, across)),
    clipTo('plot', box),
    clipped('plot', box, shapesOf(chart.layout, 'below', plot)),
    ...traceGroups(figure.traces, axes, cellPx),
    clipped('plot', box, shapesOf(chart.layout, 'above', plot)),
    ...pairs.map(({ rule, at, across }) => labelsOf(rule, at, across)),
    notesOf(chart.layout, plot),
  ].join('');
}

/** The axis that this one's labels are beside: the one that it names, else the first across. */
function standingOn({ axis }: Ruled, axes: ReadonlyMap<string, PlacedAxis>): string {
  const anchor = textIn(axis.settings, 'anchor');
  const first = axis.letter === 'x' ? 'y' : 'x';
  return anchor !== null && anchor.startsWith(first) && axes.has(anchor) ? anchor : first;
}

const clipTo = (id: string, { left, top, width, height }: Box): string => {
  const box = {
    left: left - EDGE_PX,
    top: top - EDGE_PX,
    width: width + 2 * EDGE_PX,
    height: height + 2 * EDGE_PX,
  };
  return element('clipPath', { id }, rect(box, {}));
};

/** What lies within a box, which must not be empty: the renderer fails on a layer with nothing in the picture. */
const clipped = (id: string, box: Box, inside: string): string =>
  inside === ''
    ? ''
    : element(
        'g',
        { 'clip-path': `url(#${id})` },
        rect({ ...box, width: 0.01, height: 0.01 }, { fill: PAGE.page }) + inside,
      );

/** Traces in their order, each within its axes. */
function traceGroups(
  traces: readonly DrawnTrace[],
  axes: ReadonlyMap<string, PlacedAxis>,
  cellPx: number | null,
): readonly string[] {
  const clips = new Set<string>();
  return traces.map(({ mark, x, y, isClipped }) => {
    const [across, up] = [axes.get(x), axes.get(y)];
    if (!across || !up) return '';
    const drawn = mark.draw({ x: across, y: up, cellPx });
    if (!isClipped || drawn === '') return drawn;
    const id = `plot-${x}-${y}`;
    const box = boxBetween(across, up);
    const clip = clips.has(id) ? '' : clipTo(id, box);
    clips.add(id);
    return clip + clipped(id, box, drawn);
  });
}

function boxBetween({ ends: [left, right] }: PlacedAxis, { ends: [bottom, top] }: PlacedAxis): Box {
  return { left, top, width: right - left, height: bottom - top };
}
