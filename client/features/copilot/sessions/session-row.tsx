import { ActionIcon, Loader, Menu, Text, TextInput, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useConfirm } from '../../../components/second-thoughts.tsx';
import {
  CopilotDeleteDocument,
  CopilotRenameDocument,
  type CopilotSessionsQuery,
} from '../../../gql/graphql.ts';
import { useRefusal, type MutationResult, type RequestFailure } from '../../../lib/graphql/refusal.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { isSendKey } from '../composer/keys.ts';
import classes from './sessions.module.css';

type Session = CopilotSessionsQuery['copilotSessions']['nodes'][number];

/** A conversation in the list, which can be opened, renamed and deleted. */
export function SessionRow({
  session,
  isCurrent,
  onOpen,
  onDeleted,
}: {
  readonly session: Session;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  readonly onDeleted: () => void;
}) {
  const { copilot } = useWords();
  const confirm = useConfirm();
  const [draft, setDraft] = useState<string | null>(null);
  const [, renameSession] = useMutation(CopilotRenameDocument);
  const [, deleteSession] = useMutation(CopilotDeleteDocument);
  const refusal = useRefusal();
  const isDone = (result: MutationResult, error: RequestFailure): boolean => {
    const message = refusal(result, error);
    if (message !== null) notifications.show({ color: 'red', message });
    return message === null;
  };
  const rename = async (): Promise<void> => {
    const title = draft?.trim() ?? '';
    setDraft(null);
    if (title === '' || title === session.title) return;
    const { data, error } = await renameSession({ input: { sessionId: session.id, title } });
    isDone(data?.renameCopilotSession, error);
  };
  const remove = (): void =>
    confirm({
      title: copilot.deleteTitle,
      text: copilot.deleteText(session.title),
      confirm: copilot.delete,
      cancel: copilot.cancel,
      onConfirm: () =>
        void deleteSession({ input: { sessionId: session.id } }).then(({ data, error }) => {
          if (isDone(data?.deleteCopilotSession, error)) onDeleted();
        }),
    });
  if (draft !== null) {
    return (
      <li>
        <TextInput
          size="xs"
          autoFocus
          aria-label={copilot.rename}
          maxLength={200}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => void rename()}
          onKeyDown={(event) => {
            if (isSendKey(event)) void rename();
            if (event.key === 'Escape') setDraft(null);
          }}
        />
      </li>
    );
  }
  return (
    <li className={classes['row']} data-current={isCurrent}>
      <UnstyledButton
        className={classes['open']}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onOpen}
      >
        <Text span size="sm" truncate display="block">
          {session.title}
        </Text>
      </UnstyledButton>
      {session.activeTurn && <Loader size={12} aria-label={copilot.answering} role="img" />}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={copilot.moreOf(session.title)}>
            <IconDots size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setDraft(session.title)}>
            {copilot.rename}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={14} />} c="red" onClick={remove}>
            {copilot.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
