import { ActionIcon, Group, Menu, Text, Tooltip } from '@mantine/core';
import { IconHistory, IconPlus } from '@tabler/icons-react';
import { Age } from '../../../components/age.tsx';
import { LoadError } from '../../../components/load-error.tsx';
import { BuilderSessionsDocument, type BuilderSessionsQuery } from '../../../gql/graphql.ts';
import { usePages } from '../../../lib/graphql/use-pages.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useBuilder } from '../session/builder-provider.tsx';

const FIRST_PAGE = { first: 30 };

const sessionsOf = ({ builderSessions }: BuilderSessionsQuery) => builderSessions;

/** Earlier sessions to continue, newest first, and a way to start a new one. */
export function SessionMenu() {
  const { builder: words } = useWords();
  const { sessionId, open } = useBuilder();
  return (
    <Group gap={2} wrap="nowrap">
      <Tooltip label={words.beginHint} multiline w={220}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.begin}
          disabled={sessionId === null}
          onClick={() => open(null)}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end" width={300} shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.sessions}>
            <IconHistory size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          <Menu.Label>{words.sessions}</Menu.Label>
          <EarlierSessions />
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** The items of the menu; read whenever it is opened. */
function EarlierSessions() {
  const { builder: words, common } = useWords();
  const { sessionId, open } = useBuilder();
  const { rows, hasMore, error, more, again } = usePages({
    query: BuilderSessionsDocument,
    variables: FIRST_PAGE,
    connectionOf: sessionsOf,
  });
  return (
    <>
      {rows?.length === 0 && <Menu.Label>{words.noSessions}</Menu.Label>}
      {rows?.map((session) => (
        <Menu.Item
          key={session.id}
          disabled={session.id === sessionId}
          onClick={() => open(session.id)}
          rightSection={
            <Text span size="xs" c="dimmed">
              <Age at={session.updatedAt} />
            </Text>
          }
        >
          <Text size="sm" lineClamp={1}>
            {session.title}
          </Text>
          {session.job && (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {session.job.description}
            </Text>
          )}
        </Menu.Item>
      ))}
      {error && <LoadError error={error} onRetry={again} />}
      {hasMore && !error && (
        <Menu.Item closeMenuOnClick={false} onClick={more}>
          {common.more}
        </Menu.Item>
      )}
    </>
  );
}
