import { Button, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { BuilderSessionDocument, BuilderWebResearchDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../lib/i18n/use-server-names.ts';
import { useBuilder } from '../session/builder-provider.tsx';

/** Offers to continue the session that a job was created with, if any. */
export function SessionOfJob({ jobId }: { readonly jobId: string }) {
  const { builder: words } = useWords();
  const { open } = useBuilder();
  const [{ data }] = useQuery({ query: BuilderSessionDocument, variables: { id: null, jobId } });
  const session = data?.builderSession;
  if (!session) return null;
  return (
    <div>
      <Button size="compact-sm" variant="light" onClick={() => open(session.id)}>
        {words.ofJob}
      </Button>
      <Text size="xs" c="dimmed" mt={2}>
        {session.title}
      </Text>
    </div>
  );
}

/** Category of the tools that ask the web. */
const RESEARCH = 'research';

/** Whether builder and job can ask the web on this server, and why not. */
export function WebResearch({ expertId }: { readonly expertId: string }) {
  const { builder: words } = useWords();
  const textOf = useServerText();
  const [{ data }] = useQuery({ query: BuilderWebResearchDocument, variables: { expertId } });
  const category = data?.expert?.config.tools.find(({ name }) => name === RESEARCH);
  if (!category) return null;
  return (
    <Text size="xs" c="dimmed">
      {category.unavailableReason == null ? words.webOn : words.webOff(textOf(category.unavailableReason))}
    </Text>
  );
}
