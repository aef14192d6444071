import type { Rating } from './metric.ts';

/**
 * One value of one parameter, as stored beside as shown. `value` and `error` are in `unit`; `displayValue` and
 * `displayError` in `displayUnit`. Numbers are finite; `text` holds a stored value that is not a number.
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
