/**
 * Charts whose kind and fields a model chose. The values are those of stored rows; the choice is marked as the
 * model's, in words under the title and for programs in `layout.meta`.
 */
import type { DataSource } from '../values/freshness.ts';
import {
  isJsonObject,
  type ChartKind,
  type ChartSpec,
  type Json,
  type JsonObject,
  type Visual,
} from '../visuals.ts';
import { plainText, SERIES_COLORS, titleOf } from './drawing.ts';

/** Kinds that a model may ask for: `bar` is horizontal, `column` vertical. */
export const MODEL_CHART_TYPES = ['bar', 'column', 'stacked_column', 'line', 'scatter'] as const;
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
  const positions = rows.map((row) => drawn(row[xField] ?? null));
  const pointed = namesOf(rows, xField);
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
        name: plainText(name),
        ...(pointed !== null && { hovertext: pointed }),
        ...(isLying ? { x: values, y: positions } : { x: positions, y: values }),
      };
    }),
    layout: {
      title: titleOf(title, subtitle),
      colorway: SERIES_COLORS,
      xaxis: { title: { text: plainText(isLying ? yTitle : xTitle) }, automargin: true },
      // The first row is at the top.
      yaxis: {
        title: { text: plainText(isLying ? xTitle : yTitle) },
        automargin: true,
        ...(isLying && { autorange: 'reversed' }),
      },
      ...(type === 'stacked_column' && { barmode: 'stack' }),
      showlegend: series.length > 1,
      meta: MADE_BY_MODEL,
    },
  };
}

const drawn = (value: Json): Json => (typeof value === 'string' ? plainText(value) : value);

/** What each row is about, for pointing at it, where that is not on an axis. */
function namesOf(rows: readonly JsonObject[], xField: string): readonly Json[] | null {
  const field = ['label', 'qid', 'coupling'].find(
    (name) => name !== xField && rows.some((row) => row[name] !== undefined),
  );
  return field === undefined ? null : rows.map((row) => drawn(row[field] ?? ''));
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
  visual.type === 'chart' &&
  isJsonObject(visual.layout['meta']) &&
  visual.layout['meta']['madeBy'] === 'model';

/** Whether a rule made a visual of stored results. Rows of an uploaded table are not: the model chose those too. */
export const isByRule = (visual: Visual, source: DataSource | null): boolean =>
  source !== 'DATASET' && !isModelMade(visual);
