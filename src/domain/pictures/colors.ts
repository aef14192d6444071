/** Colours of a picture: those of the page, those that a figure names, and scales of them. */
import { isJsonList, type Json, type JsonObject } from '../visuals.ts';
import { flagIn, GREATEST, listIn, numberIn, objectIn, textIn, Undrawable } from './read.ts';

/** As the web client's light page. */
export const PAGE = { text: '#1f2328', faint: '#59636e', grid: '#e4e7eb', page: '#ffffff' };

const NAMED = /^[a-z]{3,24}$/iu;
const WRITTEN = /^(?:#[\da-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%]{1,40}\))$/iu;

/** A colour as a figure names it; null for what is none, which may be anything. */
export const colorIn = (value: Json | undefined): string | null =>
  typeof value === 'string' && (NAMED.test(value) || WRITTEN.test(value)) ? value : null;

type Rgb = readonly [number, number, number];
export type ColorScale = readonly (readonly [place: number, color: Rgb])[];

/** Plotly's own, by their names in small letters. */
const SCALES: Readonly<Record<string, string>> = {
  viridis:
    '0 #440154, 0.0627 #48186a, 0.1255 #472d7b, 0.1882 #424086, 0.251 #3b528b, 0.3137 #33638d, 0.3765 #2c728e, 0.4392 #26828e, 0.502 #21918c, 0.5647 #1fa088, 0.6275 #28ae80, 0.6902 #3fbc73, 0.7529 #5ec962, 0.8157 #84d44b, 0.8784 #addc30, 0.9412 #d8e219, 1 #fde725',
  cividis:
    '0 #00204c, 0.0588 #002a66, 0.1176 #00346e, 0.1765 #273f6c, 0.2353 #3c4a6b, 0.2941 #4c556b, 0.3529 #5b5f6d, 0.4118 #686a70, 0.4706 #757575, 0.5294 #838178, 0.5882 #928c78, 0.6471 #a19876, 0.7059 #b0a572, 0.7647 #c0b16d, 0.8235 #d1bf66, 0.8824 #e1cc5c, 0.9412 #f3db4f, 1 #ffe945',
  greys: '0 #000000, 1 #ffffff',
  ylgnbu:
    '0 #081d58, 0.125 #253494, 0.25 #225ea8, 0.375 #1d91c0, 0.5 #41b6c4, 0.625 #7fcdbb, 0.75 #c7e9b4, 0.875 #edf8d9, 1 #ffffd9',
  greens:
    '0 #00441b, 0.125 #006d2c, 0.25 #238b45, 0.375 #41ab5d, 0.5 #74c476, 0.625 #a1d99b, 0.75 #c7e9c0, 0.875 #e5f5e0, 1 #f7fcf5',
  ylorrd:
    '0 #800026, 0.125 #bd0026, 0.25 #e31a1c, 0.375 #fc4e2a, 0.5 #fd8d3c, 0.625 #feb24c, 0.75 #fed976, 0.875 #ffeda0, 1 #ffffcc',
  bluered: '0 #0000ff, 1 #ff0000',
  rdbu: '0 #050aac, 0.35 #6a89f7, 0.5 #bebebe, 0.6 #dcaa84, 0.7 #e6915a, 1 #b20a1c',
  reds: '0 #dcdcdc, 0.2 #f5c39d, 0.4 #f5a069, 1 #b20a1c',
  blues: '0 #050aac, 0.35 #283cbe, 0.5 #4664f5, 0.6 #5a78f5, 0.7 #6a89f7, 1 #dcdcdc',
  picnic:
    '0 #0000ff, 0.1 #3399ff, 0.2 #66ccff, 0.3 #99ccff, 0.4 #ccccff, 0.5 #ffffff, 0.6 #ffccff, 0.7 #ff99ff, 0.8 #ff66cc, 0.9 #ff6666, 1 #ff0000',
  rainbow:
    '0 #96005a, 0.125 #0000c8, 0.25 #0019ff, 0.375 #0098ff, 0.5 #2cff96, 0.625 #97ff00, 0.75 #ffea00, 0.875 #ff6f00, 1 #ff0000',
  portland: '0 #0c3383, 0.25 #0a88ba, 0.5 #f2d338, 0.75 #f28f38, 1 #d91e1e',
  jet: '0 #000083, 0.125 #003caa, 0.375 #05ffff, 0.625 #ffff00, 0.875 #fa0000, 1 #800000',
  hot: '0 #000000, 0.3 #e60000, 0.6 #ffd200, 1 #ffffff',
  blackbody: '0 #000000, 0.2 #e60000, 0.4 #e6d200, 0.7 #ffffff, 1 #a0c8ff',
  earth: '0 #000082, 0.1 #00b4b4, 0.2 #28d228, 0.4 #e6e632, 0.6 #784614, 1 #ffffff',
  electric: '0 #000000, 0.15 #1e0064, 0.4 #780064, 0.6 #a05a00, 0.8 #e6c800, 1 #fffadc',
};

const WORDS: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#ffffff',
  red: '#ff0000',
  green: '#008000',
  blue: '#0000ff',
  yellow: '#ffff00',
  orange: '#ffa500',
  purple: '#800080',
  gray: '#808080',
  grey: '#808080',
};

