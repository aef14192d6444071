import type { TwinAnswer } from '../../domain/qid.ts';

/** Says of each coupling that its other direction was asked for: the two are not interchangeable. */
export const twinSentences = (twins: readonly Omit<TwinAnswer, 'couplingId'>[]): readonly string[] =>
  twins.map(
    ({ asked, label }) =>
      `Values are stored for ${label}; the direction that was asked for, ${asked}, has none.`,
  );
