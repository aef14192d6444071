/**
 * One parameter over time, up to eight lines (C1 and C2 of docs/chart-rules.md); more qubits are a ranking
 * (`ranking.ts`).
 */
import type { ChipTimeseries, ParameterSeries, SeriesPoint } from '../chip/chip-timeseries.ts';
import { compareQids } from '../qid.ts';
import type { ChartSpec, JsonObject } from '../visuals.ts';
import {
  ACCENT,
  axisTitle,
  MUTED,
  plainText,
  pointedText,
  SERIES_COLORS,
  titleOf,
  RATING_COLORS,
} from './drawing.ts';
import type { Metric } from '../values/metric.ts';

/** Most lines that a reader can distinguish. */
export const MAX_LINES = 8;

/** A shape for each line in addition to its colour, so that readers need not rely on colour alone. */
const SYMBOLS = ['circle', 'square', 'diamond', 'triangle-up', 'x', 'star', 'pentagon', 'triangle-down'];

/** The chart of up to {@link MAX_LINES} qubits' history; null where no line can be drawn from it. */
export function seriesChart(timeseries: ChipTimeseries): ChartSpec | null {
  const { title: name, displayUnit, metric } = timeseries;
  const drawn = timeseries.series
    .filter(({ points }) => points.length > 0)
    .toSorted((a, b) => compareQids(a.qid, b.qid));
  const hasLine = drawn.some(({ points }) => points.length > 1);
  if (!hasLine || drawn.length > MAX_LINES) return null;
  const range = rangeOf(drawn);
  const title = `${name} of ${drawn.map(({ label }) => label).join(', ')}`;
  return {
    type: 'chart',
    kind: 'LINE',
    title,
    data: drawn.map(lineOf),
    layout: {
      title: titleOf(title),
      xaxis: { type: 'date', title: { text: 'Time (UTC)' }, automargin: true },
      yaxis: { title: axisTitle(name, displayUnit), range, automargin: true },
      showlegend: drawn.length > 1,
      shapes: [...thresholdBands(metric, range), ...cooldownLines(drawn)],
    },
  };
}

/** A line with markers; a gap where the chip warmed up in between, since such values do not belong together. */
function lineOf({ label, points, displayUnit: unit }: ParameterSeries, index: number): JsonObject {
  const withGaps = points.flatMap((point, at): (SeriesPoint | null)[] => {
    const before = points[at - 1];
    return before !== undefined && before.cooldownId !== point.cooldownId ? [null, point] : [point];
  });
  const hasErrors = points.some(({ displayError }) => displayError !== null && displayError > 0);
  const [color, symbol] = [SERIES_COLORS[index] ?? ACCENT, SYMBOLS[index] ?? 'circle'];
  return {
    type: 'scatter',
    mode: 'lines+markers',
    name: plainText(label),
    x: withGaps.map((point) => point?.at.toISOString() ?? null),
    y: withGaps.map((point) => point?.displayValue ?? null),
    connectgaps: false,
    line: { color, width: 1.5 },
    marker: { color, symbol, size: 6 },
    hovertext: withGaps.map((point) =>
      point === null
        ? null
        : pointedText({ label, value: point.displayValue, error: point.displayError, unit, at: point.at }),
    ),
    hoverinfo: 'text',
    ...(hasErrors && {
      error_y: {
        type: 'data',
        array: withGaps.map((point) => point?.displayError ?? null),
        visible: true,
        thickness: 1,
        width: 2,
      },
    }),
  };
}

/** Where a new cool-down begins: the reason of a gap, with its name. */
function cooldownLines(series: readonly ParameterSeries[]): readonly JsonObject[] {
  const points = series.flatMap((each) => each.points).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const [first = 0, last = 0] = [points.at(0)?.at.getTime(), points.at(-1)?.at.getTime()];
  const begun = new Map(points.toReversed().map(({ cooldownId, at }) => [cooldownId, at]));
  return [...begun]
    .toSorted(([, a], [, b]) => a.getTime() - b.getTime())
    .slice(1)
    .flatMap(([cooldownId, at]) => {
      const isLate = at.getTime() - first > last - at.getTime();
      return cooldownId === null ? [] : [cooldownLine(cooldownId, at, isLate ? 'right' : 'left')];
    });
}

/** `anchor` is the side of the label on which the line is drawn. */
const cooldownLine = (cooldownId: string, at: Date, anchor: 'left' | 'right'): JsonObject => ({
  type: 'line',
  x0: at.toISOString(),
  x1: at.toISOString(),
  yref: 'paper',
  y0: 0,
  y1: 1,
  layer: 'below',
  line: { width: 1, dash: 'dot', color: MUTED },
  label: {
    text: plainText(`cool-down ${cooldownId}`),
    textposition: 'start',
    textangle: 0,
    xanchor: anchor,
    yanchor: 'bottom',
    font: { size: 10 },
  },
});

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

/** Part of the axis that a band must fill to have its name written into it. */
const NAMED_SHARE = 0.08;

/**
 * Shaded bands of a metric's thresholds, as far as they reach into the range of the y axis; none without good or bad.
 */
export function thresholdBands(
  metric: Metric | null,
  [bottom, top]: readonly [number, number],
): readonly JsonObject[] {
  if (metric === null || metric.direction === 'NEUTRAL') return [];
  const { excellent, good, bad, direction } = metric;
  const best = direction === 'HIGHER_IS_BETTER' ? top : bottom;
  const worst = direction === 'HIGHER_IS_BETTER' ? bottom : top;
  const bands = [
    { name: 'excellent', from: excellent, to: best, color: RATING_COLORS.EXCELLENT },
    { name: 'good', from: good, to: excellent ?? best, color: RATING_COLORS.GOOD },
    { name: 'bad', from: bad, to: worst, color: RATING_COLORS.BAD },
  ];
  return bands.flatMap(({ name, from, to, color }) => {
    if (from === null) return [];
    const y0 = Math.max(bottom, Math.min(from, to));
    const y1 = Math.min(top, Math.max(from, to));
    if (y1 <= y0) return [];
    return [bandOf(y1 - y0 > (top - bottom) * NAMED_SHARE ? name : '', y0, y1, color)];
  });
}

const bandOf = (name: string, y0: number, y1: number, color: string): JsonObject => ({
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
  label: { text: name, textposition: 'top right', font: { size: 10 } },
});