function rgbOf(color: string): Rgb {
  const text = WORDS[color.toLowerCase()] ?? color;
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/iu.exec(text);
  const parts = hex
    ? hex.slice(1).map((part) => Number.parseInt(part, 16))
    : [...text.matchAll(/[\d.]+/gu)].map(Number);
  const [red, green, blue] = parts;
  if (red === undefined || green === undefined || blue === undefined || colorIn(text) === null)
    throw new Undrawable(
      `its colour scale has ${JSON.stringify(color.slice(0, 40))}, which is no colour that can be mixed`,
    );
  return [red, green, blue];
}

const named = (name: string): ColorScale | null => {
  const stops = Object.hasOwn(SCALES, name) ? SCALES[name] : undefined;
  return (
    stops?.split(', ').map((stop) => {
      const [place = '', color = ''] = stop.split(' ');
      return [Number(place), rgbOf(color)] as const;
    }) ?? null
  );
};

/** What numbers are coloured by: a scale between two numbers. */
export type ColorMap = {
  readonly low: number;
  readonly high: number;
  readonly scale: ColorScale;
};

/**
 * The scale of a trace or its markers, which begin with `z` or `c`; null without any number. Where the figure
 * names no scale, it is Plotly's default.
 */
export function colorMapOf(owner: JsonObject, letter: 'z' | 'c', values: readonly number[]): ColorMap | null {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return null;
  const isAuto = flagIn(owner, `${letter}auto`) ?? true;
  const given = { low: numberIn(owner, `${letter}min`), high: numberIn(owner, `${letter}max`) };
  const isGiven =
    given.low !== null && given.high !== null && (owner[`${letter}auto`] === undefined || !isAuto);
  const range = isGiven ? { low: given.low ?? low, high: given.high ?? high } : { low, high };
  const middle = numberIn(owner, `${letter}mid`);
  if (middle !== null && !isGiven) {
    const reach = Math.max(range.high - middle, middle - range.low);
    [range.low, range.high] = [middle - reach, middle + reach];
  }
  [range.low, range.high] = [range.low, range.high].map((end) =>
    Math.max(-GREATEST, Math.min(GREATEST, end)),
  ) as [number, number];
  const half = Math.max(0.5, Math.abs(range.low) * 1e-3);
  if (!(range.low < range.high)) [range.low, range.high] = [range.low - half, range.low + half];
  const scale = scaleIn(owner) ?? named(autoScale(letter, range)) ?? [];
  const isReversed = flagIn(owner, 'reversescale') ?? false;
  return { ...range, scale: isReversed ? scale.toReversed().map(([at, color]) => [1 - at, color]) : scale };
}

function autoScale(
  letter: 'z' | 'c',
  { low, high }: { readonly low: number; readonly high: number },
): string {
  if (letter === 'z' || low * high < 0) return 'rdbu';
  return low >= 0 ? 'reds' : 'blues';
}

function scaleIn(owner: JsonObject): ColorScale | null {
  const name = textIn(owner, 'colorscale');
  if (name !== null) return named(name.toLowerCase());
  const stops = (listIn(owner, 'colorscale') ?? []).flatMap((stop) => {
    const [place = null, color = null] = isJsonList(stop) ? stop : [];
    return typeof place === 'number' && typeof color === 'string' ? [[place, rgbOf(color)] as const] : [];
  });
  return stops.length > 1 ? stops : null;
}

/** The colour of a number; beyond the ends that of the end. */
export function colorAt({ low, high, scale }: ColorMap, value: number): string {
  const place = Math.max(0, Math.min(1, (value - low) / (high - low)));
  const after = Math.max(
    1,
    scale.findIndex(([at]) => at >= place),
  );
  const [[from, a], [to, b]] = [scale[after - 1] ?? [0, BLACK], scale[after] ?? [1, BLACK]];
  const share = to > from ? (place - from) / (to - from) : 0;
  const mixed = a.map((part, index) => Math.round(part + ((b[index] ?? 0) - part) * share));
  return `rgb(${mixed.join(',')})`;
}

const BLACK: Rgb = [0, 0, 0];

/** Whether a colour bar belongs to it. */
export const hasBar = (owner: JsonObject, byDefault: boolean): boolean =>
  flagIn(owner, 'showscale') ?? (Object.keys(objectIn(owner, 'colorbar')).length > 0 || byDefault);
