import { ActionIcon, Group, Menu, Text, Tooltip } from '@mantine/core';
import { IconHistory, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Age } from '../../../components/age.tsx';
import { BuilderSessionsDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useBuilder } from '../session/builder-provider.tsx';

/** As many as a page of the server has. */
const PAGE = 100;

/** Earlier sessions to go on with, newest first, and a way to begin anew. */
export function SessionMenu() {
  const { builder: words } = useWords();
  const { sessionId, open } = useBuilder();
  const [isOpen, setOpen] = useState(false);
  const [{ data }] = useQuery({
    query: BuilderSessionsDocument,
    variables: { first: PAGE, after: null },
    requestPolicy: 'network-only',
    pause: !isOpen,
  });
  const sessions = data?.builderSessions.nodes;
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
      <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={300} shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.sessions}>
            <IconHistory size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          <Menu.Label>{words.sessions}</Menu.Label>
          {sessions?.length === 0 && <Menu.Label>{words.noSessions}</Menu.Label>}
          {sessions?.map((session) => (
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
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
