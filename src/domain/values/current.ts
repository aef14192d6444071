/**
 * What is current. Of the results of one parameter of a qubit or coupling the newest that counts decides. If it carries
 * the mark of a disabled part, the part has no current value: its last good one is past.
 */
import { formatQuantity, formatTime } from '../text/display-text.ts';
import { isDisabledMark, type Metric } from './metric.ts';
import { judge } from './plausibility.ts';

/**
 * States of a part (a qubit or coupling), or of a part for one parameter. `DOUBTFUL` has a current value that
 * should not be relied on; `DISABLED` and `MISSING` have none.
 */
export const PART_STATES = ['ENABLED', 'DISABLED', 'MISSING', 'DOUBTFUL'] as const;
export type PartState = (typeof PART_STATES)[number];

/** A state, and why in words; an enabled part needs no reason. */
export type StateOf = { readonly state: PartState; readonly stateReason: string | null };

/** What of a result decides whether it is the current one. */
export type Candidate = {
  /** False for failed and excluded results and for those without a value. */
  readonly counts: boolean;
  readonly at: Date | null;
  /** Decides between results of one time: the greater id. */
  readonly id: string;
};

/** Sorts the current one first: what counts, then the newest. A result without a time loses to all that have one. */
export function compareCurrent(a: Candidate, b: Candidate): number {
  if (a.counts !== b.counts) return a.counts ? -1 : 1;
  const [timeA, timeB] = [timeOf(a), timeOf(b)];
  if (timeA !== timeB) return timeA > timeB ? -1 : 1;
  return a.id > b.id ? -1 : a.id < b.id ? 1 : 0;
}

const timeOf = ({ at }: Candidate): number => at?.getTime() ?? Number.NEGATIVE_INFINITY;

/** A value as it is stored and as it is shown. */
type JudgedValue = {
  readonly value: number | null;
  readonly unit: string;
  readonly displayValue: number | null;
  readonly at: Date | null;
  readonly isStale: boolean;
};

/** The state that the newest result that counts gives its part. */
export function stateOf(judged: JudgedValue, metric: Metric | null): StateOf {
  const { value, unit, displayValue, at, isStale } = judged;
  if (isDisabledMark(metric, displayValue)) {
    const mark = formatQuantity(displayValue, metric?.unit ?? unit);
    const since = at === null ? '' : ` of ${formatTime(at)}`;
    // no claim: the one that decided
    return { state: 'DISABLED', stateReason: `its newest result${since}, ${mark}, marks it as disabled` };
  }
  const { doubt, unusable } = value === null ? { doubt: null, unusable: null } : judge(value, unit, metric);
  const reason = unusable ?? doubt ?? (isStale ? staleReason(metric) : null);
  return reason === null
    ? { state: 'ENABLED', stateReason: null }
    : { state: 'DOUBTFUL', stateReason: reason };
}

/** Whether a value is doubtful for its age alone. */
export const isOnlyOld = ({ state, stateReason }: StateOf): boolean =>
  state === 'DOUBTFUL' && (stateReason?.startsWith(OLDER) ?? false);

const OLDER = 'older than ';
const staleReason = (metric: Metric | null): string => `${OLDER}${metric?.staleAfterHours ?? 0} hours`;
