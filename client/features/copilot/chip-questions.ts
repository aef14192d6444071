import type { ChipStateForQuestionsFragment } from '../../gql/graphql.ts';
import type { Words } from '../../lib/i18n/words.ts';

/** Most of them are about parts. */
const PARTS = 2;

/** The parts that are furthest past their limits, couplings if any misses one, and age if something is too old. */
export function chipQuestions(
  { summary }: ChipStateForQuestionsFragment,
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

/** With several chips and none chosen. */
const CHIPS = 3;

/** The chips that are not well, each by its name; with one chip alone, what is the matter with it. */
export function questionsOfAll(
  chips: readonly ChipStateForQuestionsFragment[],
  words: Words['copilot']['starters'],
): readonly string[] {
  const [first, ...others] = chips;
  if (first !== undefined && others.length === 0) return chipQuestions(first, words);
  return chips
    .filter(({ summary }) => summary && ['POOR', 'FAIR'].includes(summary.health.label))
    .map(({ chipId }) => words.healthy(chipId))
    .slice(0, CHIPS);
}
