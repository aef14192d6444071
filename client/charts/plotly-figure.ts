/**
 * How a client draws a chart with `plotly.js-cartesian-dist-min`: the chart's own traces and layout, the
 * colours of the page, and a size for the width there is. Pure; independent of React and the DOM.
 *
 * The chart's title is the heading of the section it is in, with the caption below it, as text that wraps and
 * that a screen reader finds; Plotly draws none. Charts of kind `INDICATOR` are cards and not Plotly's to
 * draw: see `card.ts`.
 */
import { z } from 'zod';

/** Colours of the page around a chart. */
export type ChartTheme = 'light' | 'dark';

/** Where a chart is shown; with a height, the chart fills it. */
export type ChartPlace = {
  readonly theme: ChartTheme;
  readonly widthPx: number;
  readonly heightPx?: number;
};

type JsonObject = Readonly<Record<string, unknown>>;

/** A chart as the server sends it. */
export type ChartParts = { readonly data: readonly JsonObject[]; readonly layout: JsonObject };

/** Arguments of `Plotly.newPlot`, behind the element. */
export type PlotlyFigure = ChartParts & { readonly config: JsonObject };

const COLORS = {
  light: { text: '#1f2328', faint: '#59636e', grid: '#e4e7eb', page: '#ffffff' },
  dark: { text: '#e6e8eb', faint: '#9198a1', grid: '#31363d', page: '#16191d' },
};

