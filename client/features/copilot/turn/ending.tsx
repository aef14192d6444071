import { Alert, Text } from '@mantine/core';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { TurnView } from '../model/session-view.ts';

/** How a turn ended that was not answered. */
export function Ending({ turn: { status, error } }: { readonly turn: TurnView }) {
  const { copilot } = useWords();
  switch (status) {
    case 'QUEUED':
    case 'RUNNING':
    case 'COMPLETED':
      return null;
    case 'CANCELLED':
      return (
        <Text size="xs" c="dimmed" mb={6}>
          {error?.message ? copilot.stoppedFor(error.message) : copilot.stopped}
        </Text>
      );
    case 'FAILED':
    case 'INTERRUPTED':
      return (
        <Alert color={status === 'FAILED' ? 'red' : 'yellow'} p="xs" mb={6} title={copilot.endings[status]}>
          {error?.message}
        </Alert>
      );
    default:
      return status satisfies never;
  }
}
