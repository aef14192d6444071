import { Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useSubscription } from 'urql';
import { LoadError } from '../../../components/load-error.tsx';
import { MoreRows } from '../../../components/more-rows.tsx';
import { JobsDocument, JobUpdatedDocument, type JobsQuery, type JobStatus } from '../../../gql/graphql.ts';
import { usePages } from '../../../lib/graphql/use-pages.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useViewer } from '../../sharing/use-viewer.ts';
import { JobRow } from './job-row.tsx';
import classes from './jobs.module.css';

const PAGE_ROWS = 25;

const jobsOf = ({ jobs }: JobsQuery) => jobs;

/** Jobs page by page. They are read again when a job of the viewer changes, here or elsewhere. */
export function JobPages({ status }: { readonly status: JobStatus | null }) {
  const { jobs } = useWords();
  const variables = useMemo(
    () => ({ first: PAGE_ROWS, status: status === null ? null : [status] }),
    [status],
  );
  const list = usePages({ query: JobsDocument, variables, connectionOf: jobsOf });
  const { rows, error, again } = list;
  const [{ data: changed }] = useSubscription({ query: JobUpdatedDocument });
  useDidUpdate(again, [changed]);
  return (
    <ul className={classes['list']} aria-label={jobs.list}>
      {rows === null && (
        <li>{error ? <LoadError error={error} onRetry={again} /> : <Skeleton height={220} />}</li>
      )}
      {rows?.length === 0 && <NoJobs isNarrowed={status !== null} />}
      {rows?.map((job) => (
        <JobRow key={job.id} job={job} onDeleted={again} />
      ))}
      <MoreRows list={list} />
    </ul>
  );
}

function NoJobs({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { jobs } = useWords();
  const viewer = useViewer();
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
          {viewer?.mayRunJobs === true && (
            <Button component={Link} to="/jobs/new" mt="xs">
              {jobs.newJob}
            </Button>
          )}
        </Stack>
      </Paper>
    </li>
  );
}
