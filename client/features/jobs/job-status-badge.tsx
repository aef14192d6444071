import { Badge } from '@mantine/core';
import type { JobStatus } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

const COLORS: Readonly<Record<JobStatus, string>> = {
  CREATED: 'gray',
  PROCESSING: 'indigo',
  PENDING_REVIEW: 'yellow',
  COMPLETED: 'teal',
  FAILED: 'red',
  CANCELLED: 'gray',
};

/** The status of a job. */
export function JobStatusBadge({ status }: { readonly status: JobStatus }) {
  const { jobs } = useWords();
  return (
    <Badge size="sm" variant="light" color={COLORS[status]} miw={104} flex="none" tt="none">
      {jobs.status[status]}
    </Badge>
  );
}
