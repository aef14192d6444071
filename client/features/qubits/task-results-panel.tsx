import { ActionIcon, Badge, Group, Paper, Select, Skeleton, Text, Tooltip } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconMessageQuestion } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useQuery } from 'urql';
import { CopyLink } from '../../components/copy-link.tsx';
import { recordPath } from '../../lib/part-path.ts';
import { Age } from '../../components/age.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import { Panel } from '../../components/panel.tsx';
import { TimeRangePicker } from '../../components/time-range/time-range-picker.tsx';
import { useSetPart, useTimesOfPage } from '../../components/time-range/use-times-of-page.ts';
import { RatedValue } from '../../components/rated-value.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import {
  PartTaskNamesDocument,
  PartTaskResultDocument,
  PartTaskResultsDocument,
  type PartTaskResultsQuery,
  type TaskResultOfPartFragment,
  type TaskStatus,
} from '../../gql/graphql.ts';
import { usePages } from '../../lib/graphql/use-pages.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useMetricTitle } from '../../lib/i18n/use-server-names.ts';
import { useAsk } from '../../lib/use-ask.ts';
import { useChipQuery, useChipUpdates } from '../chips/chip-updates.tsx';
import { useSpan } from '../chips/use-span.ts';

/** Values of a result that its row has room for. */
const SHOWN_VALUES = 3;

type Where = { readonly chipId: string; readonly qid: string };

/** Runs on a qubit or a coupling, newest first, of one task or one outcome if one is chosen. */
export function TaskResultsPanel({ chipId, qid }: Where) {
  const { qubit, common, times: words } = useWords();
  const [times, setTimes] = useTimesOfPage();
  const { hasCooldown, from, to } = useSpan(chipId, times);
  const [query] = useSearchParams();
  const setPart = useSetPart();
  const taskName = query.get('task');
  const status = TASK_STATUSES.find((known) => known === query.get('status')) ?? null;
  // What has not run among the newest hundred results is not offered; the pages of results lead to it all the same.
  const newest = useChipQuery({ query: PartTaskNamesDocument, variables: { chipId, qid } });
  const names = new Set(newest.data?.chip?.taskResults.nodes.map(({ name }) => name));
  return (
    <Panel
      title={qubit.results}
      aside={
        <Group gap="xs" miw={0}>
          <Select
            aria-label={qubit.task}
            placeholder={qubit.anyTask}
            size="xs"
            w={220}
            miw={0}
            clearable
            searchable
            data={[...new Set([...names, ...(taskName === null ? [] : [taskName])])].toSorted()}
            value={taskName}
            onChange={(chosen) => setPart('task', chosen)}
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
            onChange={(chosen) => setPart('status', chosen)}
          />
          <TimeRangePicker times={times} onTimes={setTimes} none={words.all} hasCooldown={hasCooldown} />
        </Group>
      }
    >
      <LinkedRecord />
      <ResultPages
        key={`${status} ${taskName} ${from} ${to}`}
        chipId={chipId}
        qid={qid}
        status={status}
        taskName={taskName}
        from={from}
        to={to}
      />
    </Panel>
  );
}

/** The result that an address leads to (`?record=`), however long ago it was. */
function LinkedRecord() {
  const { search } = useWords();
  const format = useFormat();
  const [query] = useSearchParams();
  const taskId = query.get('record');
  const [{ data }] = useQuery({
    query: PartTaskResultDocument,
    variables: { taskId: taskId ?? '' },
    pause: taskId === null,
  });
  const place = useRef<HTMLElement>(null);
  const record = taskId === null ? null : data?.taskResult;
  const isThere = record != null;
  useEffect(() => {
    if (!isThere) return;
    place.current?.scrollIntoView({ block: 'center' });
    place.current?.focus({ preventScroll: true });
  }, [isThere]);
  if (!record) return null;
  return (
    <Paper
      component="section"
      withBorder
      px="sm"
      mb="xs"
      tabIndex={-1}
      aria-label={search.linkedRecord}
      ref={place}
    >
      <Text size="xs" c="dimmed" mt={4}>
        {[
          `${search.linkedRecord}: ${record.taskId}`,
          record.startAt && format.time(record.startAt),
          search.ofExecution(record.executionId),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <ResultRow result={record} />
    </Paper>
  );
}

type Narrowed = Where & {
  readonly status: TaskStatus | null;
  readonly taskName: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

const resultsOf = ({ chip }: PartTaskResultsQuery) => chip?.taskResults;

function ResultPages({ chipId, qid, status, taskName, from, to }: Narrowed) {
  const { qubit } = useWords();
  const variables = useMemo(
    () => ({ chipId, qid, taskName, status: status === null ? null : [status], from, to }),
    [chipId, qid, taskName, status, from, to],
  );
  const list = usePages({ query: PartTaskResultsDocument, variables, connectionOf: resultsOf });
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

function ResultRow({ result }: { readonly result: TaskResultOfPartFragment }) {
  const { qubit } = useWords();
  const titleOf = useMetricTitle();
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
              {titleOf(title)}
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
      <CopyLink path={recordPath(taskId)} />
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
