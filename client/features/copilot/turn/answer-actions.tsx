import { ActionIcon, Button, CopyButton, Group, Popover, Textarea, Tooltip } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { TurnView } from '../model/session-view.ts';
import { AnswerRating } from './answer-rating.tsx';
import type { TurnActions } from './turn-actions.ts';
import classes from './turn.module.css';

/** What can be done with an answer: copy, retry, doubt, rate. */
export function AnswerActions({
  turn,
  text,
  isBusy,
  actions,
}: {
  readonly turn: TurnView;
  readonly text: string;
  readonly isBusy: boolean;
  readonly actions: TurnActions;
}) {
  const { copilot } = useWords();
  const { answer } = turn;
  return (
    <Group gap={2} className={classes['actions']}>
      {text !== '' && (
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Tool label={copied ? copilot.copied : copilot.copy} onClick={copy}>
              {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            </Tool>
          )}
        </CopyButton>
      )}
      {actions.mayWrite && (
        <>
          <Tool label={copilot.retry} disabled={isBusy} onClick={() => actions.retry(turn.id)}>
            <IconRefresh size={15} />
          </Tool>
          {answer && <Dispute isBusy={isBusy} onDispute={(note) => actions.dispute(answer.id, note)} />}
          {answer && <AnswerRating answer={answer} onRate={actions.rate} />}
        </>
      )}
    </Group>
  );
}

function Dispute({
  isBusy,
  onDispute,
}: {
  readonly isBusy: boolean;
  readonly onDispute: (note: string) => void;
}) {
  const { copilot } = useWords();
  const [isOpen, setOpen] = useState(false);
  const [note, setNote] = useState('');
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="top-start"
      width={300}
      trapFocus
      withArrow
      shadow="md"
    >
      <Popover.Target>
        <Tool label={copilot.dispute} disabled={isBusy} onClick={() => setOpen(!isOpen)}>
          <IconAlertCircle size={15} />
        </Tool>
      </Popover.Target>
      <Popover.Dropdown>
        <Textarea
          size="xs"
          autosize
          minRows={2}
          label={copilot.disputeNote}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Button
          size="compact-sm"
          mt={8}
          onClick={() => {
            setOpen(false);
            onDispute(note.trim());
          }}
        >
          {copilot.disputeSend}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

type ToolProps = {
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly children: ReactNode;
  readonly ref?: React.Ref<HTMLButtonElement>;
};

function Tool({ label, onClick, disabled = false, children, ref }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        ref={ref ?? null}
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
