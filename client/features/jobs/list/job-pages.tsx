import { Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { LoadError } from '../../../components/load-error.tsx';
import { JobsDocument, JobUpdatedDocument, type JobStatus } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { JobRow } from './job-row.tsx';
import classes from './jobs.module.css';

const PAGE_ROWS = 25;

/** Jobs page by page. All pages are read again when a job of the viewer changes, here or elsewhere. */
export function JobPages({ status }: { readonly status: JobStatus | null }) {
  const { jobs } = useWords();
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const [changes, setChanges] = useState(0);
  useSubscription({ query: JobUpdatedDocument }, (_before, data) => {
    setChanges((count) => count + 1);
    return data;
  });
  return (
    <ul className={classes['list']} aria-label={jobs.list}>
      {cursors.map((after, index) => (
        <JobPage
          key={after}
          after={after}
          status={status}
          changes={changes}
          onMore={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : null}
        />
      ))}
    </ul>
  );
}

type JobPageProps = {
  readonly after: string | null;
  readonly status: JobStatus | null;
  /** Counts changes of jobs. */
  readonly changes: number;
  /** Null for pages that another one follows already. */
  readonly onMore: ((cursor: string) => void) | null;
};

function JobPage({ after, status, changes, onMore }: JobPageProps) {
  const { common } = useWords();
  const [{ data, error }, execute] = useQuery({
    query: JobsDocument,
    variables: { first: PAGE_ROWS, after, status: status === null ? null : [status] },
  });
  useEffect(() => {
    if (changes > 0) execute({ requestPolicy: 'network-only' });
  }, [changes, execute]);
  if (!data) {
    return (
      <li>
        {error ? (
          <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
        ) : (
          <Skeleton height={220} />
        )}
      </li>
    );
  }
  const { nodes, pageInfo } = data.jobs;
  if (nodes.length === 0 && after === null) return <NoJobs isNarrowed={status !== null} />;
  const { hasNextPage, endCursor } = pageInfo;
  return (
    <>
      {nodes.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
      {onMore !== null && hasNextPage && endCursor && (
        <li>
          <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => onMore(endCursor)}>
            {common.more}
          </Button>
        </li>
      )}
    </>
  );
}

function NoJobs({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { jobs } = useWords();
  if (isNarrowed) {
    return (
      <li>
        <Text c="dimmed">{jobs.noneOfStatus}</Text>
      </li>
    );
  }
  return (
    <li>
      <Paper withBorder p="xl">
        <Stack align="center" gap="xs" maw={520} mx="auto">
          <Title order={2}>{jobs.emptyTitle}</Title>
          <Text c="dimmed" ta="center">
            {jobs.emptyText}
          </Text>
          <Button component={Link} to="/jobs/new" mt="xs">
            {jobs.newJob}
          </Button>
        </Stack>
      </Paper>
    </li>
  );
}
