import type { Freshness } from './freshness.ts';
import type { Metric } from './metric.ts';
import type { ParameterStatistics } from './statistics.ts';
import type { Trend } from './trend.ts';

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

/** A qubit's points, oldest first; figures are as stored. Multiply by the series' `scale` for display. */
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
  /** Null with fewer than two points. */
  readonly trend: Trend | null;
};

/** A parameter's history over qubits; `lastN` holds for each qubit. Statistics are over each qubit's newest value. */
export type ChipTimeseries = {
  readonly parameter: string;
  readonly title: string;
  /** Null for parameters that the catalogue does not know. */
  readonly metric: Metric | null;
  readonly unit: string;
  readonly displayUnit: string;
  readonly scale: number;
  /** Numeric qubit order; qubits asked for without a point are there, empty. */
  readonly series: readonly ParameterSeries[];
  readonly statistics: ParameterStatistics;
  readonly freshness: Freshness;
};
