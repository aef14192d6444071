import { useCallback, useEffect, useRef } from 'react';
import { useQuery, useSubscription } from 'urql';
import { JobDocument, JobUpdatedDocument } from '../../../gql/graphql.ts';

/** Changes that come together are read together. */
const QUIET_MS = 250;

/** A job, read again when it changes and whenever `progress` (any count of what happened in it) does. */
export function useJob(jobId: string, progress: number) {
  const [{ data, error }, execute] = useQuery({ query: JobDocument, variables: { id: jobId } });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  const reloadSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, QUIET_MS);
  }, [reload]);
  useSubscription({ query: JobUpdatedDocument }, (_before, update) => {
    if (update.jobUpdated.id === jobId) reloadSoon();
    return update;
  });
  useEffect(() => {
    if (progress > 0) reloadSoon();
  }, [progress, reloadSoon]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { data, error, reload };
}
