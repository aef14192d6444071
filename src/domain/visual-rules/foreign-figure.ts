/**
 * Cleans Plotly figures of analysis code or a model. Data, text and axes stay; whatever would load something, link
 * elsewhere or add controls is removed.
 */
import { isJsonList, type Json, type JsonObject } from '../visuals.ts';
import { SERIES_COLORS } from './drawing.ts';

/**
 * Parts of a layout that hold pictures, maps, controls, or settings for the page around the chart; of maps there may
 * be many.
 */
const LEFT_OUT =
  /^(?:images|updatemenus|sliders|template|width|autosize|modebar|(?:mapbox|map|geo|scene)\d*)$/;

/** Those of them that Plotly's own library writes; their removal is not reported. */
const QUIETLY_LEFT_OUT = new Set(['template', 'width', 'autosize']);

/**
 * Names, at any depth, that mean more than themselves to code that copies objects or opens addresses; those with a line
 * before them Plotly takes for its own.
 */
const LOADED_NAMES = /^(?:_.*|constructor|prototype|source|src|href|url)$/s;

/** Tags but those that only shape text; `extra` is the second part of a hover template. */
const OTHER_TAG = /<(?!\/?(?:b|i|em|sub|sup|extra|br\s*\/?)>)/giu;

/** Where text is drawn letter by letter, so that an address or a style in it is only words. */
const DRAWN_NAMES = new Set(
  'x y labels text hovertext texttemplate hovertemplate name title ticktext categoryarray'.split(' '),
);

/** What a browser would run, should a client ever use the text as an address. */
const SCRIPT_ADDRESS = /(?:java|vb)script\s*:/giu;

/** What a browser would load, should a client ever put the value into a style or an address. */
const LOADED_ADDRESS = /data\s*:\s*(?:text|image|application)\/|url\s*\(/giu;

/** A figure of ours, and the names of what was left out of the foreign one, in the order they were met. */
export type CleanFigure = {
  readonly data: readonly JsonObject[];
  readonly layout: JsonObject;
  readonly leftOut: readonly string[];
};

/**
 * A figure, of a depth that its sender has bounded: its text made safe, its titles in the form that Plotly 3 and
 * later want.
 */
export function cleanFigure(data: readonly JsonObject[], layout: JsonObject): CleanFigure {
  const leftOut = new Set<string>();
  const kept = Object.fromEntries(
    Object.entries(layout).filter(([name]) => {
      if (!LEFT_OUT.test(name)) return true;
      if (!QUIETLY_LEFT_OUT.has(name)) leftOut.add(`layout.${name}`);
      return false;
    }),
  );
  return {
    data: data.map((trace) => cleanObject(withDrawnType(trace), leftOut)),
    layout: { colorway: SERIES_COLORS, ...cleanObject(kept, leftOut) },
    leftOut: [...leftOut],
  };
}

/** The bundle that clients use has no WebGL; the same points as SVG look the same. */
const withDrawnType = (trace: JsonObject): JsonObject =>
  trace['type'] === 'scattergl' ? { ...trace, type: 'scatter' } : trace;

function clean(value: Json, name: string, leftOut: Set<string>): Json {
  if (typeof value === 'string') return cleanText(value, name, leftOut);
  if (typeof value !== 'object' || value === null) return value;
  return isJsonList(value) ? value.map((each) => clean(each, name, leftOut)) : cleanObject(value, leftOut);
}

function cleanText(text: string, name: string, leftOut: Set<string>): string {
  const untagged = text.replaceAll(OTHER_TAG, '&lt;');
  if (untagged !== text) leftOut.add('tags');
  const safe = untagged.replaceAll(SCRIPT_ADDRESS, '…');
  const unloaded = DRAWN_NAMES.has(name) ? safe : safe.replaceAll(LOADED_ADDRESS, '…');
  if (unloaded !== untagged) leftOut.add('addresses');
  return unloaded;
}

function cleanObject(object: JsonObject, leftOut: Set<string>): JsonObject {
  const kept: [string, Json][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (LOADED_NAMES.test(name)) {
      leftOut.add(name);
    } else {
      const cleaned = clean(value, name, leftOut);
      kept.push([name, name === 'title' && typeof cleaned === 'string' ? { text: cleaned } : cleaned]);
    }
  }
  return Object.fromEntries(kept);
}
