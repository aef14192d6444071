import type { LiveStatus } from '@qpilot/client';
import {
  applyEvent,
  createFrameStore,
  EMPTY_SESSION,
  type SessionView,
  type TurnView,
} from '@qpilot/client/view';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useQuery, useSubscription } from 'urql';
import { JobDocument, JobEventsDocument, JobUpdatedDocument } from '../../../gql/graphql.ts';
import { follow } from '../../../lib/live/follow.ts';
import { useSoon } from '../../../lib/use-soon.ts';
import { EMPTY_PLAN, planAfter, type PlanView } from './plan-view.ts';

/** What happened in a job: its phases are the turns of `view`. */
export type JobLog = { readonly view: SessionView; readonly plan: PlanView; readonly live: LiveStatus };

const NOTHING: JobLog = { view: EMPTY_SESSION, plan: EMPTY_PLAN, live: 'connecting' };

/** Reads the log of a job from its beginning and follows it while the component is there. */
export function useJobLog(jobId: string): JobLog {
  const store = useMemo(() => {
    void jobId;
    return createFrameStore(NOTHING);
  }, [jobId]);
  useEffect(() => {
    const left = new AbortController();
    follow({
      document: JobEventsDocument,
      variables: { jobId },
      after: store.peek().view.seq,
      onEvent: (event) =>
        store.update((log) => ({
          ...log,
          view: applyEvent(log.view, event),
          plan: planAfter(log.plan, event),
        })),
      onStatus: (live) => store.update((log) => ({ ...log, live })),
      // The page queries the job too, and shows if it does not exist.
      onRefused: () => undefined,
      signal: left.signal,
    });
    return () => left.abort();
  }, [jobId, store]);
  return useSyncExternalStore(store.subscribe, store.get);
}

/** The phases of a job in their order, those that lost their worker among them. */
export const phasesOf = ({ view }: JobLog): readonly TurnView[] =>
  Object.values(view.turns).toSorted((one, other) => one.afterSeq - other.afterSeq);

/** Changes that come together are read together. */
const QUIET_MS = 250;

/** The worker changes a job just after its phase ended; this update may be missed while the subscription starts. */
const SETTLED_MS = 2_000;

/** A job, read again when it changes and whenever `progress` (any count of what happened in it) does. */
export function useJob(jobId: string, progress: number) {
  const [{ data, error }, execute] = useQuery({ query: JobDocument, variables: { id: jobId } });
  const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  const reloadSoon = useSoon(reload, QUIET_MS);
  useSubscription({ query: JobUpdatedDocument }, (_before, update) => {
    if (update.jobUpdated.id === jobId) reloadSoon();
    return update;
  });
  useEffect(() => {
    if (progress === 0) return undefined;
    reloadSoon();
    const settled = setTimeout(reload, SETTLED_MS);
    return () => clearTimeout(settled);
  }, [progress, reload, reloadSoon]);
  return { data, error, reload };
}
