/**
 * Compares stored with live values. One rule for every parameter, so that the verdict does not depend on the caller.
 */
import type { Metric } from '../values/metric.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import { comparableFactor, noMeasurement } from './live-display.ts';
import type { LiveValue } from './live-reading.ts';

/** Verdicts of a comparison. */
export const VERDICTS = [
  'MATCH',
  'DRIFT',
  'STORED_STALE',
  'LIVE_STALE',
  'LIVE_UNAVAILABLE',
  'NOT_COMPARABLE',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Values further apart than this many standard deviations do not match. */
export const MATCH_SIGMA = 3;
/** Without any error, values that differ by less than this part of them are the same number written twice. */
const SAME_NUMBER = 1e-6;

/** What is compared: one parameter of one qubit or coupling. */
export type VerificationPair = {
  readonly qid: string;
  readonly label: string;
  readonly parameter: string;
  readonly metric: Metric | null;
  readonly stored: ParameterValue | null;
  readonly live: LiveValue | null;
};

/** A value in the display unit of its row; `error` is one standard deviation, null where none is known. */
export type VerifiedValue = {
  readonly value: number;
  readonly error: number | null;
  readonly at: Date | null;
};

/** A comparison in display scale. `difference` is live minus stored; both are null where nothing was compared. */
export type Verification = {
  readonly qid: string;
  readonly label: string;
  readonly parameter: string;
  readonly title: string;
  readonly displayUnit: string;
  readonly stored: VerifiedValue | null;
  readonly live: VerifiedValue | null;
  readonly difference: number | null;
  /** `difference` in standard deviations of both errors together, null where no error is known. */
  readonly sigma: number | null;
  readonly verdict: Verdict;
  /** Why, in plain words. */
  readonly reason: string;
};

/** Compares one stored with one live value. */
export function verify(pair: VerificationPair): Verification {
  const { qid, label, parameter, metric } = pair;
  const displayUnit = pair.stored?.displayUnit ?? metric?.unit ?? pair.live?.unit ?? '';
  const stored = storedSide(pair.stored);
  const live = liveSide(pair, displayUnit);
  const title = pair.stored?.title ?? metric?.title ?? parameter;
  const row = { qid, label, parameter, title, displayUnit, stored, live, difference: null, sigma: null };
  if (pair.live === null) {
    return { ...row, verdict: 'LIVE_UNAVAILABLE', reason: 'the live source has no value' };
  }
  const obstacle = obstacleOf(pair, stored, live);
  if (obstacle !== null || stored === null || live === null) {
    return { ...row, verdict: 'NOT_COMPARABLE', reason: obstacle ?? 'nothing to compare' };
  }
  const difference = live.value - stored.value;
  const sigma = sigmaOf(difference, stored.error, live.error);
  return { ...row, difference, sigma, ...judge(stored, live, sigma, pair.stored?.isStale ?? false) };
}

function storedSide(stored: ParameterValue | null): VerifiedValue | null {
  if (stored === null || stored.displayValue === null) return null;
  const error = stored.displayError === null ? null : Math.abs(stored.displayError);
  return { value: stored.displayValue, error, at: stored.calibratedAt };
}

/** Null where the live value cannot be put into the display unit, or leaves the range of numbers there. */
function liveSide({ live, stored, metric }: VerificationPair, displayUnit: string): VerifiedValue | null {
  if (live === null || noMeasurement(live, metric) !== null) return null;
  const factor = comparableFactor(live.unit, stored?.unit ?? displayUnit);
  const scale = factor === null ? Number.NaN : factor * (stored?.scale ?? 1);
  if (!Number.isFinite(live.value * scale)) return null;
  return {
    value: live.value * scale,
    error: live.error === null ? null : Math.abs(live.error * scale),
    at: live.at,
  };
}

function obstacleOf(
  { stored: row, live: given, metric }: VerificationPair,
  stored: VerifiedValue | null,
  live: VerifiedValue | null,
): string | null {
  if (row === null) return 'no value is stored';
  if (row.state === 'DISABLED') return `stored as disabled: ${row.stateReason ?? ''}`;
  if (stored === null) return `the stored value is not a number: ${row.text ?? 'nothing'}`;
  const unusable = given && noMeasurement(given, metric);
  if (unusable) return `the live value is not a measurement: ${unusable}`;
  if (live === null) {
    if (comparableFactor(given?.unit ?? '', row.unit) !== null) return 'the live value is out of range';
    return `the live value is in ${given?.unit || 'no unit'}, the stored one in ${row.unit || 'no unit'}`;
  }
  return null;
}

function sigmaOf(difference: number, a: number | null, b: number | null): number | null {
  const error = Math.hypot(a ?? 0, b ?? 0);
  return error === 0 ? null : difference / error;
}

function judge(
  stored: VerifiedValue,
  live: VerifiedValue,
  sigma: number | null,
  isStale: boolean,
): { readonly verdict: Verdict; readonly reason: string } {
  if (stored.at !== null && live.at !== null && live.at < stored.at) {
    return { verdict: 'LIVE_STALE', reason: 'the live value is older than the stored one' };
  }
  const apart = Math.abs(live.value - stored.value);
  const size = Math.max(Math.abs(live.value), Math.abs(stored.value));
  const matches = sigma === null ? apart <= SAME_NUMBER * size : Math.abs(sigma) <= MATCH_SIGMA;
  const how =
    sigma === null
      ? 'neither value has an error, so any difference counts'
      : `${matches ? 'at most' : 'more than'} ${MATCH_SIGMA} standard deviations apart`;
  if (matches) return { verdict: 'MATCH', reason: sigma === null ? 'the same number' : how };
  return isStale
    ? { verdict: 'STORED_STALE', reason: `${how}, and the stored value is old` }
    : { verdict: 'DRIFT', reason: how };
}
