import { Badge } from '@mantine/core';
import type { TaskStatus } from '../gql/graphql.ts';
import { useWords } from '../lib/i18n/i18n.tsx';

const COLORS: Readonly<Record<TaskStatus, string>> = {
  CANCELLED: 'gray',
  COMPLETED: 'teal',
  FAILED: 'red',
  PENDING: 'gray',
  RUNNING: 'indigo',
  SCHEDULED: 'gray',
  SKIPPED: 'gray',
};

/** How a run ended, or its state while it runs. */
export function StatusBadge({ status }: { readonly status: TaskStatus }) {
  const { common } = useWords();
  return (
    <Badge size="sm" variant="light" color={COLORS[status]} miw={84} flex="none">
      {common.status[status]}
    </Badge>
  );
}
