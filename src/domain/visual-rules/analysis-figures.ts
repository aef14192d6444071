/**
 * Figures and tables of analysis code (C10 of docs/chart-rules.md): passed on where their kind and size can be shown.
 */
import {
  isJsonList,
  isJsonObject,
  type ChartKind,
  type ChartSpec,
  type JsonObject,
  type TableSpec,
  type Visual,
} from '../visuals.ts';
import { MAX_MARKS, marksOf, TRACE_TYPES } from './figure-marks.ts';
import { coarseFigure } from './figure-steps.ts';
import { packingProblem } from './figure-size.ts';
import { cleanFigure } from './foreign-figure.ts';
import { numberColumn, textColumn } from './table.ts';

/** Most charts and tables of one analysis, and the longest JSON text of one. */
const MAX_VISUALS = 6;
const MAX_CHARACTERS = 500_000;

const KINDS: ReadonlyMap<string, ChartKind> = new Map(
  Object.entries(TRACE_TYPES).flatMap(([kind, types]) =>
    types.map((type) => [type, kind as keyof typeof TRACE_TYPES] as const),
  ),
);

/** What can be shown of an analysis, and in plain words what cannot. */
export type SandboxVisuals = { readonly visuals: readonly Visual[]; readonly refused: readonly string[] };

/** Figures become charts by the kind of their first trace, tables keep their rows. */
export function sandboxVisuals(
  figures: readonly JsonObject[],
  tables: Readonly<Record<string, readonly JsonObject[]>>,
): SandboxVisuals {
  const drawn = figures.map((figure) => figureChart(figure, 'Chart of the analysis'));
  const found: readonly (Visual | string)[] = [
    ...drawn.map((each) => (typeof each === 'string' ? each : each.chart)),
    ...Object.entries(tables).map(([name, rows]) => tableOf(name, rows)),
  ];
  const visuals = found.filter((each) => typeof each !== 'string');
  const refused = [...found.filter((each) => typeof each === 'string'), ...drawn.flatMap(lossOf)];
  const surplus = visuals.length - MAX_VISUALS;
  return {
    visuals: visuals.slice(0, MAX_VISUALS),
    refused:
      surplus > 0
        ? [...refused, `${surplus} more charts or tables are not shown; the limit is ${MAX_VISUALS}.`]
        : refused,
  };
}

/**
 * A chart, and the names of the parts of its figure that are not shown, and of those that would keep a page too long.
 */
export type DrawnFigure = {
  readonly chart: ChartSpec;
  readonly leftOut: readonly string[];
  readonly tooFine: readonly string[];
};

/**
 * A Plotly figure as a chart, or a plain reason why it cannot be shown. `untitled` replaces a missing title.
 */
export function figureChart(figure: JsonObject, untitled: string): DrawnFigure | string {
  const traces = isJsonList(figure['data']) ? figure['data'].filter(isJsonObject) : [];
  const layout = isJsonObject(figure['layout']) ? figure['layout'] : {};
  const title = titleOf(layout) ?? untitled;
  const kinds = traces.map(kindOf);
  const [kind] = kinds;
  if (kind === undefined || kinds.includes(undefined)) {
    return `${title}: not shown, because not all of its traces are ${[...KINDS.keys()].join(', ')}.`;
  }
  if (kinds.includes('INDICATOR') && kinds.some((each) => each !== 'INDICATOR')) {
    return `${title}: not shown, because an indicator cannot be combined with other traces.`;
  }
  const characters = JSON.stringify(figure).length;
  if (characters > MAX_CHARACTERS) {
    return `${title}: not shown, because it has ${characters} characters; the limit is ${MAX_CHARACTERS}.`;
  }
  const packing = packingProblem(traces);
  if (packing !== null) return `${title}: not shown, because ${packing}.`;
  const { data, layout: drawn, tooFine } = coarseFigure(traces, layout);
  const marks = marksOf(data, drawn);
  if (marks > MAX_MARKS) {
    return `${title}: not shown, because drawing it would block the page: its points, bars and labels cost as much as ${marks} markers; the limit is ${MAX_MARKS}. Use a line, a histogram or a box plot for many values.`;
  }
  const { leftOut, ...cleaned } = cleanFigure(data, drawn);
  return { chart: { type: 'chart', kind, title, ...cleaned }, leftOut, tooFine };
}

/** What a figure lost, for its author. */
function lossOf(drawn: DrawnFigure | string): readonly string[] {
  if (typeof drawn === 'string') return [];
  const { chart, leftOut, tooFine } = drawn;
  const losses = [
    [leftOut, 'a chart holds data, words and axes, and loads nothing'],
    [tooFine, 'they divide it more finely than a page can draw in time'],
  ] as const;
  return losses.flatMap(([names, why]) =>
    names.length === 0 ? [] : [`${chart.title}: shown without ${names.join(', ')}; ${why}.`],
  );
}

/** A trace without a type is Plotly's scatter; scatter with markers only is a scatter plot. */
function kindOf(trace: JsonObject): ChartKind | undefined {
  const { type = 'scatter' } = trace;
  const kind = typeof type === 'string' ? KINDS.get(type) : undefined;
  return kind === 'LINE' && trace['mode'] === 'markers' ? 'SCATTER' : kind;
}

/** The title without the tags that Plotly would draw by. */
function titleOf({ title = null }: JsonObject): string | null {
  const drawn = isJsonObject(title) ? title['text'] : title;
  const text = typeof drawn === 'string' ? drawn.replaceAll(TAG, '').trim() : '';
  return text === '' ? null : text;
}

const TAG = /<\/?[a-z][^>]*>/giu;

function tableOf(name: string, rows: readonly JsonObject[]): TableSpec | string {
  if (JSON.stringify(rows).length > MAX_CHARACTERS) return `${name}: kept, but too large to display.`;
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    type: 'table',
    title: name,
    columns: keys.map((key) =>
      rows.every((row) => typeof (row[key] ?? 0) === 'number')
        ? numberColumn(key, key, '')
        : textColumn(key, key),
    ),
    rows,
  };
}
