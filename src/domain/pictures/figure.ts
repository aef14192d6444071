/** The traces of a figure on their axes: which axes there are, what each trace becomes, and what reaches how far. */
import type { Json, JsonObject } from '../visuals.ts';
import { axisFor, axisSettings, rangeOf, type Axis, type Letter, type Reach } from './axis.ts';
import { PAGE } from './colors.ts';
import { barMarks, barTrace } from './marks/bars.ts';
import { boxMarks, isLying, placesOf } from './marks/boxes.ts';
import { heatmapMark } from './marks/heatmap.ts';
import { histogramBars } from './marks/histogram.ts';
import { positionsOf, type Axes, type Mark, type Trace } from './marks/mark.ts';
import { scatterMark } from './marks/scatter.ts';
import { flagIn, listIn, rowsIn, textIn, Undrawable } from './read.ts';
import { colorIn } from './colors.ts';

/** A trace as it is drawn, by the names of its axes. */
export type DrawnTrace = {
  readonly mark: Mark;
  readonly x: string;
  readonly y: string;
  readonly isClipped: boolean;
};

export type RangedAxis = { readonly axis: Axis; readonly range: readonly [number, number] };

export type Figure = {
  readonly traces: readonly DrawnTrace[];
  readonly axes: ReadonlyMap<string, RangedAxis>;
  /** Those that the legend names. */
  readonly named: readonly Mark[];
};

const MOST_TRACES = 300;
const MOST_VALUES = 100_000;

