import { stateOf, type StateOf } from '../values/current.ts';
import { freshnessOf, type Freshness } from '../values/freshness.ts';
import type { UsableMeasurement } from '../values/measurement.ts';
import { displayScale, rate, strictestLimitSeconds, type Metric, type Rating } from '../values/metric.ts';
import { parameterStatistics } from '../values/parameter-statistics.ts';
import { pastValue, scaled, type PastValue } from '../values/parameter-value.ts';
import type { ParameterStatistics } from '../values/statistics.ts';
import { presentOf } from './chip.ts';
import type { TaskStatus } from '../values/task-result.ts';
import type { ChartSpec } from '../visuals.ts';

/** How several results of one qubit become one value. BEST of a NEUTRAL metric is its latest. */
export const METRIC_SELECTIONS = ['LATEST', 'BEST', 'AVERAGE'] as const;
export type MetricSelection = (typeof METRIC_SELECTIONS)[number];

/** A newer run of the same task without a usable value. */
export type NewerFailure = { readonly taskId: string; readonly status: TaskStatus; readonly at: Date };

/**
 * The reduced value of one qubit, or of one coupling in its direction; `value` and `displayValue` are null where it
 * has no usable result.
 */
export type QubitValue = {
  readonly qid: string;
  readonly label: string;
  readonly value: number | null;
  /** Unit of `value` and `error`; empty without a value. */
  readonly unit: string;
  /** Uncertainty of the result; the sample deviation for AVERAGE. */
  readonly error: number | null;
  readonly displayValue: number | null;
  readonly rating: Rating;
  /** Time of the result, of the newest one for AVERAGE. */
  readonly measuredAt: Date | null;
  /** Null for AVERAGE, which has no single task result. */
  readonly taskId: string | null;
  /** Task and cool-down of the result; null for AVERAGE, and for results that name none. */
  readonly taskName: string | null;
  readonly cooldownId: string | null;
  /** Runs behind the value: the mean's count for AVERAGE, else 1, or 0 without a value. */
  readonly runs: number;
  readonly newerFailure: NewerFailure | null;
  /** Of a disabled part only: its newest value before the mark. */
  readonly lastGood: PastValue | null;
  /** See {@link Coupling} of `chip.ts`. */
  readonly lastSeenAt: Date | null;
} & StateOf;

/** A metric over all qubits or all couplings of a chip: one row each in numeric order, missing ones included. */
export type MetricValues = {
  readonly metric: Metric;
  readonly selection: MetricSelection;
  readonly withinHours: number | null;
  /** Unit of the stored values, the commonest one where they differ. */
  readonly unit: string;
  readonly values: readonly QubitValue[];
  readonly statistics: ParameterStatistics;
  readonly freshness: Freshness;
};

/** A metric of qubits with its heatmap. */
export type ChipMetric = MetricValues & { readonly heatmap: ChartSpec };

/** A reduced value before it is rated. */
export type ReducedValue = Pick<
  QubitValue,
  'error' | 'measuredAt' | 'taskId' | 'taskName' | 'cooldownId' | 'runs' | 'newerFailure'
> & {
  readonly value: number;
  readonly unit: string;
};

/** The newest result of a disabled part, and the newest good one before it. */
export type DisabledMark = { readonly mark: ReducedValue; readonly before: UsableMeasurement | null };

type Entity = { readonly qid: string; readonly label: string };

const NO_VALUE = {
  value: null,
  unit: '',
  error: null,
  displayValue: null,
  rating: 'UNKNOWN',
  measuredAt: null,
  taskId: null,
  taskName: null,
  cooldownId: null,
  runs: 0,
  newerFailure: null,
  lastGood: null,
  lastSeenAt: null,
} as const;

/** The row of a disabled part: it has no value, and says since when and what it was. */
export function disabledValue(
  { qid, label }: Entity,
  { mark, before }: DisabledMark,
  metric: Metric,
): QubitValue {
  const lastGood = before === null ? null : pastValue(before, metric);
  return { qid, label, ...NO_VALUE, lastGood, ...judged(mark, metric) };
}

/** The row of a part without a current value, whose last one is past; `lastSeenAt` of a coupling that is gone. */
export function pastRow(
  { qid, label, lastSeenAt }: Entity & Pick<QubitValue, 'lastSeenAt'>,
  state: StateOf,
  reduced: ReducedValue | undefined,
  metric: Metric,
): QubitValue {
  const { value, unit = '', measuredAt = null, taskId = null } = reduced ?? {};
  const displayValue = value === undefined ? null : scaled(value, displayScale(metric, unit));
  const lastGood =
    value === undefined || displayValue === null || measuredAt === null
      ? null
      : { value, unit, displayValue, displayUnit: metric.unit, measuredAt, taskId };
  return { qid, label, ...NO_VALUE, ...state, lastGood, lastSeenAt };
}

const judged = ({ value, unit, measuredAt }: ReducedValue, metric: Metric): StateOf => {
  const displayValue = scaled(value, displayScale(metric, unit));
  return stateOf({ value, unit, displayValue, at: measuredAt, isStale: false }, metric);
};

/** One row: the reduced value of a qubit or coupling, or an empty row. */
export function qubitValue(
  { qid, label }: Entity,
  reduced: ReducedValue | undefined,
  metric: Metric,
): QubitValue {
  if (!reduced) return { qid, label, ...NO_VALUE, state: 'MISSING', stateReason: 'no usable result' };
  const displayValue = scaled(reduced.value, displayScale(metric, reduced.unit));
  const rating = rate(metric, displayValue);
  return { qid, label, ...NO_VALUE, ...reduced, displayValue, rating, ...judged(reduced, metric) };
}

/** Figures, their unit, and age of the rows of one metric. */
export function metricFigures(
  metric: Metric,
  values: readonly QubitValue[],
): Pick<MetricValues, 'unit' | 'statistics' | 'freshness'> {
  const statistics = parameterStatistics(metric.name, metric, values, presentOf(values).length);
  return {
    unit: statistics.unit,
    statistics,
    freshness: freshnessOf(
      'SNAPSHOT',
      values.map(({ measuredAt }) => measuredAt),
      strictestLimitSeconds([metric]),
    ),
  };
}
