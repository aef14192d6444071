import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Age } from '../../../components/age.tsx';
import type { JobListedFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../lib/i18n/use-server-names.ts';
import { ExpertIcon } from '../expert-icon.tsx';
import { JobStatusBadge } from '../job-status-badge.tsx';
import { canRetry, isOpen } from '../job-times.ts';
import { useJobActions } from '../use-job-actions.ts';
import { useJobQuestions } from '../use-job-questions.tsx';
import { UsageText } from '../usage-text.tsx';
import { WorkedTime } from '../worked-time.tsx';
import classes from './jobs.module.css';

/** A job of the list; its description leads to it. */
export function JobRow({
  job,
  onDeleted,
}: {
  readonly job: JobListedFragment;
  /** Null for a job of somebody else, which the reader only reads. */
  readonly onDeleted: (() => void) | null;
}) {
  const { jobs } = useWords();
  const textOf = useServerText();
  const { expert, chip, error } = job;
  return (
    <li className={classes['row']}>
      <JobStatusBadge status={job.status} />
      <div className={classes['what']}>
        <Link to={`/jobs/${job.id}`} className={classes['name']}>
          {job.description}
        </Link>
        {error && (
          <Text size="xs" c="dimmed" truncate title={error.message}>
            {error.message}
          </Text>
        )}
      </div>
      <Group gap={6} wrap="nowrap" className={classes['who']}>
        {expert && <ExpertIcon expert={expert} size={16} />}
        <Text size="xs" c="dimmed" truncate>
          {expert ? textOf(expert.displayName) : jobs.noExpert}
          {chip && ` · ${chip.chipId}`}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" className={classes['when']}>
        <Age at={job.createdAt} />
        {job.startedAt && ' · '}
        <WorkedTime job={job} />
      </Text>
      <div className={classes['usage']}>
        <UsageText usage={job.usage} />
      </div>
      {onDeleted !== null && <JobRowActions job={job} onDeleted={onDeleted} />}
    </li>
  );
}

function JobRowActions({
  job: { id, status, description },
  onDeleted,
}: {
  readonly job: JobListedFragment;
  readonly onDeleted: () => void;
}) {
  const { jobs } = useWords();
  const actions = useJobActions();
  const ask = useJobQuestions();
  const remove = async (): Promise<void> => {
    if (await actions.remove(id)) onDeleted();
  };
  return (
    <div className={classes['actions']}>
      {isOpen(status) && (
        <Tooltip label={jobs.cancel}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={jobs.cancelOf(description)}
            onClick={() => ask.cancel(() => void actions.cancel(id))}
          >
            <IconPlayerStop size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {canRetry(status) && (
        <Tooltip label={jobs.tryAgain}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={jobs.tryAgainOf(description)}
            onClick={() => void actions.retry(id)}
          >
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {!isOpen(status) && (
        <Tooltip label={jobs.delete}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={jobs.deleteOf(description)}
            onClick={() => ask.remove(() => void remove())}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}
