/** Changes for the worse, ranked over all parameters. Pure. */
import type { ChipChange } from './chip-comparison.ts';

/** By what changes of different parameters are ranked: standard errors, or the share of the earlier value. */
export type ChangeRanking = 'SIGMA' | 'SHARE';

/** What got worse, the largest change first; changes whose size is unknown are left out. */
export const worstChanges = (changes: readonly ChipChange[], by: ChangeRanking): readonly ChipChange[] =>
  changes
    .flatMap((change) => {
      const size = change.better === false ? sizeOf(change, by) : null;
      return size === null ? [] : [{ change, size }];
    })
    .toSorted((a, b) => b.size - a.size)
    .map(({ change }) => change);

function sizeOf({ sigma, difference, before }: ChipChange, by: ChangeRanking): number | null {
  if (by === 'SIGMA') return sigma === null ? null : Math.abs(sigma);
  const value = before?.displayValue;
  return difference === null || value == null || value === 0 ? null : Math.abs(difference / value);
}
