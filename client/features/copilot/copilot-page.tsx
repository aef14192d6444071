import { ActionIcon, Drawer, Tooltip, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLayoutSidebar } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { PageTitle } from '../../components/page-title.tsx';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { Conversation } from './conversation.tsx';
import classes from './copilot-page.module.css';
import { SessionList } from './sessions/session-list.tsx';

/**
 * The page of the copilot: conversations to the left (behind a button where the screen is narrow), one of them open.
 */
export function CopilotPage() {
  const { copilot, common } = useWords();
  const { sessionId = null } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [isListOpen, list] = useDisclosure();
  const open = useCallback(
    (id: string | null) => {
      list.close();
      void navigate(id === null ? '/copilot' : `/copilot/${id}`);
    },
    [list, navigate],
  );
  return (
    <div className={classes['page']}>
      <PageTitle>{common.copilot}</PageTitle>
      <VisuallyHidden component="h1">{common.copilot}</VisuallyHidden>
      <div className={classes['list']}>
        <SessionList current={sessionId} onOpen={open} />
      </div>
      <Drawer
        opened={isListOpen}
        onClose={list.close}
        title={copilot.sessions}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        <SessionList current={sessionId} onOpen={open} />
      </Drawer>
      <div className={classes['conversation']}>
        <Tooltip label={copilot.sessions}>
          <ActionIcon
            className={classes['listButton']}
            variant="default"
            aria-label={copilot.sessions}
            onClick={list.open}
          >
            <IconLayoutSidebar size={16} />
          </ActionIcon>
        </Tooltip>
        <Conversation
          sessionId={sessionId}
          linkedTurnId={query.get('turn')}
          linkedStepId={query.get('step')}
          onBegun={open}
          onGone={() => open(null)}
        />
      </div>
    </div>
  );
}
