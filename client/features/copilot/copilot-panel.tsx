import { ActionIcon, Group, Popover, Text, Tooltip } from '@mantine/core';
import { useDisclosure, useSessionStorage } from '@mantine/hooks';
import { IconArrowsMaximize, IconHistory, IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useSidePanel } from '../../lib/side-panel.tsx';
import { Conversation } from './conversation.tsx';
import classes from './copilot-panel.module.css';
import { SessionList } from './sessions/session-list.tsx';

/** The copilot beside a page; a new conversation is about what the page is about. It stays open from page to page. */
export function CopilotPanel() {
  const { copilot, common } = useWords();
  const [sessionId, setSessionId] = useSessionStorage<string | null>({
    key: 'qpilot.panelSession',
    defaultValue: null,
  });
  const [isListOpen, list] = useDisclosure();
  const open = (id: string | null): void => {
    list.close();
    setSessionId(id);
  };
  const { draft } = useSidePanel();
  useEffect(() => {
    // What is asked about a page is about that page, whatever the open conversation is about.
    if (draft !== null) setSessionId(null);
  }, [draft, setSessionId]);
  return (
    <div className={classes['panel']}>
      <Group justify="space-between" wrap="nowrap" className={classes['head']}>
        <Text fw={600} size="sm">
          {common.copilot}
        </Text>
        <Group gap={2} wrap="nowrap">
          <Tooltip label={copilot.newSession}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={copilot.newSession}
              onClick={() => open(null)}
            >
              <IconPlus size={16} />
            </ActionIcon>
          </Tooltip>
          <Popover
            opened={isListOpen}
            onChange={list.toggle}
            width={300}
            position="bottom-end"
            trapFocus
            shadow="md"
          >
            <Popover.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={copilot.sessions} onClick={list.toggle}>
                <IconHistory size={16} />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown h={420}>
              <SessionList current={sessionId} onOpen={open} />
            </Popover.Dropdown>
          </Popover>
          <Tooltip label={copilot.openPage}>
            <ActionIcon
              component={Link}
              to={sessionId === null ? '/copilot' : `/copilot/${sessionId}`}
              variant="subtle"
              color="gray"
              aria-label={copilot.openPage}
            >
              <IconArrowsMaximize size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Conversation sessionId={sessionId} onBegun={open} onGone={() => open(null)} />
    </div>
  );
}
