import { Button, ScrollArea, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { LoadError } from '../../../components/load-error.tsx';
import { CopilotSessionsDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { SessionRow } from './session-row.tsx';

/** As many as a page of the server has. */
const PAGE = 100;
/** How soon to look again: whether an answer is complete, or the server is back. */
const AGAIN_MS = 2_000;

/** The reader's conversations, newest first, and a search in their titles. */
export function SessionList({
  current,
  onOpen,
}: {
  readonly current: string | null;
  /** Null: a new one. */
  readonly onOpen: (sessionId: string | null) => void;
}) {
  const { copilot } = useWords();
  const [search, setSearch] = useState('');
  const [{ data, error, fetching }, read] = useQuery({
    query: CopilotSessionsDocument,
    variables: { first: PAGE },
  });
  const again = (): void => read({ requestPolicy: 'network-only' });
  const isAnswering = data?.copilotSessions.nodes.some(({ activeTurn }) => activeTurn) === true;
  const isToBeReadAgain = (isAnswering || error?.networkError !== undefined) && !fetching;
  useEffect(() => {
    if (!isToBeReadAgain) return;
    const timer = setTimeout(() => read({ requestPolicy: 'network-only' }), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isToBeReadAgain, read]);
  const [known, setKnown] = useState(data);
  if (data && data !== known) setKnown(data);
  const sessions = known?.copilotSessions.nodes ?? [];
  const found = sessions.filter(({ title }) => title.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <Stack gap="xs" h="100%" component="nav" aria-label={copilot.sessions}>
      <Button
        size="sm"
        variant="light"
        leftSection={<IconPlus size={16} />}
        onClick={() => {
          onOpen(null);
          again();
        }}
      >
        {copilot.newSession}
      </Button>
      <TextInput
        size="xs"
        aria-label={copilot.searchSessions}
        placeholder={copilot.searchSessions}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {error && !known && <LoadError error={error} onRetry={again} />}
      <ScrollArea flex={1} type="auto" offsetScrollbars="y">
        {fetching && !known && <Skeleton h={120} />}
        <Stack gap={1} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {found.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isCurrent={session.id === current}
              onOpen={() => onOpen(session.id)}
              onDeleted={() => {
                if (session.id === current) onOpen(null);
                again();
              }}
            />
          ))}
        </Stack>
        {known && found.length === 0 && (
          <Text size="xs" c="dimmed" p="xs">
            {search === '' ? copilot.noSessions : copilot.noneFound}
          </Text>
        )}
      </ScrollArea>
    </Stack>
  );
}
