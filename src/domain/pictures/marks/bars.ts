/** Bars, in groups or on each other, along either axis. Histograms are bars of counts. */
import type { JsonObject } from '../../visuals.ts';
import { colorAt, colorIn, colorMapOf, hasBar, PAGE } from '../colors.ts';
import { listIn, numberIn, objectIn, settingAt, textIn, Undrawable } from '../read.ts';
import { rect, seeThrough, words } from '../svg.ts';
import { labelLines, widthOfAll } from '../text.ts';
import { filledIn } from '../number-format.ts';
import { errorBars, errorsOf } from './error-bars.ts';
import { positionsOf, reachOf, withZero, type Mark, type Panel, type Trace } from './mark.ts';

/** A bar in the numbers of the axes: across its axis from `left` to `right`, along it from `from` to `to`. */
export type Bar = {
  readonly index: number;
  readonly left: number;
  readonly right: number;
  readonly from: number;
  readonly to: number;
};

/** A trace of bars, with the values that it draws at which places, in the numbers of its axes. */
export type BarTrace = Trace & {
  readonly isLying: boolean;
  readonly at: readonly (number | null)[];
  readonly values: readonly (number | null)[];
  /** Room from one place to the next; null: the least that there is between any two. */
  readonly step: number | null;
};

export function barTrace(given: Trace): BarTrace {
  const { trace, axes } = given;
  if (trace['offset'] !== undefined) throw new Undrawable('it has bars with an offset');
  if (trace['base'] !== undefined) throw new Undrawable('it has bars that begin elsewhere than at zero');
  const isLying =
    textIn(trace, 'orientation') === 'h' || (trace['y'] === undefined && trace['x'] === undefined);
  const [along, across] = isLying ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const sizes = listIn(trace, along) ?? [];
  return {
    ...given,
    isLying,
    at: positionsOf(trace, across, listIn(trace, across), sizes.length).map((value) =>
      axes[across].place(value),
    ),
    values: sizes.map((value) => axes[along].place(value)),
    step: null,
  };
}

const GAP = 0.2;

/** All bars of the same two axes; `layout` says how they share their places. */
export function barMarks(traces: readonly BarTrace[], layout: JsonObject): readonly Mark[] {
  const mode = textIn(layout, 'barmode') ?? 'group';
  if (layout['barnorm'] !== undefined && layout['barnorm'] !== '')
    throw new Undrawable('its bars are normalised');
  const gap = numberIn(layout, 'bargap') ?? (traces.every(({ type }) => type === 'histogram') ? 0 : GAP);
  const step = Math.min(...traces.map((each) => each.step ?? Infinity), leastStep(traces));
  const room = step * (1 - Math.max(0, Math.min(0.95, gap)));
  const isStacked = mode === 'stack' || mode === 'relative';
  const isBeside = mode === 'group' && traces.length > 1;
  const isLog = traces.some(({ isLying, axes }) => axes[isLying ? 'x' : 'y'].kind === 'log');
  if (isStacked && isLog) throw new Undrawable('it stacks bars on a logarithmic axis');
  const sums = new Map<string, number>();
  return traces.map((trace, place) => {
    const own = numberIn(trace.trace, 'width');
    const width = own !== null && own > 0 ? own : isBeside ? room / traces.length : room;
    const shift = isBeside ? (place - (traces.length - 1) / 2) * (room / traces.length) : 0;
    const bars = trace.values.flatMap((value, index): Bar[] => {
      const at = trace.at[index] ?? null;
      if (value === null || at === null) return [];
      const key = `${at} ${value < 0}`;
      const from = isStacked ? (sums.get(key) ?? 0) : 0;
      sums.set(key, from + value);
      const middle = at + shift;
      return [{ index, left: middle - width / 2, right: middle + width / 2, from, to: from + value }];
    });
    return markOf(trace, bars);
  });
}

function leastStep(traces: readonly BarTrace[]): number {
  const places = new Set(traces.flatMap(({ at }) => at.filter((each) => each !== null)));
  const sorted = [...places].toSorted((a, b) => a - b);
  let least = Infinity;
  for (const [index, at] of sorted.entries())
    if (index > 0) least = Math.min(least, at - (sorted[index - 1] ?? at));
  return Number.isFinite(least) ? least : 1;
}

