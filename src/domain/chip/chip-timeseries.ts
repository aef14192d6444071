import type { TwinAnswer } from '../qid.ts';
import { freshnessOf, type Freshness } from '../values/freshness.ts';
import type { UsableMeasurement } from '../values/measurement.ts';
import { displayScale, strictestLimitSeconds, type Metric, type MetricScope } from '../values/metric.ts';
import { commonUnit, parameterStatistics } from '../values/parameter-statistics.ts';
import { scaled } from '../values/parameter-value.ts';
import { statisticsOf, type ParameterStatistics } from '../values/statistics.ts';
import { trendOf, type Trend } from '../values/trend.ts';
import { unitFactor } from '../values/units.ts';

/** One measured value as stored (`value`, `error`) and as shown; `at` is the run's end, else its start. */
export type SeriesPoint = {
  readonly at: Date;
  readonly value: number;
  readonly error: number | null;
  readonly displayValue: number;
  readonly displayError: number | null;
  readonly taskId: string;
  readonly taskName: string;
  readonly executionId: string | null;
  readonly cooldownId: string | null;
};

/**
 * The points of a qubit, or of a coupling in its direction, oldest first; figures are as stored. Multiply by the
 * series' `scale` for display.
 */
export type ParameterSeries = {
  readonly qid: string;
  readonly label: string;
  readonly unit: string;
  readonly displayUnit: string;
  readonly scale: number;
  readonly points: readonly SeriesPoint[];
  readonly latest: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Null where none is significant. */
  readonly trend: Trend | null;
};

/**
 * A parameter's history over qubits or over couplings, never both; `lastN` holds for each. Statistics are over the
 * newest value of each.
 */
export type ChipTimeseries = {
  readonly kind: MetricScope;
  readonly parameter: string;
  readonly title: string;
  /** Null for parameters that the catalogue does not know. */
  readonly metric: Metric | null;
  readonly unit: string;
  readonly displayUnit: string;
  readonly scale: number;
  /** Numeric order, or that in which they were asked for; those without a point are there, empty. */
  readonly series: readonly ParameterSeries[];
  readonly twins: readonly TwinAnswer[];
  readonly statistics: ParameterStatistics;
  readonly freshness: Freshness;
};

/** The data of a history. `measurements` holds the usable results of each qubit or coupling, latest first. */
export type ChipTimeseriesInput = {
  readonly kind: MetricScope;
  readonly parameter: string;
  readonly metric: Metric | null;
  readonly entities: readonly { readonly qid: string; readonly label: string }[];
  readonly twins: readonly TwinAnswer[];
  readonly measurements: ReadonlyMap<string, readonly UsableMeasurement[]>;
};

/** Series of those asked for, in their order, in the unit that most results have. */
export function chipTimeseries({
  kind,
  parameter,
  metric,
  entities,
  twins,
  measurements,
}: ChipTimeseriesInput): ChipTimeseries {
  const unit = commonUnit(entities.flatMap(({ qid }) => measurements.get(qid) ?? []));
  const scale = displayScale(metric, unit);
  const shared = { unit, displayUnit: metric?.unit ?? unit, scale };
  const series = entities.map(({ qid, label }) => {
    const points = (measurements.get(qid) ?? []).flatMap((each) => pointOf(each, unit, scale)).toReversed();
    return { qid, label, ...shared, points, ...figuresOf(points) };
  });
  return {
    kind,
    parameter,
    title: metric?.title ?? parameter,
    metric,
    ...shared,
    series,
    twins,
    statistics: parameterStatistics(
      parameter,
      metric,
      series.map(({ latest }) => ({ value: latest, unit })),
      entities.length,
    ),
    freshness: freshnessOf(
      'SNAPSHOT',
      series.map(({ points }) => points.at(-1)?.at ?? null),
      strictestLimitSeconds([metric]),
    ),
  };
}

/** Converted to the series' unit; results in a unit of another kind have no place on its axis. */
function pointOf(measurement: UsableMeasurement, unit: string, scale: number): SeriesPoint[] {
  const factor = measurement.unit === '' ? 1 : unitFactor(measurement.unit, unit);
  const value = factor === null ? null : scaled(measurement.value, factor);
  const displayValue = scaled(value, scale);
  if (factor === null || value === null || displayValue === null) return [];
  const error = scaled(measurement.error, factor);
  const { at, taskId, taskName, executionId, cooldownId } = measurement;
  return [
    {
      at,
      value,
      error,
      displayValue,
      displayError: scaled(error, scale),
      taskId,
      taskName,
      executionId,
      cooldownId,
    },
  ];
}

function figuresOf(points: readonly SeriesPoint[]) {
  const { min, max, mean } = statisticsOf(points.map(({ value }) => value));
  return { latest: points.at(-1)?.value ?? null, min, max, mean, trend: trendOf(points) };
}
