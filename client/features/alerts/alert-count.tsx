import { Badge } from '@mantine/core';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { AlertCountsDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

const EVERY_MS = 60_000;

/** How many open alerts nobody has acknowledged, beside the link to them; nothing for none. */
export function AlertCount() {
  const { alerts } = useWords();
  const [{ data }, execute] = useQuery({ query: AlertCountsDocument });
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) execute({ requestPolicy: 'network-only' });
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [execute]);
  const waiting = data?.alertCounts.waiting ?? 0;
  if (waiting === 0) return null;
  return (
    <Badge size="xs" color="red.9" variant="filled" ml={4} aria-label={alerts.waiting(waiting)}>
      {waiting}
    </Badge>
  );
}
