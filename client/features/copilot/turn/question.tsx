import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import type { TurnView } from '@qpilot/client/view';
import { IconChevronLeft, IconChevronRight, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { QuestionEditor } from './question-editor.tsx';
import { QuestionImages } from './question-images.tsx';
import type { TurnActions } from './turn-actions.ts';
import classes from './turn.module.css';

type QuestionProps = {
  readonly turn: TurnView;
  readonly isBusy: boolean;
  readonly actions: TurnActions;
  readonly isEditing: boolean;
  readonly onEditing: (isEditing: boolean) => void;
};

/** What was asked, with its pictures; it can be asked differently, and other versions of it looked at. */
export function Question({ turn, isBusy, actions, isEditing, onEditing }: QuestionProps) {
  const { copilot } = useWords();
  const [wasEdited, setEdited] = useState(false);
  if (isEditing) {
    return (
      <QuestionEditor
        text={turn.question.text}
        isBusy={isBusy}
        onAsk={(text) => actions.edit(turn.question.id, text)}
        onClose={() => {
          setEdited(true);
          onEditing(false);
        }}
      />
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
        <QuestionImages images={turn.question.images} />
        <Text size="sm" fw={400} m={0} component="h2" className={classes['words']}>
          {turn.question.text}
        </Text>
      </div>
      <Group gap={2} justify="flex-end" className={classes['tools']}>
        <Versions turn={turn} actions={actions} />
        {actions.mayWrite && (
          <Tooltip label={copilot.editQuestion}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={copilot.editQuestion}
              autoFocus={wasEdited}
              disabled={isBusy}
              onClick={() => onEditing(true)}
            >
              <IconPencil size={14} />
            </ActionIcon>
          </Tooltip>
        )}
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
