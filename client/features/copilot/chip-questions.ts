import type { ChipStateForQuestionsQuery } from '../../gql/graphql.ts';
import type { Words } from '../../lib/i18n/words.ts';

/** Most of them are about parts. */
const PARTS = 2;

/** The parts that are furthest past their limits, couplings if any misses one, and age if something is too old. */
export function chipQuestions(
  { summary }: NonNullable<ChipStateForQuestionsQuery['chip']>,
  words: Words['copilot']['starters'],
): readonly string[] {
  const problems = summary?.health.partProblems ?? [];
  const qubits = problems.filter(({ qid }) => /^\d+$/u.test(qid));
  const worst = [...new Set(qubits.map(({ label }) => label))].slice(0, PARTS);
  return [
    ...worst.map((label) => words.unusual(label)),
    ...(problems.length > qubits.length ? [words.couplings] : []),
    ...(summary?.freshness?.isStale ? [words.stale] : []),
  ];
}
