import { Anchor, Grid, Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Age } from '../../components/age.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { NotesPanel } from '../../components/notes-panel.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ChipActivityDocument, type ChipActivityQuery } from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { recordPath } from '../../lib/part-path.ts';
import { useChipQuery } from './chip-updates.tsx';
import { PartName } from './part-name.tsx';

type Activity = NonNullable<ChipActivityQuery['chip']>;

/** Of the posts that name no chip. */
const SHOWN_NOTES = 5;

/** What ran on the chip lately, what failed, and what people wrote that is of no chip. */
export function ActivityPanels({ chipId }: { readonly chipId: string }) {
  const { chip } = useWords();
  const { data, error, retry } = useChipQuery({ query: ChipActivityDocument, variables: { chipId } });
  const activity = data?.chip;
  const projectNotes = data?.viewer.projectNotes ?? [];
  const panel = (title: string, content: (activity: Activity) => ReactNode): ReactNode => (
    <Grid.Col span={{ base: 12, lg: 6 }}>
      <Panel title={title}>
        {activity ? (
          content(activity)
        ) : error ? (
          <LoadError error={error} onRetry={retry} />
        ) : (
          <Skeleton height={200} />
        )}
      </Panel>
    </Grid.Col>
  );
  return (
    <PageGrid>
      {panel(chip.executions, ({ executions }) => (
        <Executions executions={executions.nodes} />
      ))}
      {panel(chip.failures, ({ taskResults }) => (
        <Failures chipId={chipId} failures={taskResults.nodes} />
      ))}
      {projectNotes.length > 0 && (
        <Grid.Col span={12}>
          <NotesPanel
            title={chip.projectNotes(projectNotes.length)}
            notes={projectNotes.slice(0, SHOWN_NOTES)}
            empty=""
          />
        </Grid.Col>
      )}
    </PageGrid>
  );
}

function Executions({ executions }: { readonly executions: Activity['executions']['nodes'] }) {
  const { chip } = useWords();
  const format = useFormat();
  if (executions.length === 0) return <Text c="dimmed">{chip.noExecutions}</Text>;
  return executions.map(({ id, name, executionId, status, startAt, elapsedSeconds }) => (
    <Group key={id} gap="sm" py={3} wrap="nowrap">
      <StatusBadge status={status} />
      <Text size="sm" truncate flex={1} title={executionId}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" visibleFrom="xs">
        {elapsedSeconds !== null && format.duration(elapsedSeconds)}
      </Text>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {startAt !== null && <Age at={startAt} />}
      </Text>
    </Group>
  ));
}

function Failures({
  chipId,
  failures,
}: {
  readonly chipId: string;
  readonly failures: Activity['taskResults']['nodes'];
}) {
  const { chip } = useWords();
  if (failures.length === 0) return <Text c="dimmed">{chip.noFailures}</Text>;
  return failures.map(({ id, taskId, name, qid, label, startAt, message }) => (
    <Group key={id} gap="sm" py={3} wrap="nowrap">
      {qid !== '' && <PartName chipId={chipId} label={label} partId={qid} />}
      <Anchor component={Link} to={recordPath(taskId)} size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
        {name}
      </Anchor>
      <Text size="xs" c="dimmed" truncate flex={1} title={message}>
        {message}
      </Text>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {startAt !== null && <Age at={startAt} />}
      </Text>
    </Group>
  ));
}
