import { z } from 'zod';
import type { ChartKind } from '../../src/domain/visuals.ts';
import { cardsOf, type Card } from '../charts/card.ts';
import { numberText } from '../lib/format/cell.ts';

/** A chart as the server sends it; `data` are Plotly's traces. */
export type DrawableChart = { readonly title: string; readonly kind: string; readonly data: unknown };

const cell = z.number().nullable();
const trace = z.object({
  type: z.string(),
  name: z.string().optional(),
  orientation: z.string().optional(),
  x: z.array(z.union([z.string(), cell])).optional(),
  y: z.array(z.union([z.string(), cell])).optional(),
  z: z.array(z.array(cell)).optional(),
  mode: z.string().optional(),
});
type Trace = z.infer<typeof trace>;

const SHADES = ['░', '▒', '▓', '█'];
const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const BAR_WIDTH = 30;
const BINS = 16;

/** Kinds with traces that lines of text can show; of a graph they would be the edges. */
const IN_TEXT: Readonly<Record<ChartKind, boolean>> = {
  HEATMAP: true,
  LINE: true,
  BAR: true,
  SCATTER: true,
  HISTOGRAM: true,
  BOX: true,
  GRAPH: false,
  INDICATOR: true,
};

/** The chart in a few lines of text; its title alone for kinds that text cannot show. `color` allows ANSI colours. */
export function drawChart(chart: DrawableChart, color: boolean): string {
  const { title, kind } = chart;
  const body = cardsOf(chart)?.map(drawCard) ?? drawTraces(chart, color);
  return [`▣ ${title} (${kind.toLowerCase()})`, ...body.map((line) => `  ${line}`)].join('\n');
}

const drawCard = ({ value, unit, notes }: Card): string => [`${value} ${unit}`.trim(), ...notes].join(', ');

function drawTraces({ kind, data }: DrawableChart, color: boolean): readonly string[] {
  const traces = z.array(trace).safeParse(data);
  return traces.success && new Map(Object.entries(IN_TEXT)).get(kind) !== false
    ? inOneRange(traces.data).flatMap((one) => drawTrace(one, color))
    : [];
}

/** Stacked histograms count as one. */
function inOneRange(traces: readonly Trace[]): readonly Trace[] {
  const [histograms, others] = [
    traces.filter(({ type }) => type === 'histogram'),
    traces.filter(({ type }) => type !== 'histogram'),
  ];
  if (histograms.length === 0) return traces;
  return [{ type: 'histogram', x: histograms.flatMap(({ x }) => x ?? []) }, ...others];
}

function drawTrace(one: Trace, color: boolean): string[] {
  switch (one.type) {
    case 'heatmap':
      return drawGrid(one.z ?? [], color);
    case 'bar':
      return drawBars(one);
    case 'histogram':
      return drawHistogram(one);
    case 'scatter':
      if (one.mode === 'markers' && one.y?.some((label) => typeof label === 'string')) {
        return [...(one.name ? [one.name] : []), ...drawBars({ ...one, orientation: 'h' })];
      }
      return one.mode?.includes('lines') === true && one.x?.length !== 2 ? drawLine(one) : [];
    default:
      return [];
  }
}

/** A cell for each value: shade (or colour) and number; missing ones are empty. */
function drawGrid(rows: readonly (readonly (number | null)[])[], color: boolean): string[] {
  const values = rows.flat().filter((value) => value !== null);
  if (values.length === 0) return ['no values'];
  const range = rangeOf(values);
  const texts = rows.map((row) => row.map((value) => (value === null ? '·' : numberText(value))));
  const width = Math.max(...texts.flat().map((text) => text.length));
  const lines = rows.map((row, r) =>
    row.map((value, c) => drawCell(value, (texts[r]?.[c] ?? '').padStart(width), range, color)).join(' '),
  );
  return [
    ...lines,
    `${numberText(range.min)} ${color ? '' : `${SHADES.join('')} `}to ${numberText(range.max)}`,
  ];
}

function drawCell(value: number | null, text: string, range: Range, color: boolean): string {
  if (value === null) return color ? text : `  ${text}`;
  const place = placeIn(value, range);
  // 256-colour codes from dark violet over green to yellow, as the drawn chart has them.
  if (color)
    return `\u001b[48;5;${[54, 60, 24, 30, 35, 77, 148, 226][Math.floor(place * 7.999)]}m\u001b[38;5;${place > 0.5 ? 16 : 231}m${text}\u001b[0m`;
  return `${SHADES[Math.floor(place * 3.999)]} ${text}`;
}

function drawBars(one: Trace): string[] {
  const [labels, lengths] = one.orientation === 'h' ? [one.y, one.x] : [one.x, one.y];
  const bars = (labels ?? []).flatMap((label, index) => {
    const value = lengths?.[index];
    return typeof value === 'number' ? [{ label: String(label), value }] : [];
  });
  const longest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  const width = Math.max(0, ...bars.map(({ label }) => label.length));
  return bars.map(({ label, value }) => {
    const bar = '█'.repeat(Math.max(1, Math.round((Math.abs(value) / longest) * BAR_WIDTH)));
    return `${label.padEnd(width)} ${bar} ${numberText(value)}`;
  });
}

function drawHistogram(one: Trace): string[] {
  const values = (one.x ?? []).filter((value) => typeof value === 'number');
  if (values.length === 0) return ['no values'];
  const range = rangeOf(values);
  const counts = Array<number>(BINS).fill(0);
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.floor(placeIn(value, range) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return [`${numberText(range.min)} ${sparkline(counts)} ${numberText(range.max)}`];
}

function drawLine(one: Trace): string[] {
  const values = (one.y ?? []).map((value) => (typeof value === 'number' ? value : null));
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [];
  const { min, max } = rangeOf(known);
  return [`${one.name ?? ''} ${sparkline(values)} ${numberText(min)} to ${numberText(max)}`.trim()];
}

function sparkline(values: readonly (number | null)[]): string {
  const range = rangeOf(values.filter((value) => value !== null));
  return values
    .map((value) => (value === null ? ' ' : BARS[Math.floor(placeIn(value, range) * 7.999)]))
    .join('');
}

type Range = { readonly min: number; readonly max: number };

const rangeOf = (values: readonly number[]): Range => ({
  min: Math.min(...values),
  max: Math.max(...values),
});

/** Where a value lies between the ends, from 0 to 1; in the middle when there is only one value. */
const placeIn = (value: number, { min, max }: Range): number =>
  max === min ? 0.5 : (value - min) / (max - min);
