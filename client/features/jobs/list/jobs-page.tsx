import { Alert, Button, Group, Select, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { PageTitle } from '../../../components/page-title.tsx';
import type { JobStatus } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useViewer } from '../../sharing/use-viewer.ts';
import { SharedJobs } from './shared-jobs.tsx';
import { JobPages } from './job-pages.tsx';

const STATUSES = [
  'CREATED',
  'PROCESSING',
  'PENDING_REVIEW',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const satisfies readonly JobStatus[];

/** The jobs of the viewer: `/jobs`, narrowed by `?status=`. */
export function JobsPage() {
  const { jobs, sharing } = useWords();
  const viewer = useViewer();
  const [params, setParams] = useSearchParams();
  const status = STATUSES.find((each) => each === params.get('status')) ?? null;
  return (
    <Stack p="md" gap="sm" maw={1200} mx="auto">
      <PageTitle>{jobs.title}</PageTitle>
      <Group justify="space-between">
        <Title order={1}>{jobs.title}</Title>
        <Group gap="xs">
          <Select
            size="xs"
            w={160}
            aria-label={jobs.filter}
            placeholder={jobs.anyStatus}
            clearable
            clearButtonProps={{ 'aria-label': jobs.anyStatus }}
            value={status}
            data={STATUSES.map((value) => ({ value, label: jobs.status[value] }))}
            onChange={(value) => setParams(value === null ? {} : { status: value }, { replace: true })}
          />
          {viewer?.mayRunJobs === true && (
            <Button component={Link} to="/jobs/new" size="xs" leftSection={<IconPlus size={14} />}>
              {jobs.newJob}
            </Button>
          )}
        </Group>
      </Group>
      {viewer?.mayRunJobs === false && <Alert color="gray">{sharing.needsEditor}</Alert>}
      <JobPages key={status} status={status} />
      {status === null && <SharedJobs />}
    </Stack>
  );
}
