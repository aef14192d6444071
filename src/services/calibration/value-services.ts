/** Figures over a chip: its summary, a metric, a history, a window of time against the one before. */
import type { ChipMetric, MetricSelection, MetricValues } from '../../domain/chip/chip-metric.ts';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { ChipTimeseries } from '../../domain/chip/chip-timeseries.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { EntityLevel, PeriodComparison } from '../../domain/values/period-comparison.ts';
import type { InvalidInputError } from '../../base/errors.ts';
import type { CurrentValuesReader } from './shared-current-values.ts';

/** Which summary: all parameters, or those named. */
export type ChipSummaryRequest = { readonly chip: Chip; readonly parameters: readonly string[] | null };

/** Summaries of chips. */
export type ChipSummariesService = {
  /**
   * In the order of `requests`; null for a chip without qubits, an error in the place of a request that names a parameter
   * which neither the catalogue nor the chip knows. The number of reads does not depend on the number of requests. `reader` shares
   * what is read with others.
   */
  getMany(
    requests: readonly ChipSummaryRequest[],
    reader?: CurrentValuesReader,
  ): Promise<readonly (ChipSummary | InvalidInputError | null)[]>;
};

/** Which metric values: by default the latest of all time. */
export type ChipMetricRequest = {
  readonly name: string;
  readonly selection?: MetricSelection;
  /** Only results that ended in the last so many hours. */
  readonly withinHours?: number | null;
};

/** One metric over a chip. */
export type ChipMetricsService = {
  /** Of all qubits. @throws InvalidInputError naming the qubit metrics when there is none of that name. */
  get(chip: Chip, request: ChipMetricRequest): Promise<ChipMetric>;
  /** Of all couplings, each in its direction. @throws InvalidInputError naming the coupling metrics when there is none of that name. */
  ofCouplings(chip: Chip, request: ChipMetricRequest): Promise<MetricValues>;
};

/** Which history. `lastN` is per qubit or coupling, 1 to 200, default 10; `from` is inclusive, `to` exclusive, on the measured time. */
export type ChipTimeseriesRequest = {
  readonly parameter: string;
  /** Null: qubits or couplings, whichever the parameter is measured on. */
  readonly kind?: MetricScope | null;
  /** Qubits, or couplings for a parameter of those; null or empty: all. */
  readonly qids?: readonly string[] | null;
  readonly lastN?: number;
  readonly from?: Date | null;
  readonly to?: Date | null;
};

/** History of one parameter. */
export type ChipTimeseriesService = {
  /** @throws InvalidInputError for a parameter that the chip never had or that is of the other kind; NotFoundError for unknown ids. */
  get(chip: Chip, request: ChipTimeseriesRequest): Promise<ChipTimeseries>;
};

/** Which window: the last `windowHours` before `to`, or `from` to `to`; `to` is now unless given. */
export type PeriodComparisonRequest = {
  readonly parameter: string;
  readonly windowHours?: number | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
  readonly level?: EntityLevel;
  /** Qubits, or couplings for a parameter of those; null or empty: all. */
  readonly qids?: readonly string[] | null;
};

/** Windows of time against the ones before them. */
export type PeriodComparisonsService = {
  /**
   * Of qubits or of couplings, whichever the parameter is measured on.
   * @throws InvalidInputError for a window that is none, a parameter the chip never had, or MUX on a chip without or for couplings;
   * NotFoundError for unknown ids.
   */
  get(chip: Chip, request: PeriodComparisonRequest): Promise<PeriodComparison>;
};
