/**
 * Charts whose kind and fields a model chose. The values are those of stored rows; the choice is marked as the model's, in
 * words under the title and for programs in `layout.meta`.
 */
import type { ChartKind, ChartSpec, Json, JsonObject, Visual } from '../visuals.ts';

/** Kinds that a model may ask for: `bar` lies, `column` stands. */
export const MODEL_CHART_TYPES = ['bar', 'column', 'stacked_column', 'line', 'scatter'] as const;
/** One of {@link MODEL_CHART_TYPES}. */
export type ModelChartType = (typeof MODEL_CHART_TYPES)[number];

/** What is drawn: of each row `xField`, and `yField` of each series. Labels may be empty. */
export type ModelChart = {
  readonly type: ModelChartType;
  readonly rows: readonly JsonObject[];
  readonly xField: string;
  readonly series: readonly { readonly name: string; readonly yField: string }[];
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly note: string;
  /** Where the rows are from, in words. */
  readonly source: string;
};

/** Marks a chart in its `layout.meta`, for programs. */
export const MADE_BY_MODEL = { madeBy: 'model' };

/** The chart; values that are missing are gaps. */
export function modelChart(chart: ModelChart): ChartSpec {
  const { type, rows, xField, series, title, xLabel, yLabel, note, source } = chart;
  const isLying = type === 'bar';
  const positions = rows.map((row) => row[xField] ?? null);
  const firstName = series[0]?.name ?? '';
  const [xTitle, yTitle] = [xLabel || xField, yLabel || (series.length === 1 ? firstName : '')];
  const subtitle = [`Chosen by the model from ${source}`, note].filter((text) => text !== '').join('. ');
  return {
    type: 'chart',
    kind: KINDS[type],
    title,
    data: series.map(({ name, yField }) => {
      const values = rows.map((row) => row[yField] ?? null);
      return {
        ...TRACES[type],
        name,
        ...(isLying ? { x: values, y: positions } : { x: positions, y: values }),
      };
    }),
    layout: {
      title: { text: title, subtitle: { text: subtitle } },
      xaxis: { title: { text: isLying ? yTitle : xTitle } },
      // The first row is to be read first, so it stands at the top.
      yaxis: { title: { text: isLying ? xTitle : yTitle }, ...(isLying && { autorange: 'reversed' }) },
      ...(type === 'stacked_column' && { barmode: 'stack' }),
      showlegend: series.length > 1,
      meta: MADE_BY_MODEL,
    },
  };
}

const KINDS: Readonly<Record<ModelChartType, ChartKind>> = {
  bar: 'BAR',
  column: 'BAR',
  stacked_column: 'BAR',
  line: 'LINE',
  scatter: 'SCATTER',
};

const TRACES: Readonly<Record<ModelChartType, JsonObject>> = {
  bar: { type: 'bar', orientation: 'h' },
  column: { type: 'bar' },
  stacked_column: { type: 'bar' },
  line: { type: 'scatter', mode: 'lines+markers', connectgaps: false },
  scatter: { type: 'scatter', mode: 'markers' },
};

/** Whether a model chose what a visual shows. */
export const isModelMade = (visual: Visual): boolean =>
  visual.type === 'chart' && isObject(visual.layout['meta']) && visual.layout['meta']['madeBy'] === 'model';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