/** For charts that bring no colours of their own: distinguishable for colour-blind readers, in both colour schemes. */
const SERIES = ['#4c6ef5', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#a6761d', '#868e96'];

const DEFAULT_HEIGHT_PX = 340;

/** The figure for a place. */
export function plotlyFigure({ data, layout }: ChartParts, place: ChartPlace): PlotlyFigure {
  const { title: _heading, margin: _forTheTitle, ...own } = layout;
  const { theme, widthPx, heightPx = 0 } = place;
  const grid = gridPlace(data, layout, place);
  const size = grid === null ? { height: DEFAULT_HEIGHT_PX, width: widthPx } : grid.size;
  const { height } = { ...size, ...own };
  // A chart with many rows has a height of its own, which is more.
  const filled = grid === null && heightPx > Number(height) ? { height: heightPx } : {};
  return {
    data: grid === null ? data : textsThatFit(data, grid.cellPx),
    layout: { ...size, ...own, ...filled, template: templateOf(theme) },
    // Its buttons would lie on the chart; zooming and going back (a double click) work without them.
    config: { displayModeBar: false, responsive: true },
  };
}

const EXPORT_HEAD_PX = 72;

/** The figure as a picture of its own: `title` and `caption` above it, on the colour of the page. */
export function exportFigure(
  chart: ChartParts,
  { title, caption, ...place }: ChartPlace & { readonly title: string; readonly caption: string },
): PlotlyFigure & { readonly sizePx: { readonly width: number; readonly height: number } } {
  const heightPx = place.heightPx === undefined ? {} : { heightPx: place.heightPx - EXPORT_HEAD_PX };
  const { data, layout, config } = plotlyFigure(chart, { ...place, ...heightPx });
  const sides = { l: MARGIN_PX, r: 2 * MARGIN_PX, b: MARGIN_PX };
  const { margin } = z.looseObject({ margin: z.looseObject({}).default({}) }).parse(layout);
  const size = {
    width: Number(layout['width'] ?? place.widthPx),
    height: Number(layout['height'] ?? DEFAULT_HEIGHT_PX) + EXPORT_HEAD_PX,
  };
  const words = {
    text: plotlyText(title),
    subtitle: { text: plotlyText(caption) },
    x: 0,
    xref: 'paper',
    xanchor: 'left',
    y: 1 - 24 / size.height,
    yanchor: 'middle',
  };
  return {
    data,
    layout: {
      ...layout,
      ...size,
      title: words,
      margin: { ...sides, ...margin, t: MARGIN_PX + EXPORT_HEAD_PX },
      paper_bgcolor: COLORS[place.theme].page,
    },
    config,
    sizePx: size,
  };
}

/** Plain text as Plotly's. */
const plotlyText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The caption below the heading; null for most charts. */
export function captionOf(layout: JsonObject): string | null {
  const title = z.object({ title: z.object({ subtitle: z.object({ text: z.string() }) }) }).safeParse(layout);
  return title.success ? asText(title.data.title.subtitle.text) : null;
}

/** Plotly's text as plain text. */
const asText = (text: string): string =>
  text.replaceAll('<br>', ' ').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

const range = z.tuple([z.number(), z.number()]);
const gridLayout = z.object({
  xaxis: z.object({ range }),
  yaxis: z.object({ range, scaleanchor: z.literal('x') }),
});

const MAX_CELL_PX = 72;
const MARGIN_PX = 8;
const COLOR_BAR_PX = 64;

/** Size of a chart with square cells, chosen so that no space stays empty; null for other charts. */
function gridPlace(
  data: readonly JsonObject[],
  layout: JsonObject,
  { widthPx, heightPx }: Omit<ChartPlace, 'theme'>,
) {
  const grid = gridLayout.safeParse(layout);
  if (!grid.success) return null;
  const [columns, rows] = [grid.data.xaxis, grid.data.yaxis].map(({ range: [from, to] }) =>
    Math.abs(to - from),
  );
  if (!columns || !rows) return null;
  const right = MARGIN_PX + (data.some((trace) => 'colorbar' in trace) ? COLOR_BAR_PX : 0);
  const maxCellPx = heightPx === undefined ? MAX_CELL_PX : (heightPx - 2 * MARGIN_PX) / rows;
  const cellPx = Math.min(maxCellPx, (widthPx - MARGIN_PX - right) / columns);
  return {
    cellPx,
    size: {
      width: Math.ceil(columns * cellPx + MARGIN_PX + right),
      height: Math.ceil(rows * cellPx + 2 * MARGIN_PX),
      margin: { l: MARGIN_PX, r: right, t: MARGIN_PX, b: MARGIN_PX },
    },
  };
}

/** Smaller text is illegible; the tooltip of a cell has its value. */
const MIN_TEXT_PX = 7;
/** Parts of its size that a character is wide, and that a line is high. */
const CHARACTER_WIDTH = 0.62;
const LINE_HEIGHT = 1.35;

const texts = z.object({
  mode: z.literal('markers+text'),
  text: z.array(z.string()),
  textfont: z.looseObject({ size: z.number() }),
  textposition: z.string().default('middle center'),
});

function textsThatFit(data: readonly JsonObject[], cellPx: number): readonly JsonObject[] {
  return data.map((trace) => {
    const found = texts.safeParse(trace);
    if (!found.success) return trace;
    const { text, textfont: font, textposition } = found.data;
    // Beside a mark there is half a cell to its right, and the cell's whole height.
    const room = { width: textposition === 'middle center' ? cellPx : cellPx / 2, height: cellPx };
    const size = Math.min(font.size, ...text.map((one) => sizeIn(room, one)));
    if (size >= MIN_TEXT_PX) return { ...trace, textfont: { ...font, size } };
    const { text: _text, textfont: _textfont, textposition: _textposition, ...marks } = trace;
    return { ...marks, mode: 'markers' };
  });
}

/** Size at which a text fills its room. */
function sizeIn(
  { width, height }: { readonly width: number; readonly height: number },
  text: string,
): number {
  const lines = text.split('<br>');
  const longest = Math.max(1, ...lines.map((line) => line.length));
  return Math.min(width / (longest * CHARACTER_WIDTH), height / (lines.length * LINE_HEIGHT));
}

/** Defaults, which a chart's own layout wins over. */
function templateOf(theme: ChartTheme): JsonObject {
  const { text, faint, grid, page } = COLORS[theme];
  const axis = {
    gridcolor: grid,
    linecolor: grid,
    zerolinecolor: grid,
    tickfont: { color: faint },
    automargin: true,
  };
  return {
    layout: {
      paper_bgcolor: 'rgba(0,0,0,0)',
      plot_bgcolor: 'rgba(0,0,0,0)',
      colorway: SERIES,
      font: { family: 'system-ui, sans-serif', size: 12, color: text },
      margin: { l: MARGIN_PX, r: 2 * MARGIN_PX, t: MARGIN_PX, b: MARGIN_PX },
      hoverlabel: { bgcolor: page, bordercolor: faint, font: { color: text }, align: 'left' },
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' },
      xaxis: { ...axis, ticklabelstandoff: 6 },
      yaxis: { ...axis, title: { standoff: 12 } },
    },
  };
}
