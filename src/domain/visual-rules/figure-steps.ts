/**
 * Settings of a foreign figure that define how finely Plotly divides something. Plotly obeys literally: a
 * tick at every millionth, a thousand bins a unit, a contour at every thousandth keep a page for minutes.
 * Such settings are left out, and Plotly chooses itself; so are those that would have it work on every cell
 * of a large picture.
 */
import { isJsonObject, type Json, type JsonObject } from '../visuals.ts';
import { countOf, pointsOf, spanOf } from './figure-size.ts';

/** The most ticks of an axis, bins of a histogram, and levels of a contour. */
const MAX_TICKS = 60;
const MAX_BINS = 500;
const MAX_LEVELS = 30;
/** Parts of its span that the bandwidth of a violin may be. */
const MAX_BANDWIDTHS = 100;
/** Cells of a picture with words, contours or bridged gaps. */
const MAX_CELLS = 1_600;
const MAX_HEIGHT_PX = 2_000;

/** A figure that is divided as finely as a page can draw it, and the names of the settings that it lost. */
export type SteppedFigure = {
  readonly data: readonly JsonObject[];
  readonly layout: JsonObject;
  readonly tooFine: readonly string[];
};

/** The figure without what would divide it too finely. */
export function coarseFigure(traces: readonly JsonObject[], layout: JsonObject): SteppedFigure {
  const tooFine = new Set<string>();
  const axes = Object.values(layout).filter((part) => isJsonObject(part));
  // Where a trace names no positions, or names them by words, they are counted.
  const span = Math.max(spanOf(traces, axes), ...traces.map(pointsOf));
  const data = traces.map((trace) => withCoarseTicks(coarseTrace(trace, tooFine), span, tooFine));
  const { height = 0, ...rest } = layout;
  const isHigh = typeof height === 'number' && height > MAX_HEIGHT_PX;
  if (isHigh) tooFine.add('height');
  return { data, layout: withCoarseTicks(isHigh ? rest : layout, span, tooFine), tooFine: [...tooFine] };
}

/** Axes and colour bars, wherever they are. */
function withCoarseTicks(part: JsonObject, span: number, tooFine: Set<string>): JsonObject {
  const kept: [string, Json][] = [];
  for (const [name, value] of Object.entries(part)) {
    if (isFineTick(name, value, span)) tooFine.add(name);
    // Without steps of their own, or with only few, Plotly knows what is meant.
    else if (name !== 'tickmode' || value === 'array') {
      kept.push([name, isJsonObject(value) ? withCoarseTicks(value, span, tooFine) : value]);
    }
  }
  return Object.fromEntries(kept);
}

function isFineTick(name: string, value: Json, span: number): boolean {
  switch (name) {
    case 'dtick':
      return !isStep(value, span, MAX_TICKS);
    case 'nticks':
      return !(typeof value === 'number' && value <= MAX_TICKS);
    case 'tickvals':
    case 'ticktext':
      return countOf(value) > MAX_TICKS;
    case 'minor':
    case 'rangebreaks':
      return true;
    default:
      return false;
  }
}

function coarseTrace(trace: JsonObject, tooFine: Set<string>): JsonObject {
  const type = trace['type'] ?? 'scatter';
  const span = spanOf([trace]);
  const isLarge = countOf(trace['z']) > MAX_CELLS;
  const without = new Set(
    Object.entries(trace).flatMap(([name, value]) => (isFine(name, value, span, isLarge) ? [name] : [])),
  );
  for (const name of without) tooFine.add(name);
  const kept = Object.entries(trace).filter(([name]) => !without.has(name));
  const coarse: JsonObject = Object.fromEntries(kept);
  if (type !== 'contour' || !isLarge) return coarse;
  tooFine.add('contours');
  return { ...coarse, type: 'heatmap' };
}

function isFine(name: string, value: Json, span: number, isLarge: boolean): boolean {
  switch (name) {
    case 'nbinsx':
    case 'nbinsy':
      return !(typeof value === 'number' && value <= MAX_BINS);
    case 'xbins':
    case 'ybins':
      return !isDivision(value, span, MAX_BINS);
    case 'bandwidth':
      return !isStep(value, span, MAX_BANDWIDTHS);
    case 'span':
    case 'spanmode':
      return true;
    case 'ncontours':
      return isLarge || !(typeof value === 'number' && value <= MAX_LEVELS);
    case 'contours':
      return isLarge || !areFewLevels(value, span);
    case 'connectgaps':
    case 'texttemplate':
      return isLarge;
    default:
      return false;
  }
}

/** Plotly tries many places for the word of each level. */
const areFewLevels = (value: Json, span: number): boolean =>
  isJsonObject(value) &&
  value['showlabels'] !== true &&
  (value['size'] === undefined || isDivision(value, span, MAX_LEVELS));

/** From `start` to `end`, where they are given, in steps of `size`. */
function isDivision(value: Json, span: number, most: number): boolean {
  if (!isJsonObject(value)) return false;
  const { start = 0, end = 0, size = null } = value;
  if (typeof start !== 'number' || typeof end !== 'number') return false;
  return isStep(size, Math.max(span, Math.abs(end - start)), most);
}

const isStep = (size: Json, span: number, most: number): boolean =>
  typeof size === 'number' && size > 0 && span / size <= most;
