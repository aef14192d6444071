/** Histograms, which replace bars where there are too many of them. */
import { formatQuantity } from '../text/display-text.ts';
import { medianOf } from '../values/statistics.ts';
import type { ChartSpec, JsonObject } from '../visuals.ts';
import { axisTitle, plainText, titleOf } from './drawing.ts';

/** What is counted, in stacked groups of one colour each. Values are in `unit`. */
export type Distribution = {
  readonly title: string;
  /** What the values are. */
  readonly valueTitle: string;
  readonly unit: string;
  /** What is counted, as `Qubits`. */
  readonly counted: string;
  /** Empty names need no legend. */
  readonly groups: readonly {
    readonly name: string;
    readonly color: string;
    readonly values: readonly number[];
  }[];
};

/** The histogram, with a line at the median of all. */
export function distributionChart({ title, valueTitle, unit, counted, groups }: Distribution): ChartSpec {
  const filled = groups.filter(({ values }) => values.length > 0);
  const median = medianOf(filled.flatMap(({ values }) => values));
  return {
    type: 'chart',
    kind: 'HISTOGRAM',
    title,
    data: filled.map(({ name, color, values }) => ({
      type: 'histogram',
      name: plainText(name),
      x: values,
      marker: { color, line: { width: 0 } },
      hovertemplate: `%{y} at %{x} ${plainText(unit)}<extra></extra>`,
    })),
    layout: {
      title: titleOf(title, median === null ? '' : `Dashed: median ${formatQuantity(median, unit)}`),
      barmode: 'stack',
      bargap: 0.04,
      xaxis: { title: axisTitle(valueTitle, unit), automargin: true },
      yaxis: { title: { text: counted }, automargin: true, tickformat: 'd' },
      showlegend: filled.some(({ name }) => name !== ''),
      legend: { traceorder: 'normal' },
      shapes: median === null ? [] : [medianLine(median)],
    },
  };
}

const medianLine = (median: number): JsonObject => ({
  type: 'line',
  x0: median,
  x1: median,
  yref: 'paper',
  y0: 0,
  y1: 1,
  line: { width: 1.5, dash: 'dash', color: '#868e96' },
});
