import { ActionIcon, Badge, Group, Select, Skeleton, Text, Tooltip } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconMessageQuestion } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Age } from '../../components/age.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import { Panel } from '../../components/panel.tsx';
import { RatedValue } from '../../components/rated-value.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import {
  QubitTaskNamesDocument,
  QubitTaskResultsDocument,
  type QubitTaskResultsQuery,
  type TaskResultOfQubitFragment,
  type TaskStatus,
} from '../../gql/graphql.ts';
import { usePages } from '../../lib/graphql/use-pages.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useAsk } from '../../lib/use-ask.ts';
import { useChipQuery, useChipUpdates } from '../chips/chip-updates.tsx';

/** Values of a result that its row has room for. */
const SHOWN_VALUES = 3;

type Where = { readonly chipId: string; readonly qid: string };

/** Runs on the qubit, newest first, of one task or one outcome if one is chosen. */
export function TaskResultsPanel({ chipId, qid }: Where) {
  const { qubit, common } = useWords();
  const [status, setStatus] = useState<TaskStatus | null>(null);
  const [taskName, setTaskName] = useState<string | null>(null);
  // What has not run among the newest hundred results is not offered; the pages of results lead to it all the same.
  const newest = useChipQuery({ query: QubitTaskNamesDocument, variables: { chipId, qid } });
  const names = new Set(newest.data?.qubit?.taskResults.nodes.map(({ name }) => name));
  return (
    <Panel
      title={qubit.results}
      aside={
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Select
            aria-label={qubit.task}
            placeholder={qubit.anyTask}
            size="xs"
            w={220}
            miw={0}
            clearable
            searchable
            data={[...names].toSorted()}
            value={taskName}
            onChange={setTaskName}
          />
          <Select
            aria-label={qubit.status}
            placeholder={qubit.anyStatus}
            size="xs"
            w={140}
            miw={0}
            clearable
            data={TASK_STATUSES.map((value) => ({ value, label: common.status[value] }))}
            value={status}
            onChange={setStatus}
          />
        </Group>
      }
    >
      <ResultPages
        key={`${status} ${taskName}`}
        chipId={chipId}
        qid={qid}
        status={status}
        taskName={taskName}
      />
    </Panel>
  );
}

type Narrowed = Where & { readonly status: TaskStatus | null; readonly taskName: string | null };

const resultsOf = ({ qubit }: QubitTaskResultsQuery) => qubit?.taskResults;

function ResultPages({ chipId, qid, status, taskName }: Narrowed) {
  const { qubit } = useWords();
  const variables = useMemo(
    () => ({ chipId, qid, taskName, status: status === null ? null : [status] }),
    [chipId, qid, taskName, status],
  );
  const list = usePages({ query: QubitTaskResultsDocument, variables, connectionOf: resultsOf });
  const { rows, error, again } = list;
  useDidUpdate(again, [useChipUpdates()]);
  if (rows === null) return error ? <LoadError error={error} onRetry={again} /> : <Skeleton height={260} />;
  return (
    <>
      {rows.length === 0 && <Text c="dimmed">{qubit.noResults}</Text>}
      {rows.map((result) => (
        <ResultRow key={result.id} result={result} />
      ))}
      <MoreRows list={list} as="div" />
    </>
  );
}

function ResultRow({ result }: { readonly result: TaskResultOfQubitFragment }) {
  const { qubit } = useWords();
  const format = useFormat();
  const ask = useAsk();
  const { taskId, name, status, startAt, message, excluded, outputParameters } = result;
  const values = outputParameters.filter(({ displayValue }) => displayValue !== null).slice(0, SHOWN_VALUES);
  return (
    <Group gap="sm" py={4} wrap="nowrap" align="center">
      <StatusBadge status={status} />
      <Text size="sm" fw={500} truncate w={230} miw={0} title={name}>
        {name}
      </Text>
      {excluded && (
        <Badge size="sm" variant="outline" color="gray">
          {qubit.excluded}
        </Badge>
      )}
      <Group gap="md" flex={1} miw={0} wrap="nowrap" style={{ overflow: 'hidden' }} visibleFrom="sm">
        {values.map(({ name: key, title, displayValue, displayUnit, rating }) => (
          <Text key={key} size="xs" style={{ whiteSpace: 'nowrap' }}>
            <Text span inherit c="dimmed" mr={4}>
              {title}
            </Text>
            <RatedValue text={format.quantity(displayValue ?? 0, displayUnit)} rating={rating} />
          </Text>
        ))}
        {values.length === 0 && (
          <Text size="xs" c="dimmed" truncate title={message}>
            {message}
          </Text>
        )}
      </Group>
      <Text size="xs" c="dimmed" ml="auto" style={{ whiteSpace: 'nowrap' }}>
        {startAt !== null && <Age at={startAt} />}
      </Text>
      <Tooltip label={qubit.askTask(name)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={qubit.askTask(name)}
          onClick={() => ask(qubit.askTaskDraft(name), { taskId })}
        >
          <IconMessageQuestion size={15} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

/** Outcomes to choose from, the frequent ones first. */
const TASK_STATUSES = [
  'COMPLETED',
  'FAILED',
  'RUNNING',
  'CANCELLED',
  'SKIPPED',
  'PENDING',
  'SCHEDULED',
] as const satisfies readonly TaskStatus[];
