import { Checkbox, Skeleton, Table, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { SettingsTurnsDocument, type SettingsTurnsQuery } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useRefresh } from '../../lib/use-refresh.ts';

/** The newest answers: how they ended, and what they cost. */
export function TurnsPanel() {
  const { settings } = useWords();
  const [failedOnly, setFailedOnly] = useState(false);
  const [{ data, error }, execute] = useKeptQuery({
    query: SettingsTurnsDocument,
    variables: { failedOnly },
    requestPolicy: 'cache-and-network',
  });
  const turns = data?.viewer.newestTurns;
  useRefresh(useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]));
  return (
    <Panel
      title={settings.turns}
      aside={
        <Checkbox
          size="xs"
          label={settings.failedOnly}
          checked={failedOnly}
          onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
        />
      }
    >
      {!turns && !error && <Skeleton h={80} />}
      {!turns && error && (
        <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      )}
      {turns && turns.length === 0 && <Text size="sm">{settings.noTurns}</Text>}
      {turns && turns.length > 0 && <TurnTable turns={turns} />}
    </Panel>
  );
}

type TurnRow = SettingsTurnsQuery['viewer']['newestTurns'][number];

function TurnTable({ turns }: { readonly turns: readonly TurnRow[] }) {
  const { settings } = useWords();
  const { asked, began, ended, model, calls, tokens, cost, took } = settings.turnColumns;
  return (
    <Table.ScrollContainer
      minWidth={800}
      mah={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': settings.turns } }}
    >
      <Table verticalSpacing={4} fz="xs" aria-label={settings.turns}>
        <Table.Thead>
          <Table.Tr>
            {[asked, began, ended, model, calls, tokens, cost, took].map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {turns.map((turn) => (
            <TurnRowView key={turn.id} turn={turn} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function TurnRowView({ turn }: { readonly turn: TurnRow }) {
  const { settings, common } = useWords();
  const format = useFormat();
  const { question, status, startedAt, finishedAt, error, usage, modelCalls } = turn;
  const toolCalls = modelCalls.reduce((sum, call) => sum + call.toolCalls, 0);
  const seconds = startedAt && finishedAt ? (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000 : null;
  const cells = [
    startedAt ? format.time(startedAt) : common.none,
    error ? `${settings.turnStatus[status]}: ${error.code}` : settings.turnStatus[status],
    usage?.model ?? common.none,
    `${modelCalls.length} / ${toolCalls}`,
    usage
      ? `${format.count(usage.inputTokens)} (${format.count(usage.cachedTokens)}) + ${format.count(usage.outputTokens)}`
      : common.none,
    usage?.costUsd == null ? settings.noPrice : format.dollars(usage.costUsd),
    seconds === null ? common.none : seconds.toFixed(1),
  ];
  return (
    <Table.Tr>
      <Table.Td maw={260}>
        <Text size="xs" truncate>
          {question.text}
        </Text>
      </Table.Td>
      {cells.map((cell, index) => (
        // The columns are fixed.
        <Table.Td key={index}>{cell}</Table.Td>
      ))}
    </Table.Tr>
  );
}
