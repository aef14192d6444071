import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import { BuilderWebResearchDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';

/** Category of the tools that ask the web. */
const RESEARCH = 'research';

/** Whether builder and job can ask the web on this server, and why not. */
export function WebResearch({ expertId }: { readonly expertId: string }) {
  const { builder: words } = useWords();
  const [{ data }] = useQuery({ query: BuilderWebResearchDocument, variables: { expertId } });
  const category = data?.expert?.config.tools.find(({ name }) => name === RESEARCH);
  if (!category) return null;
  return (
    <Text size="xs" c="dimmed">
      {category.unavailableReason == null ? words.webOn : words.webOff(category.unavailableReason)}
    </Text>
  );
}
