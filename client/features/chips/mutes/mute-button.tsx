import { ActionIcon, Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useUnsaved } from '../../../lib/unsaved.tsx';
import { PopoverForm } from '../../../components/popover-form.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { serverNowMs } from '../../../lib/server-clock.ts';
import type { ValueKey } from './find-mute.ts';
import type { ChipMutes } from './use-mutes.ts';

const DAY_MS = 86_400_000;
const DAYS = ['1', '7', '30'] as const;

type MuteButtonProps = {
  /** The part and the metric, for people. */
  readonly name: string;
  readonly of: ValueKey;
  readonly mutes: ChipMutes;
};

/** Asks why a value is known to be bad, and until when; nothing for viewers, who may not. */
export function MuteButton({ name, of, mutes }: MuteButtonProps) {
  const { chip } = useWords();
  const { mute: words } = chip;
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const [isSending, setSending] = useState(false);
  useUnsaved(isOpen && reason.trim() !== '' ? reason : null);
  if (!mutes.mayMute) return null;
  const submit = async (): Promise<void> => {
    setSending(true);
    const until = new Date(serverNowMs() + Number(days) * DAY_MS).toISOString();
    const { partId, parameter } = of;
    if (await mutes.mute({ partId, parameter }, reason, until)) setOpen(false);
    setSending(false);
  };
  return (
    <PopoverForm
      name={words.button(name)}
      isOpen={isOpen}
      onOpen={setOpen}
      onSubmit={submit}
      button={
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={words.button(name)}
          title={words.button(name)}
          onClick={() => setOpen(!isOpen)}
        >
          <IconBellOff size={14} />
        </ActionIcon>
      }
    >
      <TextInput
        size="xs"
        label={words.reason}
        placeholder={words.example}
        maxLength={300}
        required
        data-autofocus
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={words.forHowLong}
        data={DAYS.map((value) => ({ value, label: words.days(Number(value)) }))}
        value={days}
        onChange={setDays}
      />
      <Button size="xs" type="submit" loading={isSending} disabled={reason.trim() === ''}>
        {words.submit}
      </Button>
    </PopoverForm>
  );
}
