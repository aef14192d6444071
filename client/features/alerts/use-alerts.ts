import { notifications } from '@mantine/notifications';
import { useDidUpdate } from '@mantine/hooks';
import { useCallback } from 'react';
import { useClient, useQuery, type AnyVariables, type TypedDocumentNode } from 'urql';
import { AlertCountsDocument, AlertsPageDocument } from '../../gql/graphql.ts';
import { useRefusal, type MutationResult } from '../../lib/graphql/refusal.ts';
import { useAlertText } from './use-alert-text.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/**
 * Everything that the page shows, and how it is changed. Page and badge are read again after each change, every so often,
 * and the page whenever the badge counts something else.
 */
export function useAlerts() {
  const client = useClient();
  const refusal = useRefusal();
  const read = useAlertText();
  const [{ data, error }, execute] = useKeptQuery({ query: AlertsPageDocument });
  const [{ data: counts }] = useQuery({ query: AlertCountsDocument, requestPolicy: 'cache-first' });
  const readPage = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useDidUpdate(readPage, [counts?.alertCounts.open, counts?.alertCounts.waiting]);
  const again = useCallback((): void => {
    readPage();
    void client.query(AlertCountsDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  }, [client, readPage]);
  useRefresh(again);
  /** The result; null if it was refused, which the page then says. */
  const change = useCallback(
    async <Data extends object, Variables extends AnyVariables>(
      mutation: TypedDocumentNode<Data, Variables>,
      variables: Variables,
    ): Promise<Data | null> => {
      const { data: done, error: failure } = await client.mutation(mutation, variables).toPromise();
      const [result] = Object.values(done ?? {}).filter((each) => typeof each === 'object');
      const refused = refusal(result as MutationResult, failure);
      if (refused !== null) notifications.show({ color: 'red', message: read(refused) });
      else again();
      return refused === null ? (done ?? null) : null;
    },
    [client, refusal, read, again],
  );
  return { data, error, again, change };
}

export type AlertsPage = ReturnType<typeof useAlerts>;
