import { Alert, Button, Grid, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { activeTurnOf, isFinal } from '@qpilot/client/view';
import { Link, useParams } from 'react-router';
import { LoadError } from '../../../components/load-error.tsx';
import { PageSkeleton } from '../../../components/page-skeleton.tsx';
import { PageTitle } from '../../../components/page-title.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useSubjectOfPage } from '../../../lib/page-subject.tsx';
import { useActivityText } from '../../copilot/turn/use-activity-text.ts';
import { JobComments } from '../../sharing/comments.tsx';
import { isNoId } from '../no-id.ts';
import { ConfigPanel } from './config-panel.tsx';
import { FactsPanel } from './facts-and-files.tsx';
import { FilesPanel } from './facts-and-files.tsx';
import { InstructionsPanel } from './instructions-panel.tsx';
import { JobHeader } from './job-header.tsx';
import { PhasesPanel } from './phases-panel.tsx';
import { ReportPanel } from './report-panel.tsx';
import { ReviewPanel } from './review-panel.tsx';
import { TodosPanel } from './todos-panel.tsx';
import { UsagePanel } from './usage-panel.tsx';
import { phasesOf, useJobLog, type JobLog } from './use-job.ts';
import { useJob } from './use-job.ts';

/** A job, live: `/jobs/:jobId`. */
export function JobPage() {
  const { jobId = '' } = useParams();
  return <JobOfId key={jobId} jobId={jobId} />;
}

function JobOfId({ jobId }: { readonly jobId: string }) {
  const log = useJobLog(jobId);
  const phases = phasesOf(log);
  // A phase that begins or ends changes the job. Its log misses nothing; a subscription may begin too late.
  const { data, error, reload } = useJob(jobId, phases.length + phases.filter(isFinal).length);
  useSubjectOfPage({ chipId: data?.job?.chip?.chipId ?? null });
  if (data?.job) return <JobView job={data.job} log={log} />;
  if ((data && !error) || isNoId(error)) return <UnknownJob />;
  if (!error) return <PageSkeleton />;
  return (
    <Stack p="md">
      <LoadError error={error} onRetry={reload} />
    </Stack>
  );
}

function JobView({ job, log }: { readonly job: JobDetailFragment; readonly log: JobLog }) {
  const { jobs } = useWords();
  const phases = phasesOf(log);
  const activity = useActivityText(activeTurnOf(log.view)?.activity ?? null);
  return (
    <Stack p="md" gap="sm" maw={1400} mx="auto">
      <PageTitle>{job.description}</PageTitle>
      <JobHeader job={job} />
      <VisuallyHidden role="status">
        {`${jobs.announced(jobs.status[job.status])} ${job.status === 'PROCESSING' ? activity : ''}`}
      </VisuallyHidden>
      {log.live === 'reconnecting' && (
        <Text size="xs" c="dimmed" role="status">
          {jobs.reconnecting}
        </Text>
      )}
      <Standing job={job} />
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="sm">
            <ReportPanel job={job} />
            <PhasesPanel phases={phases} />
            <JobComments jobId={job.id} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="sm">
            <FactsPanel job={job} />
            <UsagePanel job={job} />
            <TodosPanel plan={log.plan} />
            <FilesPanel files={job.files} />
            <InstructionsPanel instructions={job.effectiveInstructions} />
            <ConfigPanel job={job} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** What a reader has to know first: that it waits, what it needs, why it failed. */
function Standing({ job }: { readonly job: JobDetailFragment }) {
  const { jobs, sharing } = useWords();
  switch (job.status) {
    case 'CREATED':
      return (
        <Alert color="gray" py="xs">
          {jobs.waiting}
        </Alert>
      );
    case 'PENDING_REVIEW':
      return job.sharedBy ? (
        <Alert color="gray" py="xs">
          {sharing.awaitsOwner}
        </Alert>
      ) : (
        <ReviewPanel key={job.run} job={job} />
      );
    case 'FAILED':
      return (
        <Alert color="red" title={jobs.failedTitle}>
          {job.error?.message}
        </Alert>
      );
    case 'CANCELLED':
      return job.error ? <Alert color="gray">{job.error.message}</Alert> : null;
    case 'PROCESSING':
    case 'COMPLETED':
      return null;
    default:
      return job.status satisfies never;
  }
}

function UnknownJob() {
  const { jobs } = useWords();
  return (
    <Stack p="md" align="flex-start">
      <PageTitle>{jobs.unknownTitle}</PageTitle>
      <Title order={1}>{jobs.unknownTitle}</Title>
      <Text>{jobs.unknownText}</Text>
      <Group>
        <Button component={Link} to="/jobs" variant="default">
          {jobs.toJobs}
        </Button>
      </Group>
    </Stack>
  );
}
