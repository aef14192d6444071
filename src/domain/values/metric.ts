/**
 * The metrics catalogue. A metric is a calibration parameter with a display unit, a direction (which way is better),
 * thresholds in display scale, and a time after which a value is stale.
 */
import { unitFactor } from './units.ts';

/** Which way is better. `NEUTRAL` metrics, such as frequencies, are shown but not rated. */
export const DIRECTIONS = ['HIGHER_IS_BETTER', 'LOWER_IS_BETTER', 'NEUTRAL'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** What a metric is measured on. */
export const METRIC_SCOPES = ['QUBIT', 'COUPLING'] as const;
export type MetricScope = (typeof METRIC_SCOPES)[number];

/** How good a value is; `UNKNOWN` for values of metrics without direction or thresholds. */
export const RATINGS = ['EXCELLENT', 'GOOD', 'FAIR', 'BAD', 'UNKNOWN'] as const;
export type Rating = (typeof RATINGS)[number];

/** An entry of the catalogue. `unit` is the display unit: a stored value times `scale` is in it. */
export type Metric = {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly scale: number;
  readonly direction: Direction;
  readonly scope: MetricScope;
  /** Thresholds in display scale; null where the metric is not rated. */
  readonly good: number | null;
  readonly excellent: number | null;
  readonly bad: number | null;
  /** A value as low as this, in display scale, marks a disabled part and is no measurement; null: no such mark. */
  readonly disabledAt?: number | null;
  readonly staleAfterHours: number | null;
};

/** The catalogue in the order of its file, which is the order in which metrics are shown. */
export type MetricCatalog = {
  readonly metrics: readonly Metric[];
  find(name: string, scope: MetricScope): Metric | null;
  /** Each name once: those of the catalogue in its order, then the others in order of text. */
  inOrder(names: readonly string[]): readonly string[];
};

/** A catalogue of `metrics`, which are unique by name and scope. */
export function createMetricCatalog(metrics: readonly Metric[]): MetricCatalog {
  const ofScope = (scope: MetricScope): ReadonlyMap<string, Metric> =>
    new Map(metrics.flatMap((metric) => (metric.scope === scope ? [[metric.name, metric]] : [])));
  const byScope = { QUBIT: ofScope('QUBIT'), COUPLING: ofScope('COUPLING') };
  const known = [...new Set(metrics.map(({ name }) => name))];
  return {
    metrics,
    find: (name, scope) => byScope[scope].get(name) ?? null,
    inOrder: (names) => {
      const wanted = new Set(names);
      const others = [...wanted].filter((name) => !known.includes(name)).toSorted();
      return [...known.filter((name) => wanted.has(name)), ...others];
    },
  };
}

/** The shortest time after which one of the metrics is stale, null where none has a limit. */
export function strictestLimitSeconds(metrics: readonly (Metric | null)[]): number | null {
  const limits = metrics.flatMap((metric) => metric?.staleAfterHours ?? []);
  return limits.length === 0 ? null : Math.min(...limits) * 3600;
}

/** Whether a value in display scale is the mark of a disabled part, such as a gate with a fidelity of 0. */
export function isDisabledMark(metric: Metric | null, displayValue: number | null): boolean {
  const mark = metric?.disabledAt ?? null;
  return mark !== null && displayValue !== null && displayValue <= mark;
}

/** The mark of a disabled part in the scale that is stored; null where the metric has none. */
export function storedMark(metric: Metric | null): number | null {
  const mark = metric?.disabledAt ?? null;
  return mark === null || metric === null ? null : mark / metric.scale;
}

/** Whether the metric has a direction and a threshold for good. */
export function isRated(metric: Metric): boolean {
  return metric.direction !== 'NEUTRAL' && metric.good !== null;
}

/**
 * Class of a value in display scale. At a threshold the better class holds. Lower-is-better metrics are compared with
 * the signs turned, which is right for negative numbers too: an anharmonicity of -330 MHz beats one of -300 MHz.
 */
export function rate(metric: Metric | null, displayValue: number | null): Rating {
  if (metric === null || displayValue === null || !isRated(metric) || metric.good === null) return 'UNKNOWN';
  const sign = metric.direction === 'HIGHER_IS_BETTER' ? 1 : -1;
  const reaches = (threshold: number): boolean => sign * displayValue >= sign * threshold;
  if (metric.excellent !== null && reaches(metric.excellent)) return 'EXCELLENT';
  if (reaches(metric.good)) return 'GOOD';
  return metric.bad !== null && !reaches(metric.bad) ? 'BAD' : 'FAIR';
}

/**
 * Factor from a stored unit to the metric's display unit. The catalogue's scale holds for the unit that QDash stores;
 * a value that was stored in another unit of the same kind, such as an anharmonicity in MHz, is converted by its own
 * unit.
 */
export function displayScale(metric: Metric | null, unit: string): number {
  return metric === null ? 1 : (unitFactor(unit, metric.unit) ?? metric.scale);
}
