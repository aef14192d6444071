/** Charts in a real Chromium, drawn with the library that clients use. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cardsOf } from '../../client/charts/card.ts';
import { captionOf, plotlyFigure, type ChartPlace } from '../../client/charts/plotly-figure.ts';
import type { ChartSpec } from '../../src/domain/visuals.ts';
import { gatherComplaints, openBrowser } from './chromium.ts';

/** What stands in the document; see `page.js`. */
export type Drawn = {
  readonly text: string;
  /** Texts that reach out of the figure's box. */
  readonly outside: readonly string[];
  /** Pairs of texts that lie on each other. */
  readonly overlaps: readonly string[];
  readonly lines: number;
  readonly points: number;
  readonly bars: number;
  readonly cellTexts: number;
  readonly cells: number;
  readonly errorBars: number;
  /** Lines, points, bars, cells and boxes. */
  readonly marks: number;
  readonly shapes: number;
  /** Elements that no chart of ours has: scripts, links, pictures, handlers. */
  readonly foreign: readonly string[];
  /** What Plotly did not understand of the chart. */
  readonly invalid: readonly string[];
  /** Warnings and errors of the browser's console, and requests that the page made. */
  readonly complaints: readonly string[];
};

/** What pointing at a point brought. */
export type Hovered = Pick<Drawn, 'foreign' | 'complaints'> & { readonly lines: readonly string[] };

/** One page, used for one chart after the other. */
export type ChartPage = {
  draw(chart: ChartSpec, place: ChartPlace): Promise<Drawn>;
  /**
   * What shows when pointing at a point of the chart drawn last, line by line, and what then stands in the document.
   */
  hover(trace: number, point: number | readonly [number, number]): Promise<Hovered>;
  /** A picture of the chart drawn last. */
  picture(path: string): Promise<void>;
  close(): Promise<void>;
};

const STYLE = `
  html { color-scheme: light; background: #fff; color: #1f2328; font-family: system-ui, sans-serif; }
  html[data-theme=dark] { color-scheme: dark; background: #16191d; color: #e6e8eb; }
  body { margin: 0; }
  .chart { box-sizing: border-box; padding: 12px; overflow: hidden; }
  .heading { font-size: 14px; font-weight: 600; margin: 0 0 4px; }
  .note { font-size: 12px; opacity: 0.75; margin: 0 0 6px; }
  .card { border: 1px solid #8884; border-radius: 8px; padding: 12px 16px; max-width: 320px; }
  .card .value { font-size: 32px; margin: 4px 0; }
  .card .unit { font-size: 16px; margin-left: 6px; opacity: 0.75; }
`;
const PADDING_PX = 12;

/** Starts a browser of its own; the caller closes the page. */
export async function openChartPage(): Promise<ChartPage> {
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const complaints: string[] = [];
  gatherComplaints(page, complaints);
  page.on('request', (request) => {
    if (/^(https?|file):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  await page.setContent(`<!doctype html><style>${STYLE}</style><body>`);
  const plotly = createRequire(import.meta.url).resolve('plotly.js-cartesian-dist-min');
  await page.addScriptTag({ content: await readFile(plotly, 'utf8') });
  await page.addScriptTag({ content: await readFile(new URL('page.js', import.meta.url), 'utf8') });
  const inPage = async (call: string, argument: unknown): Promise<unknown> =>
    page.evaluate(`qpilot.${call}(${JSON.stringify(argument)})`);
  return {
    async draw(chart, place) {
      complaints.length = 0;
      const cards = cardsOf(chart);
      const plot = { ...place, widthPx: place.widthPx - 2 * PADDING_PX };
      const invalid = await inPage('draw', {
        ...place,
        heading: chart.title,
        caption: captionOf(chart.layout),
        figure: cards === null ? plotlyFigure(chart, plot) : null,
        cards,
      });
      const drawn = (await inPage('inspect', null)) as Omit<Drawn, 'invalid' | 'complaints'>;
      return { ...drawn, invalid: invalid as readonly string[], complaints: [...complaints] };
    },
    async hover(trace, point) {
      const lines = await page.evaluate(`qpilot.hover(${trace}, ${JSON.stringify(point)})`);
      const { foreign } = (await inPage('inspect', null)) as Drawn;
      return { lines: lines as readonly string[], foreign, complaints: [...complaints] };
    },
    picture: async (path) => {
      await page.locator('#chart').screenshot({ path });
    },
    close: () => browser.close(),
  };
}
