/**
 * Plotly figures that are not ours: of analysis code, or written by a model. What they say is drawn; what would load
 * something from elsewhere, lead elsewhere or bring controls of its own is not.
 */
import type { Json, JsonObject } from '../visuals.ts';
import { SERIES_COLORS } from './drawing.ts';

/** Parts of a layout that hold pictures, maps, controls, or settings for the page around the chart. */
const LEFT_OUT = new Set(
  'images updatemenus sliders template width autosize modebar mapbox map geo'.split(' '),
);

/** Names, at any depth, that mean more than themselves to whoever copies objects or opens addresses. */
const LOADED_NAMES = new Set(['__proto__', 'constructor', 'prototype', 'source', 'src', 'href', 'url']);

/** Tags but those that only shape text; `extra` is the second part of a hover template. */
const OTHER_TAG = /<(?!\/?(?:b|i|em|sub|sup|extra|br\s*\/?)>)/giu;

/** What a browser would run or load, should a client ever put the text where addresses or styles stand. */
const ADDRESS = /(?:java|vb)script\s*:|data\s*:\s*(?:text|image|application)\/|url\s*\(/giu;

/** A figure, of a depth that its sender has bounded: its text made safe, its titles in the form that Plotly 3 and later want. */
export function cleanFigure(
  data: readonly JsonObject[],
  layout: JsonObject,
): { readonly data: readonly JsonObject[]; readonly layout: JsonObject } {
  const kept = Object.fromEntries(Object.entries(layout).filter(([key]) => !LEFT_OUT.has(key)));
  return {
    data: data.map((trace) => cleanObject(withDrawnType(trace))),
    layout: { colorway: SERIES_COLORS, ...cleanObject(kept) },
  };
}

/** The bundle that clients use has no WebGL; the same points as SVG look the same. */
const withDrawnType = (trace: JsonObject): JsonObject =>
  trace['type'] === 'scattergl' ? { ...trace, type: 'scatter' } : trace;

function clean(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll(OTHER_TAG, '&lt;').replaceAll(ADDRESS, '…');
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map(clean) : cleanObject(value);
}

function cleanObject(object: JsonObject): JsonObject {
  const entries = Object.entries(object).filter(([key]) => !LOADED_NAMES.has(key));
  return Object.fromEntries(
    entries.map(([key, value]): [string, Json] => [
      key,
      key === 'title' && typeof value === 'string' ? { text: clean(value) } : clean(value),
    ]),
  );
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
