import { ActionIcon, Button, Group, Text, Textarea, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { isSendKey } from '../composer/keys.ts';
import type { TurnView } from '../model/session-view.ts';
import type { TurnActions } from './turn.tsx';
import classes from './turn.module.css';

type QuestionProps = {
  readonly turn: TurnView;
  readonly isBusy: boolean;
  readonly actions: TurnActions;
};

/** What was asked, with its pictures; it can be asked differently, and other versions of it looked at. */
export function Question({ turn, isBusy, actions }: QuestionProps) {
  const { copilot } = useWords();
  const [draft, setDraft] = useState<string | null>(null);
  if (draft !== null) {
    const send = async (): Promise<void> => {
      if (draft.trim() !== '' && (await actions.edit(turn.question.id, draft.trim()))) setDraft(null);
    };
    return (
      <div className={classes['editing']}>
        <Textarea
          autosize
          maxRows={12}
          data-autofocus
          autoFocus
          aria-label={copilot.editQuestion}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setDraft(null);
            if (!isSendKey(event)) return;
            event.preventDefault();
            void send();
          }}
        />
        <Group justify="flex-end" gap="xs" mt={6}>
          <Button size="compact-sm" variant="default" onClick={() => setDraft(null)}>
            {copilot.cancel}
          </Button>
          <Button size="compact-sm" disabled={isBusy || draft.trim() === ''} onClick={() => void send()}>
            {copilot.askAgain}
          </Button>
        </Group>
      </div>
    );
  }
  return (
    <div className={classes['question']}>
      <div className={classes['bubble']}>
        {turn.disputedId !== null && (
          <Text size="xs" fw={600}>
            {copilot.disputeTitle}
          </Text>
        )}
        {turn.question.images.map(({ url, width, height }) => (
          <a key={url} href={url} target="_blank" rel="noopener noreferrer">
            <img
              src={url}
              width={width}
              height={height}
              alt={copilot.attachedImage}
              className={classes['image']}
            />
          </a>
        ))}
        <Text size="sm" fw={400} m={0} component="h2" className={classes['words']}>
          {turn.question.text}
        </Text>
      </div>
      <Group gap={2} justify="flex-end" className={classes['tools']}>
        <Versions turn={turn} actions={actions} />
        <Tooltip label={copilot.editQuestion}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={copilot.editQuestion}
            disabled={isBusy}
            onClick={() => setDraft(turn.question.text)}
          >
            <IconPencil size={14} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </div>
  );
}

/** Goes through the turns that an edit or a retry put beside each other. */
function Versions({ turn, actions }: Pick<QuestionProps, 'turn' | 'actions'>) {
  const { copilot } = useWords();
  const { siblingIds } = turn;
  if (siblingIds.length < 2) return null;
  const at = siblingIds.indexOf(turn.id);
  const arrow = (step: -1 | 1, label: string, Icon: typeof IconChevronLeft) => {
    const to = siblingIds[at + step];
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        disabled={to === undefined}
        onClick={() => to !== undefined && actions.showBranch(to)}
      >
        <Icon size={14} />
      </ActionIcon>
    );
  };
  return (
    <Group gap={0} wrap="nowrap" role="group" aria-label={copilot.versions}>
      {arrow(-1, copilot.earlierVersion, IconChevronLeft)}
      <Text size="xs" c="dimmed">
        {copilot.versionOf(at + 1, siblingIds.length)}
      </Text>
      {arrow(1, copilot.laterVersion, IconChevronRight)}
    </Group>
  );
}
