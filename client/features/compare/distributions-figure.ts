/** Two distributions over each other, in the same bins. Pure. */
import type { ChartParts } from '../../charts/plotly-figure.ts';

const BINS = 24;
const COLORS = ['#4c6ef5', '#e69f00'] as const;

export function distributionsFigure(
  metric: { readonly title: string; readonly unit: string },
  sides: readonly { readonly name: string; readonly values: readonly number[] }[],
  counted: string,
): ChartParts {
  const all = sides.flatMap(({ values }) => values);
  const [start, end] = [Math.min(...all), Math.max(...all)];
  const size = (end - start || Math.abs(end) || 1) / BINS;
  return {
    data: sides.map(({ name, values }, index) => ({
      type: 'histogram',
      name,
      x: values,
      xbins: { start, end: end + size, size },
      opacity: 0.6,
      marker: { color: COLORS[index], line: { width: 1, color: 'rgba(127,127,127,0.4)' } },
      hovertemplate: '%{x}: %{y}<extra>%{fullData.name}</extra>',
    })),
    layout: {
      height: 280,
      barmode: 'overlay',
      showlegend: true,
      legend: { orientation: 'h', y: 1.15 },
      xaxis: { title: { text: metric.unit === '' ? metric.title : `${metric.title} (${metric.unit})` } },
      yaxis: { title: { text: counted }, rangemode: 'tozero' },
    },
  };
}
