import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { CopilotTurnsAheadDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';

const EVERY_MS = 3_000;

/**
 * What a turn waits for that has not started: the answer before it, the next step of that one if it joins it, or its
 * place in the line of all conversations.
 */
export function Waiting({
  turnId,
  joins,
  isNext,
}: {
  readonly turnId: string;
  readonly joins: boolean;
  /** Of its conversation; others are in no line. */
  readonly isNext: boolean;
}) {
  const { copilot } = useWords();
  const [{ data }, execute] = useQuery({
    query: CopilotTurnsAheadDocument,
    variables: { id: turnId },
    requestPolicy: 'network-only',
    pause: !isNext,
  });
  useEffect(() => {
    if (!isNext) return undefined;
    const timer = setInterval(() => execute({ requestPolicy: 'network-only' }), EVERY_MS);
    return () => clearInterval(timer);
  }, [execute, isNext]);
  const ahead = data?.node && 'turnsAhead' in data.node ? data.node.turnsAhead : null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {ahead == null ? (joins ? copilot.joining : copilot.waiting) : copilot.waitingInLine(ahead)}
    </Text>
  );
}
