/**
 * How much work a foreign figure is for the page that draws it. Plotly makes an element of each marker, bar, word and
 * note, and the page is blocked until all are there: 5,000 take Chromium about half a second, 60,000 more than fifteen
 * seconds. Weights were measured against a marker.
 */
import { isJsonList, isJsonObject, type ChartKind, type Json, type JsonObject } from '../visuals.ts';
import { DATE, countOf, pointsOf } from './figure-size.ts';

/** The most that is drawn, in marks. */
export const MAX_MARKS = 5_000;

const OF_A_TRACE = 20;
const OF_A_SUBPLOT = 150;
const OF_A_NOTE = 20;
const OF_A_SHAPE = 4;
const OF_A_GROUP = 15;
const OF_A_WORD = 2;
/** It is fitted into its bar. */
const OF_A_BAR_WORD = 4;
/** Points of a line, and cells of a picture, that are as much work as one marker. */
const LINE_POINTS = 50;
const CELLS = 100;
const VALUES_OF_A_DISTRIBUTION = 100;

/** Types of traces that a foreign figure may have, by the kind of chart that they make. */
export const TRACE_TYPES = {
  LINE: ['scatter', 'scattergl'],
  BAR: ['bar'],
  HISTOGRAM: ['histogram'],
  BOX: ['box', 'violin'],
  HEATMAP: ['heatmap', 'contour'],
  INDICATOR: ['indicator'],
  // A scatter trace with markers only.
  SCATTER: [],
  // Nodes and edges are scatter traces; only our own rules draw them.
  GRAPH: [],
} as const satisfies Readonly<Record<ChartKind, readonly string[]>>;

type TraceType = (typeof TRACE_TYPES)[ChartKind][number];

/** The work of a figure, in marks. */
export function marksOf(traces: readonly JsonObject[], layout: JsonObject): number {
  const notes = lengthOf(layout['annotations']) * OF_A_NOTE + lengthOf(layout['shapes']) * OF_A_SHAPE;
  const subplots = new Set(traces.map(({ xaxis = 'x', yaxis = 'y' }) => JSON.stringify([xaxis, yaxis]))).size;
  const stacked = traces.filter(({ stackgroup }) => stackgroup !== undefined);
  const ofTraces = traces.reduce((sum, trace) => sum + OF_A_TRACE + marksOfTrace(trace), 0);
  return Math.ceil(
    ofTraces +
      notes +
      (subplots - 1) * OF_A_SUBPLOT +
      // Each of them gets the positions of all.
      (stacked.reduce((sum, trace) => sum + pointsOf(trace), 0) * stacked.length) / 30 +
      Math.max(...['x', 'y'].map((axis) => marksOfNames(traces.map((trace) => trace[axis])))),
  );
}

function marksOfTrace(trace: JsonObject): number {
  const points = pointsOf(trace);
  const errors = ['error_x', 'error_y'].filter((name) => isJsonObject(trace[name])).length;
  // Figures with other types were refused before.
  const type = (trace['type'] ?? 'scatter') as TraceType;
  switch (type) {
    case 'bar':
      return points * (1 + errors + (hasWords(trace) ? OF_A_BAR_WORD : 0));
    case 'histogram':
      return points / VALUES_OF_A_DISTRIBUTION;
    case 'box':
    case 'violin':
      return distribution(trace, points);
    case 'heatmap':
      return countOf(trace['z']) * (hasWords(trace) ? OF_A_WORD : 1 / CELLS);
    case 'contour':
      return countOf(trace['z']);
    case 'scatter':
    case 'scattergl':
    case 'indicator':
      return points * (scatterWeight(trace, points) + errors);
    default:
      return type satisfies never;
  }
}

/** Plotly draws markers too where there are few points and nothing else is asked for. */
function scatterWeight({ mode = null, line }: JsonObject, points: number): number {
  const drawn = typeof mode === 'string' ? mode : points < 20 ? 'lines+markers' : 'lines';
  const isCurved = isJsonObject(line) && line['shape'] === 'spline';
  return (
    (drawn.includes('markers') ? 1 : 0) +
    (drawn.includes('text') ? OF_A_WORD : 0) +
    (drawn.includes('lines') ? (isCurved ? 10 : 1) / LINE_POINTS : 0)
  );
}

/** A group each for its names, and the points that are drawn beside them: all, or what lies far out. */
function distribution({ x, y, ...trace }: JsonObject, points: number): number {
  const groups = Math.max(1, ...[x, y].map((names) => namesIn([names]).size));
  const shown = trace['boxpoints'] ?? trace['points'] ?? 'outliers';
  const beside = shown === false ? 0 : shown === 'all' ? points : points / 10;
  return groups * OF_A_GROUP + beside + points / VALUES_OF_A_DISTRIBUTION;
}

const hasWords = ({ type, text, texttemplate }: JsonObject): boolean =>
  texttemplate !== undefined || (type === 'bar' && text !== undefined);

const lengthOf = (value: Json | undefined): number => (isJsonList(value) ? value.length : 0);

/** Plotly looks each name up among all. */
const marksOfNames = (positions: readonly (Json | undefined)[]): number =>
  namesIn(positions).size ** 2 / MAX_MARKS;

/** What is neither a number nor a time. */
function namesIn(positions: readonly (Json | undefined)[]): ReadonlySet<string> {
  const texts = positions
    .flatMap((each) => (isJsonList(each) ? each : []))
    .filter((each) => typeof each === 'string');
  return new Set(texts.filter((text) => !DATE.test(text) && Number.isNaN(Number(text))));
}
