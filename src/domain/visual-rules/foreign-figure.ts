/**
 * Plotly figures that are not ours: of analysis code, or written by a model. What they say is drawn; what would load
 * something from elsewhere, lead elsewhere or bring controls of its own is not.
 */
import type { Json, JsonObject } from '../visuals.ts';
import { SERIES_COLORS } from './drawing.ts';

/** Parts of a layout that hold pictures, controls, or settings for the page around the chart. */
const LEFT_OUT = new Set(['images', 'updatemenus', 'sliders', 'template', 'width', 'autosize', 'modebar']);

/** Tags that only shape text; `extra` is the second part of a hover template. */
const OTHER_TAG = /<(?!\/?(?:b|i|em|sub|sup|extra|br\s*\/?)>)/giu;

/** Deepest nesting that is kept; deeper parts are no part of any chart. */
const MAX_DEPTH = 40;

/** The figure with its text made safe, and its titles in the form that Plotly 3 and later want. */
export function cleanFigure(
  data: readonly JsonObject[],
  layout: JsonObject,
): { readonly data: readonly JsonObject[]; readonly layout: JsonObject } {
  const kept = Object.fromEntries(Object.entries(layout).filter(([key]) => !LEFT_OUT.has(key)));
  return {
    data: data.map((trace) => cleanObject(withDrawnType(trace), 0)),
    layout: { colorway: SERIES_COLORS, ...cleanObject(kept, 0) },
  };
}

/** The bundle that clients use has no WebGL; the same points as SVG look the same. */
const withDrawnType = (trace: JsonObject): JsonObject =>
  trace['type'] === 'scattergl' ? { ...trace, type: 'scatter' } : trace;

function clean(value: Json, depth: number): Json {
  if (typeof value === 'string') return value.replaceAll(OTHER_TAG, '&lt;');
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  return isList(value) ? value.map((item) => clean(item, depth + 1)) : cleanObject(value, depth + 1);
}

function cleanObject(object: JsonObject, depth: number): JsonObject {
  const entries = Object.entries(object).map(([key, value]): [string, Json] => [
    key,
    key === 'title' && typeof value === 'string' ? { text: clean(value, depth) } : clean(value, depth),
  ]);
  return Object.fromEntries(entries);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
