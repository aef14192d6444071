/** Pictures of a run: what a token costs in each case, and how that grows along each curve. Drawn by the program's own charts. */
import { drawChart } from '../../src/domain/pictures/draw-chart.ts';
import type { ChartSpec } from '../../src/domain/visuals.ts';
import { medianOf, type CaseResult } from './figures.ts';
import { curvesOf } from './growth.ts';

/** A picture beside the report; drawn when it is written. */
export type Plot = { readonly file: string; readonly chart: ChartSpec };

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

const plotOf = (name: string, chart: ChartSpec): Plot => ({
  file: `${name.replaceAll(/[^a-z0-9]+/gu, '-')}.svg`,
  chart,
});

/** A plot as SVG. @throws Error for a chart that cannot be drawn, which is a fault of this bench */
export function drawPlot({ file, chart }: Plot): string {
  const picture = drawChart(chart, NO_SOURCE);
  if ('refused' in picture) throw new Error(`${file} was not drawn, because ${picture.refused}`);
  return picture.svg;
}

/** A plot as the report shows it. @param folder of the files, seen from the report */
export const plotLink = ({ file, chart }: Plot, folder: string): string =>
  `![${chart.title}](${folder}/${file})`;
