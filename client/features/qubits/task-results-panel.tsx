import { ActionIcon, Badge, Button, Group, Select, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { useState } from 'react';
import { Age } from '../../components/age.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { RatedValue } from '../../components/rated-value.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import {
  QubitTaskResultsDocument,
  type TaskResultOfQubitFragment,
  type TaskStatus,
} from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useAsk } from '../../lib/use-ask.ts';
import { useChipQuery } from '../chips/chip-updates.tsx';
import { TASK_STATUSES } from './task-statuses.ts';

/** Values of a result that its row has room for. */
const SHOWN_VALUES = 3;

type Where = { readonly chipId: string; readonly qid: string };

/** Runs on the qubit, newest first, of one task or one outcome if one is chosen. */
export function TaskResultsPanel({ chipId, qid }: Where) {
  const { qubit, common } = useWords();
  const [status, setStatus] = useState<TaskStatus | null>(null);
  const [taskName, setTaskName] = useState<string | null>(null);
  const all = useChipQuery({ query: QubitTaskResultsDocument, variables: { chipId, qid } });
  const names = new Set(all.data?.qubit?.taskResults.nodes.map(({ name }) => name));
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

type PagesProps = Where & { readonly status: TaskStatus | null; readonly taskName: string | null };

function ResultPages(props: PagesProps) {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  return cursors.map((after, index) => (
    <ResultPage
      key={after}
      {...props}
      after={after}
      onMore={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : null}
    />
  ));
}

type PageProps = PagesProps & {
  readonly after: string | null;
  /** Null for pages that another one follows already. */
  readonly onMore: ((cursor: string) => void) | null;
};

function ResultPage({ chipId, qid, status, taskName, after, onMore }: PageProps) {
  const { qubit, common } = useWords();
  const { data, error, retry } = useChipQuery({
    query: QubitTaskResultsDocument,
    variables: { chipId, qid, after, taskName, status: status === null ? null : [status] },
  });
  const page = data?.qubit?.taskResults;
  if (!page) return error ? <LoadError error={error} onRetry={retry} /> : <Skeleton height={260} />;
  if (page.nodes.length === 0) return <Text c="dimmed">{qubit.noResults}</Text>;
  const { hasNextPage, endCursor } = page.pageInfo;
  return (
    <>
      {page.nodes.map((result) => (
        <ResultRow key={result.id} result={result} />
      ))}
      {onMore !== null && hasNextPage && endCursor !== null && (
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => onMore(endCursor)}>
          {common.more}
        </Button>
      )}
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
