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

/** The qubits or couplings whose value changed most, for better or worse; those whose size is unknown are left out. */
export function mostChanged(
  changes: readonly ChangeOfPartFragment[],
  count: number,
): readonly ChangeOfPartFragment[] {
  const ranking = changes.some(({ sigma }) => sigma !== null) ? 'SIGMA' : 'SHARE';
  return changes
    .filter((change) => sizeOf(change, ranking) !== null)
    .toSorted((a, b) => (sizeOf(b, ranking) ?? 0) - (sizeOf(a, ranking) ?? 0))
    .slice(0, count);
}
