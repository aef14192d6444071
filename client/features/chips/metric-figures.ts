/** The figures that the pages make themselves from values of the API, in its units. Pure. */
import type { ChartParts } from '../../charts/plotly-figure.ts';
import type { MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { thresholdBands, thresholdLines, type RatingWords } from './threshold-shapes.ts';

type Metric = Pick<MetricOfCatalogueFragment, 'title' | 'unit' | 'direction' | 'good' | 'excellent' | 'bad'>;

const MAX_BINS = 24;
/** Room above and below the lines of a trend, as a part of their range. */
const HEADROOM = 0.08;

const axisTitle = ({ title, unit }: Metric): string => (unit === '' ? title : `${title} (${unit})`);

/** How the values of a metric are distributed, with its thresholds. */
export function distributionFigure(
  metric: Metric,
  values: readonly number[],
  words: { readonly counted: string; readonly ratings: RatingWords },
): ChartParts {
  const range = [Math.min(...values), Math.max(...values)] as const;
  return {
    data: [
      {
        type: 'histogram',
        x: values,
        nbinsx: MAX_BINS,
        marker: { line: { width: 1, color: 'rgba(127,127,127,0.4)' } },
        hovertemplate: '%{x}: %{y}<extra></extra>',
      },
    ],
    layout: {
      height: 220,
      bargap: 0.04,
      xaxis: { title: { text: axisTitle(metric) } },
      // Room for the labels of the thresholds.
      yaxis: { title: { text: words.counted }, rangemode: 'tozero', domain: [0, 0.9] },
      shapes: thresholdLines(metric, range, words.ratings),
    },
  };
}

/** A result of a trend; the error in the unit of the value. */
export type TrendPoint = {
  readonly at: string;
  readonly value: number;
  readonly error: number | null;
  readonly taskId: string | null;
};

/** How a parameter of some qubits or couplings went over time, with their errors, over the bands of the metric's thresholds. */
export function trendFigure(
  metric: Metric,
  series: readonly { readonly label: string; readonly points: readonly TrendPoint[] }[],
  ratings: RatingWords,
): ChartParts {
  const ends = series.flatMap(({ points }) =>
    points.flatMap(({ value, error }) => [value - (error ?? 0), value + (error ?? 0)]),
  );
  const range = rangeAround(ends);
  return {
    data: series.map(({ label, points }) => ({
      type: 'scatter',
      mode: 'lines+markers',
      name: label,
      x: points.map(({ at }) => at),
      y: points.map(({ value }) => value),
      customdata: points.map(({ taskId }) => taskId),
      error_y: { type: 'data', array: points.map(({ error }) => error), thickness: 1, width: 2 },
      marker: { size: 5 },
      line: { width: 1.5 },
      hovertemplate: `%{y} ${metric.unit}<br>%{x}<extra>${label}</extra>`,
    })),
    layout: {
      height: 270,
      showlegend: series.length > 1,
      yaxis: { title: { text: axisTitle(metric) }, ...(range && { range }) },
      shapes: range === null ? [] : thresholdBands(metric, range, ratings),
    },
  };
}

function rangeAround(values: readonly number[]): readonly [number, number] | null {
  if (values.length === 0) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low || Math.abs(high) || 1) * HEADROOM;
  return [low - room, high + room];
}
