import { stateOf, type StateOf } from './current.ts';
import { displayScale, rate, type Metric, type Rating } from './metric.ts';
import type { UsableMeasurement } from './measurement.ts';
import type { StoredParameter } from './stored-parameter.ts';

/**
 * One value of one parameter, both as stored and as shown. `value` and `error` are in `unit`; `displayValue`
 * and `displayError` in `displayUnit`. Numbers are finite; `text` holds a stored value that is not a number. A disabled
 * part has none of them; `calibratedAt` is then the time of the mark.
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
  /** Of a disabled part only: its newest value before the mark; null where none is recorded. */
  readonly lastGood: PastValue | null;
} & StateOf;

/** A value that is not current any more. */
export type PastValue = {
  readonly value: number;
  readonly unit: string;
  readonly displayValue: number;
  readonly displayUnit: string;
  readonly measuredAt: Date;
  readonly taskId: string | null;
};

/**
 * Describes the stored parameter that decides by its metric, null for parameters that the catalogue does not know;
 * `before` is the newest good measurement, which only a disabled part needs.
 */
export function describeParameter(
  stored: StoredParameter,
  metric: Metric | null,
  now: Date,
  before: UsableMeasurement | null = null,
): ParameterValue {
  const scale = displayScale(metric, stored.unit);
  const displayValue = scaled(stored.value, scale);
  const isStale = isOlderThan(stored.calibratedAt, metric?.staleAfterHours ?? null, now);
  const state = stateOf({ ...stored, displayValue, at: stored.calibratedAt, isStale }, metric);
  const shared = {
    ...stored,
    ...state,
    title: metric?.title ?? stored.name,
    displayUnit: metric?.unit ?? stored.unit,
    scale,
  };
  if (state.state === 'DISABLED') {
    const lastGood = before === null ? null : pastValue(before, metric);
    const nothing = { value: null, error: null, displayValue: null, displayError: null, text: null } as const;
    return { ...shared, ...nothing, rating: 'UNKNOWN', isStale: false, lastGood };
  }
  const displayError = scaled(stored.error, scale);
  return {
    ...shared,
    displayValue,
    displayError,
    rating: rate(metric, displayValue),
    isStale,
    lastGood: null,
  };
}

/** A measurement that was current before a part was disabled; null where it leaves the range of numbers. */
export function pastValue(
  { value, unit, at, taskId }: UsableMeasurement,
  metric: Metric | null,
): PastValue | null {
  const displayValue = scaled(value, displayScale(metric, unit));
  if (displayValue === null) return null;
  return { value, unit, displayValue, displayUnit: metric?.unit ?? unit, measuredAt: at, taskId };
}

/** A number in display scale; null where there is none or where it leaves the range of numbers. */
export function scaled(value: number | null, scale: number): number | null {
  const result = value === null ? null : value * scale;
  return result === null || Number.isFinite(result) ? result : null;
}

function isOlderThan(at: Date | null, hours: number | null, now: Date): boolean {
  return at !== null && hours !== null && now.getTime() - at.getTime() > hours * 3_600_000;
}
