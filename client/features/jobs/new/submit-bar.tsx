import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './new-job.module.css';

type SubmitBarProps = {
  readonly isSending: boolean;
  readonly isLocked: boolean;
  /** Why the last attempt made no job; empty for none. */
  readonly reasons: readonly string[];
  readonly onDiscard: () => void;
};

/** Sends the form, or throws its draft away; in sight wherever the page is scrolled. */
export function SubmitBar({ isSending, isLocked, reasons, onDiscard }: SubmitBarProps) {
  const { newJob } = useWords();
  return (
    <div className={classes['submit']}>
      {reasons.length > 0 && (
        <Alert color="red" title={newJob.notSent} role="alert" mb="xs">
          {reasons.map((reason) => (
            <Text key={reason} size="sm">
              {reason}
            </Text>
          ))}
        </Alert>
      )}
      <Group gap="sm">
        <Button
          type="submit"
          loading={isSending}
          disabled={isLocked}
          leftSection={<IconPlayerPlay size={16} />}
        >
          {newJob.submit}
        </Button>
        <Button variant="subtle" color="gray" disabled={isSending} onClick={onDiscard}>
          {newJob.discard}
        </Button>
        <Text size="xs" c="dimmed">
          {newJob.kept}
        </Text>
      </Group>
    </div>
  );
}