const SERIES = ['#4c6ef5', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#a6761d', '#868e96'];

/** @throws Undrawable */
export function figureOf(data: readonly JsonObject[], layout: JsonObject): Figure {
  const shown = data.filter((trace) => trace['visible'] !== false && trace['visible'] !== 'legendonly');
  if (shown.length > MOST_TRACES)
    throw new Undrawable(`it has ${shown.length} traces; a picture holds ${MOST_TRACES}`);
  const count = shown.reduce((sum, trace) => sum + sizeOf(trace), 0);
  if (count > MOST_VALUES) throw new Undrawable(`it has ${count} values; a picture holds ${MOST_VALUES}`);
  const axes = axesOf(shown, layout);
  const colors = (listIn(layout, 'colorway') ?? []).flatMap((color) => colorIn(color) ?? []);
  const colorway = colors.length > 0 ? colors : SERIES;
  const traces = shown.map((trace, index): Trace => ({
    trace,
    type: typeOf(trace),
    name: nameOf(trace, index),
    color: colorway[index % colorway.length] ?? PAGE.text,
    axes: pairOf(trace, axes),
  }));
  const marks = marksOf(traces, layout);
  const drawn = traces.map(({ trace, axes: { x, y } }, index): DrawnTrace => {
    const mark = marks[index];
    if (mark === undefined) throw new Error('a trace of a picture became no mark');
    return { mark, x: x.id, y: y.id, isClipped: flagIn(trace, 'cliponaxis') !== false };
  });
  return { traces: drawn, axes: ranged(axes, drawn), named: namedIn(traces, marks, layout) };
}

const typeOf = (trace: JsonObject): string => textIn(trace, 'type') ?? 'scatter';
const nameOf = (trace: JsonObject, index: number): string => textIn(trace, 'name') ?? `trace ${index}`;
const idOf = (trace: JsonObject, letter: Letter): string => {
  const id = textIn(trace, `${letter}axis`) ?? letter;
  if (!/^[xy]\d{0,3}$/u.test(id) || !id.startsWith(letter))
    throw new Undrawable(`a trace names the axis ${JSON.stringify(id.slice(0, 20))}`);
  return id;
};

const sizeOf = (trace: JsonObject): number =>
  Math.max(listIn(trace, 'x')?.length ?? 0, listIn(trace, 'y')?.length ?? 0) +
  rowsIn(trace, 'z').reduce((sum, row) => sum + row.length, 0);

function axesOf(traces: readonly JsonObject[], layout: JsonObject): ReadonlyMap<string, Axis> {
  const found = new Map<string, Axis>();
  for (const letter of ['x', 'y'] as const) {
    const users = Map.groupBy(
      traces.map((trace, index) => ({ trace, index })),
      ({ trace }) => idOf(trace, letter),
    );
    if (!users.has(letter)) users.set(letter, []);
    for (const [id, each] of users) {
      const values = each.map(({ trace, index }) => valuesOn(letter, trace, nameOf(trace, index)));
      const boxes = each.filter(({ trace }) => isBox(trace) && isLying(trace) === (letter === 'y'));
      const isOfNames =
        boxes.length > 0 &&
        boxes.every(({ trace }) => listIn(trace, letter) === null && trace[`${letter}0`] === undefined);
      found.set(id, axisFor(id, axisSettings(layout, id), values, isOfNames));
    }
  }
  return found;
}

const isBox = (trace: JsonObject): boolean => ['box', 'violin'].includes(typeOf(trace));

/** What a trace places on an axis. */
function valuesOn(letter: Letter, trace: JsonObject, name: string): readonly Json[] {
  const list = listIn(trace, letter);
  if (isBox(trace) && isLying(trace) === (letter === 'y')) return placesOf(trace, name);
  const other = listIn(trace, letter === 'x' ? 'y' : 'x');
  const rows = rowsIn(trace, 'z');
  const count = other?.length ?? (letter === 'x' ? (rows[0]?.length ?? 0) : rows.length);
  return positionsOf(trace, letter, list, typeOf(trace) === 'histogram' ? 0 : count);
}

function pairOf(trace: JsonObject, axes: ReadonlyMap<string, Axis>): Axes {
  const [x, y] = [axes.get(idOf(trace, 'x')), axes.get(idOf(trace, 'y'))];
  if (x === undefined || y === undefined) throw new Error('a trace of a picture has no axes');
  return { x, y };
}

/** Bars and boxes of the same axes share their places, and are made together. */
function marksOf(traces: readonly Trace[], layout: JsonObject): readonly Mark[] {
  const marks = new Map<Trace, Mark>();
  const keep = (group: readonly Trace[], made: readonly Mark[]): void => {
    for (const [index, mark] of made.entries()) {
      const trace = group[index];
      if (trace !== undefined) marks.set(trace, mark);
    }
  };
  const together = (types: readonly string[], make: (group: readonly Trace[]) => readonly Mark[]): void => {
    const groups = Map.groupBy(
      traces.filter(({ type }) => types.includes(type)),
      ({ axes: { x, y } }) => `${x.id} ${y.id}`,
    );
    for (const group of groups.values()) keep(group, make(group));
  };
  together(['bar'], (group) => barMarks(group.map(barTrace), layout));
  together(['histogram'], (group) => barMarks(histogramBars(group), { barmode: 'stack', ...layout }));
  together(['box', 'violin'], (group) => boxMarks(group, layout));
  let before: Mark | null = null;
  for (const trace of traces) {
    if (trace.type === 'scatter' || trace.type === 'scattergl') {
      before = scatterMark(trace, before, PAGE.text);
      marks.set(trace, before);
    } else if (trace.type === 'heatmap' || trace.type === 'contour') marks.set(trace, heatmapMark(trace));
  }
  return traces.map((trace) => {
    const mark = marks.get(trace);
    if (mark === undefined)
      throw new Undrawable(`it has a trace of type ${JSON.stringify(trace.type.slice(0, 40))}`);
    return mark;
  });
}

function ranged(
  axes: ReadonlyMap<string, Axis>,
  traces: readonly DrawnTrace[],
): ReadonlyMap<string, RangedAxis> {
  return new Map(
    [...axes].map(([id, axis]) => {
      const reaches = traces.flatMap(({ mark, x, y }): Reach[] => {
        const reach = x === id ? mark.x : y === id ? mark.y : null;
        return reach === null ? [] : [reach];
      });
      return [id, { axis, range: rangeOf(axis, reaches) }];
    }),
  );
}

function namedIn(traces: readonly Trace[], marks: readonly Mark[], layout: JsonObject): readonly Mark[] {
  const open = traces.flatMap(({ trace }, index) => {
    const mark = marks[index];
    return mark?.legend && flagIn(trace, 'showlegend') !== false
      ? [{ mark, isAsked: trace['showlegend'] === true }]
      : [];
  });
  const isShown = flagIn(layout, 'showlegend') ?? (open.length > 1 || open.some(({ isAsked }) => isAsked));
  return isShown ? open.map(({ mark }) => mark) : [];
}
