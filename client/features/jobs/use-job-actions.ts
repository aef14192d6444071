import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { useClient } from 'urql';
import {
  CancelJobDocument,
  DeleteJobDocument,
  RetryJobDocument,
  ReviewJobDocument,
  type ReviewJobInput,
} from '../../gql/graphql.ts';
import { useRefusal, type MutationResult, type RequestFailure } from '../../lib/graphql/refusal.ts';

/** What the user can do with a job. Each resolves with whether it was done; failures are notified. */
export type JobActions = {
  readonly cancel: (jobId: string) => Promise<boolean>;
  readonly remove: (jobId: string) => Promise<boolean>;
  readonly retry: (jobId: string) => Promise<boolean>;
  readonly review: (input: ReviewJobInput) => Promise<boolean>;
};

/** {@link JobActions} on the server that the page is connected to. */
export function useJobActions(): JobActions {
  const client = useClient();
  const refusal = useRefusal();
  return useMemo(() => {
    const isDone = (result: MutationResult, error: RequestFailure): boolean => {
      const message = refusal(result, error);
      if (message !== null) notifications.show({ color: 'red', message });
      return message === null;
    };
    return {
      cancel: async (jobId) => {
        const { data, error } = await client.mutation(CancelJobDocument, { input: { jobId } }).toPromise();
        return isDone(data?.cancelJob, error);
      },
      remove: async (jobId) => {
        const { data, error } = await client.mutation(DeleteJobDocument, { input: { jobId } }).toPromise();
        return isDone(data?.deleteJob, error);
      },
      retry: async (jobId) => {
        const { data, error } = await client.mutation(RetryJobDocument, { input: { jobId } }).toPromise();
        return isDone(data?.retryJob, error);
      },
      review: async (input) => {
        const { data, error } = await client.mutation(ReviewJobDocument, { input }).toPromise();
        return isDone(data?.reviewJob, error);
      },
    };
  }, [client, refusal]);
}
