/** What changed on a chip, in the order in which it is looked at. Pure. */
import type { ChangeOfPartFragment } from '../../../gql/graphql.ts';

/** By what changes are ranked: standard errors, or the part of the value that it changed by. */
export const RANKINGS = ['SIGMA', 'SHARE'] as const;
export type Ranking = (typeof RANKINGS)[number];

/** How far a value moved, by a ranking; null where that cannot be said. */
export function sizeOf({ sigma, difference, before }: ChangeOfPartFragment, ranking: Ranking): number | null {
  if (ranking === 'SIGMA') return sigma === null ? null : Math.abs(sigma);
  const value = before?.displayValue;
  return difference === null || value == null || value === 0 ? null : Math.abs(difference / value);
}

/** Changes for the worse, the largest first; those whose size is unknown are left out. */
export const worstOf = (changes: readonly ChangeOfPartFragment[], ranking: Ranking) =>
  changes
    .flatMap((change) => {
      const size = change.better === false ? sizeOf(change, ranking) : null;
      return size === null ? [] : [{ change, size }];
    })
    .toSorted((a, b) => b.size - a.size);

/** The ranking to begin with: by standard errors, where any are recorded. */
export const firstRanking = (changes: readonly ChangeOfPartFragment[]): Ranking =>
  changes.some(({ better, sigma }) => better === false && sigma !== null) ? 'SIGMA' : 'SHARE';
