/** What stands above a picture, and what it is in words. */
import { formatMeasured } from '../text/display-text.ts';
import type { ChartSpec, JsonObject } from '../visuals.ts';
import { PAGE } from './colors.ts';
import { objectIn, textIn, titleIn } from './read.ts';
import type { PictureSource } from './source.ts';
import { words } from './svg.ts';
import { LINE_HEIGHT, plainLines, printable, wrapped } from './text.ts';

/** Around a picture, in pixels. */
export const MARGIN = 16;

/** What the picture shows, in a line: for those who do not see it. */
export function pictureWords(chart: ChartSpec, source: PictureSource): string {
  const axes = ['xaxis', 'yaxis'].map((name) => plainLines(titleIn(objectIn(chart.layout, name))).join(' '));
  const [across, upwards] = axes;
  return [
    `${KIND_WORDS[chart.kind]}: ${printable(chart.title)}`,
    captionOf(chart.layout),
    sourceWords(chart, source),
    across ? `x axis: ${across}` : '',
    upwards ? `y axis: ${upwards}` : '',
  ]
    .filter((each) => each !== '')
    .join('. ');
}

const KIND_WORDS: Readonly<Record<ChartSpec['kind'], string>> = {
  HEATMAP: 'Heatmap',
  LINE: 'Lines',
  BAR: 'Bars',
  SCATTER: 'Points',
  HISTOGRAM: 'Histogram',
  BOX: 'Boxes',
  GRAPH: 'Graph',
  INDICATOR: 'Value',
};

const captionOf = (layout: JsonObject): string =>
  plainLines(textIn(objectIn(objectIn(layout, 'title'), 'subtitle'), 'text') ?? '')
    .join(' ')
    .trim();

/** `demo-64, measured 2026-05-18 23:21 to 2026-05-19 23:22 UTC`; a chip that the title names is not named again. */
function sourceWords({ title, kind }: ChartSpec, { chipId, oldestAt, newestAt }: PictureSource): string {
  const chip = chipId === null || title.includes(chipId) ? [] : [printable(chipId)];
  if (oldestAt === null || newestAt === null) return chip.join('');
  // no claim: the freshness of a series is taken from its newest result
  const which = kind === 'LINE' ? 'the newest values ' : '';
  return [...chip, `${which}${formatMeasured(oldestAt, newestAt)}`].join(', ');
}

/** Title, caption and source, and how much room they take. */
export type Head = { readonly heightPx: number; readonly svg: string };

export function headOf(chart: ChartSpec, source: PictureSource, widthPx: number): Head {
  const { title, layout } = chart;
  const room = widthPx - 2 * MARGIN;
  const blocks = [
    { lines: wrapped(printable(title), room / 1.05, 16, 3), size: 16, fill: PAGE.text, isBold: true },
    { lines: wrapped(captionOf(layout), room, 12, 3), size: 12, fill: PAGE.faint },
    { lines: wrapped(sourceWords(chart, source), room, 12, 2), size: 12, fill: PAGE.faint },
  ];
  let y = MARGIN;
  const svg = blocks
    .filter(({ lines }) => lines.join('') !== '')
    .map((block) => {
      const drawn = words({ ...block, x: MARGIN, y });
      y += block.lines.length * block.size * LINE_HEIGHT + 2;
      return drawn;
    });
  return { heightPx: y + 6, svg: svg.join('') };
}
