import { Badge, Group, Text, Tooltip } from '@mantine/core';
import type { TurnView } from '@qpilot/client/view';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DataSource } from '../../../gql/graphql.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';

const ASSESSMENT_COLORS = { GOOD: 'teal', WARNING: 'yellow', BAD: 'red' } as const;

/** The line below an answer: its assessment, the age of its data, its cost. */
export function AnswerFacts({
  answer: { assessment, freshness, numbers, unverifiedTable, strippedTables, model },
  usage,
}: {
  readonly answer: NonNullable<TurnView['answer']>;
  readonly usage: TurnView['usage'];
}) {
  const { words, format } = useI18n();
  const { copilot } = words;
  const unsourced = numbers.filter(({ status }) => status === 'UNSOURCED').length;
  return (
    <Group gap={6} mb={4}>
      {assessment && (
        <Badge size="sm" variant="light" color={ASSESSMENT_COLORS[assessment]} tt="none">
          {copilot.assessments[assessment]}
        </Badge>
      )}
      {freshness.filter(hasAge).map(({ source, oldestAt, newestAt, isStale }) => (
        <Text key={source} size="xs" c="dimmed" fw={isStale ? 600 : 400}>
          {copilot.sources[source]}
          {oldestAt && newestAt && `: ${timesText(format.time(oldestAt), format.time(newestAt))}`}
          {isStale && ` (${words.common.stale})`}
        </Text>
      ))}
      {unsourced > 0 && (
        <Badge size="sm" variant="light" color="gray" tt="none" leftSection={<IconAlertTriangle size={11} />}>
          {copilot.unsourced(unsourced)}
        </Badge>
      )}
      {unverifiedTable && (
        <Badge size="sm" variant="light" color="gray" tt="none" leftSection={<IconAlertTriangle size={11} />}>
          {copilot.unverifiedTable}
        </Badge>
      )}
      {strippedTables > 0 && (
        <Text size="xs" c="dimmed">
          {copilot.strippedTables(strippedTables)}
        </Text>
      )}
      {usage && (
        <Tooltip
          label={copilot.usage(
            format.count(usage.inputTokens),
            format.count(usage.cachedTokens),
            format.count(usage.outputTokens),
          )}
        >
          <Text size="xs" c="dimmed" tabIndex={0}>
            {model}
            {usage.totalTokens > 0 && ` · ${copilot.tokens(format.count(usage.totalTokens))}`}
            {typeof usage.costUsd === 'number' && usage.costUsd > 0 && ` · ${format.dollars(usage.costUsd)}`}
          </Text>
        </Tooltip>
      )}
    </Group>
  );
}

/** Stored and live results without a time are lists of names, or nothing was found: nothing is told of their age. */
const hasAge = ({
  source,
  oldestAt,
}: {
  readonly source: DataSource;
  readonly oldestAt?: unknown;
}): boolean => oldestAt != null || (source !== 'SNAPSHOT' && source !== 'LIVE');

const timesText = (oldest: string, newest: string): string =>
  oldest === newest ? oldest : `${oldest} – ${newest}`;
