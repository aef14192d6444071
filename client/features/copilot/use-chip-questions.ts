import { useQuery } from 'urql';
import { ChipStateForQuestionsDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { chipQuestions } from './chip-questions.ts';

/** Questions to start with from what is the matter with a chip; none without one. */
export function useChipQuestions(chipId: string | null): readonly string[] {
  const { copilot } = useWords();
  const [{ data }] = useQuery({
    query: ChipStateForQuestionsDocument,
    variables: { chipId: chipId ?? '' },
    pause: chipId === null,
  });
  return chipId === null || !data?.chip ? [] : chipQuestions(data.chip, copilot.starters);
}
