import { ActionIcon, Button, CopyButton, Group, Popover, Textarea, Tooltip } from '@mantine/core';
import type { TurnView } from '@qpilot/client/view';
import { IconAlertCircle, IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react';
import { use, useRef, useState, type ReactNode } from 'react';
import { CopyLink } from '../../../components/copy-link.tsx';
import { useVisualWords } from '../../../components/chart/use-visual-words.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { LogbookMenu } from '../../logbook/logbook-menu.tsx';
import { PinButton } from '../../pins/pin-button.tsx';
import { ShareAnswer } from '../../sharing/share-button.tsx';
import { turnPath } from '../../../lib/part-path.ts';
import { exhibitIn } from '../model/answer-layout.ts';
import { entryOf } from '../model/logbook-entry.ts';
import { AnswerRating } from './answer-rating.tsx';
import { LinkContext } from './link-context.ts';
import type { TurnActions } from './turn-actions.ts';
import classes from './turn.module.css';

/** What can be done with an answer: copy, retry, doubt, share, rate. */
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
  const visualWords = useVisualWords();
  const { answer } = turn;
  const links = use(LinkContext);
  const { sessionId } = links;
  const group = useRef<HTMLDivElement>(null);
  return (
    <Group gap={2} className={classes['actions']} ref={group}>
      {text !== '' && (
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Tool label={copied ? copilot.copied : copilot.copy} onClick={copy}>
              {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            </Tool>
          )}
        </CopyButton>
      )}
      {answer && sessionId !== null && (
        <LogbookMenu
          entry={() =>
            entryOf(turn, answer, { ...links, sessionId }, (exhibit) => exhibitIn(visualWords, exhibit))
          }
          wordsOf={() => group.current?.closest('article')?.querySelector('[data-words]') ?? null}
        />
      )}
      {answer && sessionId !== null && turn.steps.length > 0 && (
        <PinButton
          isSmall
          title={copilot.thisAnswer}
          pinned={{ messageId: answer.id, title: turn.question.text.trim().slice(0, 120) || null, span: 2 }}
        />
      )}
      {sessionId !== null && <CopyLink path={turnPath(sessionId, turn.id)} />}
      {actions.mayWrite && (
        <>
          <Tool label={copilot.retry} disabled={isBusy} onClick={() => actions.retry(turn.id)}>
            <IconRefresh size={15} />
          </Tool>
          {answer && <Dispute isBusy={isBusy} onDispute={(note) => actions.dispute(answer.id, note)} />}
          {answer && <ShareAnswer messageId={answer.id} />}
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
