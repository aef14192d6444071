/** Pictures of a run: what a token costs in each case, and how that grows along each curve. Drawn by the program's own charts. */
import { drawChart } from '../../src/domain/pictures/draw-chart.ts';
import type { ChartSpec } from '../../src/domain/visuals.ts';
import { medianOf, type CaseResult } from './figures.ts';
import { curvesOf } from './growth.ts';

/** A picture beside the report. */
export type Plot = { readonly file: string; readonly alt: string; readonly svg: string };

const NO_SOURCE = { chipId: null, oldestAt: null, newestAt: null };

/** The picture of a case's costs; null where nothing of it was measured. */
export function costPlot({ name, what, rows }: CaseResult): Plot | null {
  const known = rows.flatMap(({ name: contender, runs }) => {
    const server = medianOf(runs, ({ serverUsPerToken }) => serverUsPerToken);
    const postgres = medianOf(runs, ({ postgresUsPerToken }) => postgresUsPerToken);
    return server === null ? [] : [{ contender, server, postgres }];
  });
  if (known.length === 0) return null;
  const bars = (part: string, of: (cost: (typeof known)[number]) => number | null) => ({
    type: 'bar',
    name: part,
    x: known.map(({ contender }) => contender),
    y: known.map(of),
  });
  return plotOf(name, {
    type: 'chart',
    kind: 'BAR',
    title: `Processor time of a token: ${what}`,
    data: [bars('server', ({ server }) => server), bars('Postgres', ({ postgres }) => postgres)],
    layout: { barmode: 'stack', yaxis: { title: { text: 'μs a token' } } },
  });
}

/** A picture for each curve, on logarithmic axes. */
export const growthPlots = (results: readonly CaseResult[]): readonly Plot[] =>
  curvesOf(results).map(({ of, lines }) =>
    plotOf(`growth of ${of}`, {
      type: 'chart',
      kind: 'LINE',
      title: `Processor time by ${of}`,
      data: lines.map(({ name, points }) => ({
        type: 'scatter',
        mode: 'lines+markers',
        name,
        x: points.map(({ size }) => size),
        y: points.map(({ costMs }) => costMs),
      })),
      layout: {
        xaxis: { type: 'log', title: { text: of } },
        yaxis: { type: 'log', title: { text: 'server and Postgres, ms in all' } },
      },
    }),
  );

/** @throws Error for a chart that cannot be drawn, which is a fault of this bench */
function plotOf(name: string, chart: ChartSpec): Plot {
  const picture = drawChart(chart, NO_SOURCE);
  if ('refused' in picture) throw new Error(`${name} was not drawn, because ${picture.refused}`);
  return { file: `${name.replaceAll(/[^a-z0-9]+/gu, '-')}.svg`, alt: chart.title, svg: picture.svg };
}

/** A plot as the report shows it. @param folder of the files, seen from the report */
export const plotLink = ({ file, alt }: Plot, folder: string): string => `![${alt}](${folder}/${file})`;
