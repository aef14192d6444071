/**
 * One parameter over time. Rule C1: one qubit, a line with error bars over threshold bands. Rule C2: two to eight qubits, a
 * line each. More qubits are a ranking (`ranking.ts`).
 */
import type { ChipTimeseries, ParameterSeries, SeriesPoint } from '../chip-timeseries.ts';
import type { Metric } from '../metric.ts';
import { compareQids } from '../qid.ts';
import type { ChartSpec, JsonObject } from '../visuals.ts';

/** Most lines that can be told apart. */
export const MAX_LINES = 8;

/** The chart of up to {@link MAX_LINES} qubits' history; null where no line can be drawn from it. */
export function seriesChart(timeseries: ChipTimeseries): ChartSpec | null {
  const { title, displayUnit, metric } = timeseries;
  const drawn = timeseries.series
    .filter(({ points }) => points.length > 0)
    .toSorted((a, b) => compareQids(a.qid, b.qid));
  const hasLine = drawn.some(({ points }) => points.length > 1);
  if (!hasLine || drawn.length > MAX_LINES) return null;
  const range = rangeOf(drawn);
  const who = drawn.map(({ label }) => label).join(', ');
  return {
    type: 'chart',
    kind: 'LINE',
    title: `${title} of ${who}`,
    data: drawn.map(lineOf),
    layout: {
      title: { text: `${title} of ${who}` },
      xaxis: { type: 'date', title: { text: 'Time (UTC)' } },
      yaxis: { title: { text: displayUnit === '' ? title : `${title} (${displayUnit})` }, range },
      showlegend: drawn.length > 1,
      shapes: metric === null ? [] : bandsOf(metric, range),
    },
  };
}

/** A line with markers; a gap where the chip warmed up in between, since such values do not belong together. */
function lineOf({ label, points, displayUnit }: ParameterSeries): JsonObject {
  const withGaps = points.flatMap((point, index): (SeriesPoint | null)[] => {
    const before = points[index - 1];
    return before !== undefined && before.cooldownId !== point.cooldownId ? [null, point] : [point];
  });
  const hasErrors = points.some(({ displayError }) => displayError !== null && displayError > 0);
  return {
    type: 'scatter',
    mode: 'lines+markers',
    name: label,
    x: withGaps.map((point) => point?.at.toISOString() ?? null),
    y: withGaps.map((point) => point?.displayValue ?? null),
    connectgaps: false,
    hovertemplate: `%{y} ${displayUnit}<br>%{x} UTC<extra>${label}</extra>`,
    ...(hasErrors
      ? { error_y: { type: 'data', array: withGaps.map((point) => point?.displayError ?? 0), visible: true } }
      : {}),
  };
}

/** All points with their error bars, and a tenth of air. */
function rangeOf(series: readonly ParameterSeries[]): readonly [number, number] {
  const ends = series.flatMap(({ points }) =>
    points.flatMap(({ displayValue, displayError }) => [
      displayValue - (displayError ?? 0),
      displayValue + (displayError ?? 0),
    ]),
  );
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const air = (high - low || Math.abs(high) || 1) / 10;
  return [low - air, high + air];
}

const BAND_COLORS = { excellent: '#2f9e44', good: '#94d82d', bad: '#fa5252' };

/** Shaded bands of the thresholds, as far as they reach into the chart. */
function bandsOf(metric: Metric, [bottom, top]: readonly [number, number]): readonly JsonObject[] {
  const { excellent, good, bad, direction } = metric;
  if (direction === 'NEUTRAL') return [];
  const best = direction === 'HIGHER_IS_BETTER' ? top : bottom;
  const worst = direction === 'HIGHER_IS_BETTER' ? bottom : top;
  const bands = [
    { from: excellent, to: best, color: BAND_COLORS.excellent },
    { from: good, to: excellent ?? best, color: BAND_COLORS.good },
    { from: bad, to: worst, color: BAND_COLORS.bad },
  ];
  return bands.flatMap(({ from, to, color }) => {
    if (from === null) return [];
    const y0 = Math.max(bottom, Math.min(from, to));
    const y1 = Math.min(top, Math.max(from, to));
    return y1 > y0 ? [band(y0, y1, color)] : [];
  });
}

const band = (y0: number, y1: number, color: string): JsonObject => ({
  type: 'rect',
  xref: 'paper',
  x0: 0,
  x1: 1,
  yref: 'y',
  y0,
  y1,
  fillcolor: color,
  opacity: 0.12,
  line: { width: 0 },
  layer: 'below',
});
