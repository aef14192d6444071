/** Boxes from quartile to quartile; violins are drawn as boxes, too. */
import { type Json, type JsonObject } from '../../visuals.ts';
import { colorIn } from '../colors.ts';
import { flagIn, listIn, numberIn, objectIn, textIn, Undrawable } from '../read.ts';
import { element, line, pathThrough, rect } from '../svg.ts';
import { reachOf, type Mark, type Panel, type Trace } from './mark.ts';
import { markers, symbolPath } from './symbols.ts';

type Summary = {
  /** Place of the box across its axis. */
  readonly at: number;
  readonly quartiles: readonly [number, number, number];
  readonly whiskers: readonly [number, number];
  readonly mean: number;
  readonly points: readonly number[];
};

/** Whether boxes lie: their values are along x. */
export const isLying = (trace: JsonObject): boolean =>
  textIn(trace, 'orientation') === 'h' || (trace['orientation'] === undefined && trace['y'] === undefined);

/** Where a trace without places of its own has its box: at its name. */
export const placesOf = (trace: JsonObject, name: string): readonly Json[] => {
  const [own, alone] = isLying(trace) ? [listIn(trace, 'y'), trace['y0']] : [listIn(trace, 'x'), trace['x0']];
  return own ?? [typeof alone === 'number' || typeof alone === 'string' ? alone : name];
};

const WIDTH = 0.5;

export function boxMarks(traces: readonly Trace[], layout: JsonObject): readonly Mark[] {
  const isGrouped = textIn(layout, 'boxmode') === 'group' || textIn(layout, 'violinmode') === 'group';
  return traces.map((given, place) => {
    const share = isGrouped ? 1 / traces.length : 1;
    const shift = isGrouped ? (place - (traces.length - 1) / 2) / traces.length : 0;
    return boxMark(given, shift, WIDTH * share);
  });
}

function boxMark({ trace, axes, name, color: fallback }: Trace, shift: number, width: number): Mark {
  if (trace['q1'] !== undefined) throw new Undrawable('it has boxes whose quartiles are given');
  const isFlat = isLying(trace);
  const [along, across] = isFlat ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const places = placesOf(trace, name);
  const groups = new Map<number, number[]>();
  for (const [index, value] of (listIn(trace, along) ?? []).entries()) {
    const at = axes[across].place((places.length === 1 ? places[0] : places[index]) ?? null);
    const number = axes[along].place(value);
    if (at === null || number === null) continue;
    const group = groups.get(at);
    if (group === undefined) groups.set(at, [number]);
    else group.push(number);
  }
  const shown = trace['boxpoints'] ?? trace['points'] ?? 'outliers';
  const boxes = [...groups].map(([at, values]) => summaryOf(at + shift, values, shown));
  const color =
    colorIn(objectIn(trace, 'line')['color']) ?? colorIn(objectIn(trace, 'marker')['color']) ?? fallback;
  const fill = colorIn(trace['fillcolor']);
  const style = {
    fill: fill ?? color,
    'fill-opacity': fill === null ? 0.5 : null,
    stroke: color,
    'stroke-width': numberIn(objectIn(trace, 'line'), 'width') ?? 2,
  };
  const reaches = {
    [along]: reachOf(
      boxes.flatMap(({ whiskers, points }) => [...whiskers, ...points]),
      true,
    ),
    [across]: reachOf(
      boxes.flatMap(({ at }) => [at - shift - 0.5, at - shift + 0.5]),
      false,
    ),
  };
  const hasMean =
    trace['boxmean'] === true ||
    trace['boxmean'] === 'sd' ||
    flagIn(objectIn(trace, 'meanline'), 'visible') === true;
  return {
    x: reaches['x'] ?? null,
    y: reaches['y'] ?? null,
    colors: null,
    legend: { name, sign: (x, y) => rect({ left: x - 6, top: y - 6, width: 12, height: 12 }, style) },
    draw: (panel) => boxes.map((box) => drawn(box, { isFlat, width, style, color, hasMean }, panel)).join(''),
  };
}

function summaryOf(at: number, given: readonly number[], shown: Json): Summary {
  const values = given.toSorted((a, b) => a - b);
  const quartiles = [0.25, 0.5, 0.75].map((part) => quantile(values, part));
  const [q1 = 0, q2 = 0, q3 = 0] = quartiles;
  const reach = 1.5 * (q3 - q1);
  const inside = values.filter((value) => value >= q1 - reach && value <= q3 + reach);
  const hasAll = shown === false;
  const whiskers = hasAll ? values : inside;
  return {
    at,
    quartiles: [q1, q2, q3],
    whiskers: [Math.min(q1, whiskers[0] ?? q1), Math.max(q3, whiskers.at(-1) ?? q3)],
    mean: values.reduce((sum, value) => sum + value / values.length, 0),
    points: hasAll
      ? []
      : shown === 'all'
        ? values
        : values.filter((value) => value < q1 - reach || value > q3 + reach),
  };
}

/** As Plotly's `linear` method. */
function quantile(sorted: readonly number[], part: number): number {
  const place = Math.max(0, Math.min(sorted.length - 1, sorted.length * part - 0.5));
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
}

type Look = {
  readonly isFlat: boolean;
  readonly width: number;
  readonly style: Readonly<Record<string, string | number | null>>;
  readonly color: string;
  readonly hasMean: boolean;
};

function drawn({ at, quartiles, whiskers, mean, points }: Summary, look: Look, panel: Panel): string {
  const { isFlat, width, style, color, hasMean } = look;
  const [values, places] = isFlat ? [panel.x, panel.y] : [panel.y, panel.x];
  const [near, middle, far] = [places.pixel(at - width / 2), places.pixel(at), places.pixel(at + width / 2)];
  const point = (value: number, aside: number): readonly [number, number] =>
    isFlat ? [values.pixel(value), aside] : [aside, values.pixel(value)];
  const [q1, q2, q3] = quartiles;
  const box = pathThrough([point(q1, near), point(q1, far), point(q3, far), point(q3, near)]);
  const lines = pathThrough([
    point(q2, near),
    point(q2, far),
    null,
    point(q1, middle),
    point(whiskers[0], middle),
    null,
    point(q3, middle),
    point(whiskers[1], middle),
    null,
    ...whiskers.flatMap((value) => [
      point(value, (near + middle) / 2),
      point(value, (far + middle) / 2),
      null,
    ]),
  ]);
  const dots = points.map((value) => symbolPath('circle', point(value, middle), 3)).join('');
  return [
    element('path', { d: `${box}Z`, ...style }),
    element('path', { d: lines, ...style, fill: 'none' }),
    hasMean
      ? line(point(mean, near), point(mean, far), {
          stroke: color,
          'stroke-width': 1,
          'stroke-dasharray': '4 3',
        })
      : '',
    dots === '' ? '' : markers(dots, { symbol: 'circle', color, opacity: 1, edge: null, edgeWidth: 0 }),
  ].join('');
}
