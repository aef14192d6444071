import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconCopy, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { Age } from '../../../components/age.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../lib/i18n/use-server-names.ts';
import { HandOver } from '../../sharing/hand-over.tsx';
import { ShareButton, SharedBy } from '../../sharing/share-button.tsx';
import { useViewer } from '../../sharing/use-viewer.ts';
import { ExpertIcon } from '../expert-icon.tsx';
import { JobStatusBadge } from '../job-status-badge.tsx';
import { canRetry, isOpen } from '../job-times.ts';
import { useJobActions } from '../use-job-actions.ts';
import { useJobQuestions } from '../use-job-questions.tsx';
import { WorkedTime } from '../worked-time.tsx';

/** The job's description and status, and what can be done with it. */
export function JobHeader({ job }: { readonly job: JobDetailFragment }) {
  const { jobs } = useWords();
  const textOf = useServerText();
  const { expert, chip } = job;
  return (
    <header>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Title order={1} style={{ overflowWrap: 'anywhere' }} flex="1 1 320px">
          {job.description}
        </Title>
        <JobButtons job={job} />
      </Group>
      {job.sharedBy && <SharedBy name={job.sharedBy.name} />}
      <Group gap="xs" mt={6}>
        <JobStatusBadge status={job.status} />
        {expert && <ExpertIcon expert={expert} size={16} />}
        <Text size="sm" c="dimmed">
          {expert ? textOf(expert.displayName) : jobs.noExpert}
          {chip && (
            <>
              {' · '}
              <Anchor
                component={Link}
                inherit
                underline="always"
                to={`/chips/${encodeURIComponent(chip.chipId)}`}
              >
                {chip.chipId}
              </Anchor>
            </>
          )}
          {' · '}
          <Age at={job.createdAt} />
          {job.startedAt && ' · '}
          <WorkedTime job={job} />
        </Text>
      </Group>
    </header>
  );
}

function JobButtons({ job }: { readonly job: JobDetailFragment }) {
  const { id, status, visibility, shareLink, sharedBy } = job;
  const { jobs } = useWords();
  const actions = useJobActions();
  const ask = useJobQuestions();
  const navigate = useNavigate();
  const viewer = useViewer();
  const remove = async (): Promise<void> => {
    if (await actions.remove(id)) await navigate('/jobs');
  };
  const mayRunJobs = viewer?.mayRunJobs !== false;
  const clone = mayRunJobs && (
    <Button
      component={Link}
      to={`/jobs/new?from=${encodeURIComponent(id)}`}
      size="xs"
      variant="default"
      leftSection={<IconCopy size={14} />}
    >
      {jobs.clone}
    </Button>
  );
  if (sharedBy) return clone || null;
  return (
    <Group gap="xs">
      <ShareButton kind="job" id={id} visibility={visibility} shareLink={shareLink ?? null} />
      <HandOver jobId={id} />
      {isOpen(status) && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerStop size={14} />}
          onClick={() => ask.cancel(() => void actions.cancel(id))}
        >
          {jobs.cancel}
        </Button>
      )}
      {canRetry(status) && mayRunJobs && (
        <Button size="xs" leftSection={<IconRefresh size={14} />} onClick={() => void actions.retry(id)}>
          {jobs.tryAgain}
        </Button>
      )}
      {clone}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={14} />}
        onClick={() => ask.remove(() => void remove())}
      >
        {jobs.delete}
      </Button>
    </Group>
  );
}