function markOf(given: BarTrace, bars: readonly Bar[]): Mark {
  const { trace, isLying, name } = given;
  const [along, across] = isLying ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const marker = objectIn(trace, 'marker');
  const values = listIn(marker, 'color');
  const numbers = (values ?? []).filter((value) => typeof value === 'number');
  const map = numbers.length > 0 ? colorMapOf(marker, 'c', numbers) : null;
  const colorOf = (index: number): string => {
    const value = settingAt(marker, 'color', index);
    return (typeof value === 'number' && map !== null ? colorAt(map, value) : colorIn(value)) ?? given.color;
  };
  const isLog = given.axes[along].kind === 'log';
  const errors = errorsOf(trace, `error_${along}`);
  const ends = bars.flatMap(({ from, to, index }) => {
    const size = isLog ? null : errors?.(index, to);
    return size ? [to, to + size.plus, to - size.minus] : isLog ? [to] : [from, to];
  });
  const opacity = numberIn(trace, 'opacity') ?? numberIn(marker, 'opacity');
  const edge = objectIn(marker, 'line');
  const edgeWidth = numberIn(edge, 'width') ?? 0;
  const style = {
    ...seeThrough(opacity),
    stroke: edgeWidth > 0 ? (colorIn(edge['color']) ?? '#444444') : null,
    'stroke-width': edgeWidth > 0 ? Math.min(10, edgeWidth) : null,
  };
  const reaches = {
    [along]: isLog ? reachOf(ends, true) : withZero(reachOf(ends, true)),
    [across]: reachOf(
      bars.flatMap(({ left, right }) => [left, right]),
      false,
    ),
  };
  return {
    x: reaches['x'] ?? null,
    y: reaches['y'] ?? null,
    colors: map !== null && hasBar(marker, false) ? { map, bar: objectIn(marker, 'colorbar') } : null,
    legend: {
      name,
      sign: (x, y) =>
        rect({ left: x - 6, top: y - 6, width: 12, height: 12 }, { fill: colorOf(0), ...style }),
    },
    draw: (panel) => {
      const points = bars.map(({ index, left, right, to }) => {
        const middle = (left + right) / 2;
        return isLying ? { index, x: to, y: middle } : { index, x: middle, y: to };
      });
      return [
        ...bars.map((bar) => rect(boxOf(bar, isLying, panel), { fill: colorOf(bar.index), ...style })),
        errors === null
          ? ''
          : errorBars(trace, points, { x: null, y: null, [along]: errors, color: PAGE.text }, panel),
        ...bars.map((bar) => label(trace, bar, isLying, panel)),
      ].join('');
    },
  };
}

function boxOf({ left, right, from, to }: Bar, isLying: boolean, panel: Panel) {
  const [start, end, near, far] = isLying
    ? [panel.y.pixel(left), panel.y.pixel(right), panel.x.pixel(onAxis(from, panel.x)), panel.x.pixel(to)]
    : [panel.x.pixel(left), panel.x.pixel(right), panel.y.pixel(onAxis(from, panel.y)), panel.y.pixel(to)];
  const [side, length] = [Math.abs(end - start), Math.abs(far - near)];
  const [first, low] = [Math.min(start, end), Math.min(near, far)];
  return isLying
    ? { left: low, top: first, width: length, height: side }
    : { left: first, top: low, width: side, height: length };
}

/** On a logarithmic axis bars begin at its end, since zero is nowhere. */
const onAxis = (from: number, { kind, range }: Panel['x']): number =>
  kind === 'log' && from === 0 ? Math.min(...range) : from;

const LABEL_SIZE = 11;

/** The words of a bar, inside its end where they fit, else behind it. */
function label(trace: JsonObject, bar: Bar, isLying: boolean, panel: Panel): string {
  const template = settingAt(trace, 'texttemplate', bar.index);
  const given = settingAt(trace, 'text', bar.index);
  const place = settingAt(trace, 'textposition', bar.index);
  const [x, y] = [listIn(trace, 'x')?.[bar.index] ?? null, listIn(trace, 'y')?.[bar.index] ?? null];
  const text =
    typeof template === 'string' ? filledIn(template, { x, y, text: given, value: isLying ? x : y }) : given;
  if ((typeof text !== 'string' && typeof text !== 'number') || place === 'none') return '';
  const lines = labelLines(String(text));
  const box = boxOf(bar, isLying, panel);
  const isNegative = bar.to < bar.from;
  const fits = isLying ? widthOfAll(lines, LABEL_SIZE) + 8 < box.width : LABEL_SIZE + 6 < box.height;
  const isInside = place !== 'outside' && fits;
  const out = isInside === isNegative ? 1 : -1;
  const fill = isInside ? '#ffffff' : PAGE.text;
  if (isLying) {
    const end = isNegative ? box.left : box.left + box.width;
    const anchor = out > 0 ? 'start' : 'end';
    return words({
      lines,
      x: end + 4 * out,
      y: box.top + box.height / 2,
      size: LABEL_SIZE,
      fill,
      anchor,
      from: 'middle',
    });
  }
  const end = isNegative ? box.top + box.height : box.top;
  return words({
    lines,
    x: box.left + box.width / 2,
    y: end - 4 * out,
    size: LABEL_SIZE,
    fill,
    anchor: 'middle',
    from: out > 0 ? 'bottom' : 'top',
  });
}
