import { Alert, Text } from '@mantine/core';
import type { TurnView } from '@qpilot/client/view';
import type { ReactNode } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';

/** How a turn ended that was not answered; `children` is what can be done about it. */
export function Ending({ turn, children }: { readonly turn: TurnView; readonly children?: ReactNode }) {
  const { copilot } = useWords();
  const { status, error } = turn;
  switch (status) {
    case 'QUEUED':
    case 'RUNNING':
    case 'COMPLETED':
    case 'JOINED':
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
        <Alert
          color={status === 'FAILED' ? 'red' : 'yellow'}
          p="sm"
          mb={6}
          title={titleOf(turn, copilot.failures) ?? copilot.endings[status]}
        >
          {error?.message}
          {children}
        </Alert>
      );
    default:
      return status satisfies never;
  }
}

/** What went wrong in the reader's language; undefined for kinds that only the server has words for. */
const titleOf = (
  { error }: Pick<TurnView, 'error'>,
  failures: Readonly<Record<string, string>>,
): string | undefined => (error === null ? undefined : failures[error.code]);
