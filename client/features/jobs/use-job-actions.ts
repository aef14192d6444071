import { notifications } from '@mantine/notifications';
import { useCallback, useMemo } from 'react';
import { useClient } from 'urql';
import {
  CancelJobDocument,
  RetryJobDocument,
  ReviewJobDocument,
  type ReviewJobInput,
} from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** What can be done with a job that exists. Each tells whether it was done; why not, the reader is told by a note. */
export type JobActions = {
  readonly cancel: (jobId: string) => Promise<boolean>;
  readonly retry: (jobId: string) => Promise<boolean>;
  readonly review: (input: ReviewJobInput) => Promise<boolean>;
};

type Result = { readonly __typename: string; readonly message?: string } | undefined;
type Failure = { readonly message: string; readonly networkError?: Error | undefined } | undefined;

/** The actions of the server that the page is connected to. */
export function useJobActions(): JobActions {
  const client = useClient();
  const { common } = useWords();
  const told = useCallback(
    (result: Result, error: Failure): boolean => {
      const refused = result?.message ?? (error?.networkError ? common.noServer : error?.message);
      if (refused !== undefined) notifications.show({ color: 'red', message: refused });
      return refused === undefined;
    },
    [common],
  );
  return useMemo(
    () => ({
      cancel: async (jobId) => {
        const { data, error } = await client.mutation(CancelJobDocument, { input: { jobId } }).toPromise();
        return told(data?.cancelJob, error);
      },
      retry: async (jobId) => {
        const { data, error } = await client.mutation(RetryJobDocument, { input: { jobId } }).toPromise();
        return told(data?.retryJob, error);
      },
      review: async (input) => {
        const { data, error } = await client.mutation(ReviewJobDocument, { input }).toPromise();
        return told(data?.reviewJob, error);
      },
    }),
    [client, told],
  );
}
