import { useQuery } from 'urql';
import { ChipQuestionsDocument, QuestionsOfAllDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { chipQuestions, questionsOfAll } from './chip-questions.ts';

/** Questions to start with from what is the matter with a chip; with those that are there if none is chosen. */
export function useChipQuestions(chipId: string | null): readonly string[] {
  const { copilot } = useWords();
  const [{ data: chosen }] = useQuery({
    query: ChipQuestionsDocument,
    variables: { chipId: chipId ?? '' },
    pause: chipId === null,
  });
  const [{ data: all }] = useQuery({ query: QuestionsOfAllDocument, pause: chipId !== null });
  if (chipId === null) return all ? questionsOfAll(all.chips, copilot.starters) : [];
  return chosen?.chip ? chipQuestions(chosen.chip, copilot.starters) : [];
}
