import { rate, type Metric, type Rating } from './metric.ts';
import type { StoredParameter } from './stored-parameter.ts';
import { unitFactor } from './units.ts';

/**
 * One value of one parameter, both as stored and as shown. `value` and `error` are in `unit`; `displayValue`
 * and `displayError` in `displayUnit`. Numbers are finite; `text` holds a stored value that is not a number.
 */
export type ParameterValue = {
  readonly name: string;
  readonly title: string;
  readonly value: number | null;
  readonly unit: string;
  readonly error: number | null;
  readonly displayValue: number | null;
  readonly displayError: number | null;
  readonly displayUnit: string;
  /** Factor from stored to display scale for this value. */
  readonly scale: number;
  readonly text: string | null;
  readonly calibratedAt: Date | null;
  readonly executionId: string | null;
  readonly taskId: string | null;
  readonly rating: Rating;
  readonly isStale: boolean;
};

/**
 * Factor from a stored unit to the metric's display unit. The catalogue's scale holds for the unit that QDash stores;
 * a value that was stored in another unit of the same kind, such as an anharmonicity in MHz, is converted by its own
 * unit.
 */
export function displayScale(metric: Metric | null, unit: string): number {
  return metric === null ? 1 : (unitFactor(unit, metric.unit) ?? metric.scale);
}

/** Describes a stored parameter by its metric; null for parameters that the catalogue does not know. */
export function describeParameter(stored: StoredParameter, metric: Metric | null, now: Date): ParameterValue {
  const scale = displayScale(metric, stored.unit);
  const displayValue = scaled(stored.value, scale);
  return {
    ...stored,
    title: metric?.title ?? stored.name,
    displayValue,
    displayError: scaled(stored.error, scale),
    displayUnit: metric?.unit ?? stored.unit,
    scale,
    rating: rate(metric, displayValue),
    isStale: isOlderThan(stored.calibratedAt, metric?.staleAfterHours ?? null, now),
  };
}

/** A number in display scale; null where there is none or where it leaves the range of numbers. */
export function scaled(value: number | null, scale: number): number | null {
  const result = value === null ? null : value * scale;
  return result === null || Number.isFinite(result) ? result : null;
}

function isOlderThan(at: Date | null, hours: number | null, now: Date): boolean {
  return at !== null && hours !== null && now.getTime() - at.getTime() > hours * 3_600_000;
}
