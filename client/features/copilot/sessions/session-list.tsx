import { Button, ScrollArea, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDidUpdate, useWindowEvent } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { LoadError } from '../../../components/load-error.tsx';
import { MoreRows } from '../../../components/more-rows.tsx';
import { CopilotSessionsDocument, type CopilotSessionsQuery } from '../../../gql/graphql.ts';
import { usePages } from '../../../lib/graphql/use-pages.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { SharedSessions } from '../../sharing/shared-sessions.tsx';
import { SessionRow } from './session-row.tsx';

/** As many as fill the list of a high screen. */
const PAGE = 50;
/** How soon to look again: whether an answer is complete, or the server is back. */
const AGAIN_MS = 2_000;
/** Time after a letter of the search in which another one may come. */
const TYPING_MS = 200;
/** The longest title there is; the server refuses to look for more. */
const LONGEST_SEARCH = 200;

/** The reader's conversations, newest first, and a search in the titles of all. */
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
  const [sought] = useDebouncedValue(search.trim(), TYPING_MS);
  const list = useSessions(current, sought);
  const { rows, isReading, error, again } = list;
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
        maxLength={LONGEST_SEARCH}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {error && !rows && <LoadError error={error} onRetry={again} />}
      <ScrollArea flex={1} type="auto" offsetScrollbars="y">
        {isReading && !rows && <Skeleton h={120} />}
        <Stack gap={1} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {rows?.map((session) => (
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
          <MoreRows list={list} />
        </Stack>
        {rows?.length === 0 && (
          <Text size="xs" c="dimmed" p="xs">
            {sought === '' ? copilot.noSessions : copilot.noneFound}
          </Text>
        )}
        <SharedSessions search={sought} current={current} onOpen={onOpen} />
      </ScrollArea>
    </Stack>
  );
}

const sessionsOf = ({ copilotSessions }: CopilotSessionsQuery) => copilotSessions;

/**
 * Conversations with these words in their titles. They are read again when another one is opened, when the reader comes
 * back from another tab, which may have changed them, and while one is being answered or the server is away.
 */
function useSessions(current: string | null, search: string) {
  const variables = useMemo(() => ({ first: PAGE, search }), [search]);
  const list = usePages({ query: CopilotSessionsDocument, variables, connectionOf: sessionsOf });
  const { rows, isReading, error, again } = list;
  const isToBeReadAgain =
    !isReading && (error?.networkError !== undefined || rows?.some(({ activeTurn }) => activeTurn) === true);
  useEffect(() => {
    if (!isToBeReadAgain) return;
    const timer = setTimeout(again, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isToBeReadAgain, again]);
  useDidUpdate(again, [current]);
  useWindowEvent('focus', again);
  return list;
}
