import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useUnsaved } from '../../../lib/unsaved.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { isSendKey } from '../composer/keys.ts';
import classes from './turn.module.css';

/** Asks a question differently; `onAsk` resolves with whether it was taken. */
export function QuestionEditor({
  text,
  isBusy,
  onAsk,
  onClose,
}: {
  readonly text: string;
  readonly isBusy: boolean;
  readonly onAsk: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const { copilot } = useWords();
  const [draft, setDraft] = useState(text);
  useUnsaved(draft.trim() === text.trim() ? null : draft);
  const isSendable = !isBusy && draft.trim() !== '';
  const send = async (): Promise<void> => {
    if (isSendable && (await onAsk(draft.trim()))) onClose();
  };
  return (
    <div className={classes['editing']}>
      <Textarea
        autosize
        maxRows={12}
        autoFocus
        dir="auto"
        aria-label={copilot.editQuestion}
        value={draft}
        // Editing continues after the text; the browser would start before it.
        onFocus={({ currentTarget: field }) => field.setSelectionRange(text.length, text.length)}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (!isSendKey(event)) return;
          event.preventDefault();
          void send();
        }}
      />
      <Group justify="flex-end" gap="xs" mt={6}>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {copilot.cancel}
        </Button>
        <Button size="compact-sm" disabled={!isSendable} onClick={() => void send()}>
          {copilot.askAgain}
        </Button>
      </Group>
    </div>
  );
}
