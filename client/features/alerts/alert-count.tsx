import { Badge } from '@mantine/core';
import { useCallback } from 'react';
import { useQuery } from 'urql';
import { AlertCountsDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useRefresh } from '../../lib/use-refresh.ts';

const EVERY_MS = 60_000;

/** How many open alerts nobody has acknowledged, beside the link to them; nothing for none. */
export function AlertCount() {
  const { alerts } = useWords();
  const [{ data }, execute] = useQuery({ query: AlertCountsDocument });
  useRefresh(
    useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]),
    EVERY_MS,
  );
  const waiting = data?.alertCounts.waiting ?? 0;
  if (waiting === 0) return null;
  return (
    <Badge size="xs" color="red.9" variant="filled" ml={4} aria-label={alerts.waiting(waiting)}>
      {waiting}
    </Badge>
  );
}
