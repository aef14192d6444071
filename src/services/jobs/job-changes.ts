import type { Viewer } from '../../domain/conversation/session.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { WakeUps } from '../../events/wake-ups.ts';
import type { Db } from '../../stores/pg/database.ts';
import { listChangedJobs, type MarkedJob } from '../../stores/pg/jobs.ts';
import { retryWhileUnavailable } from '../../stores/pg/unavailable.ts';
import { readAfterHints } from '../read-after-hints.ts';

export type JobChangesDeps = { readonly db: Db; readonly wakeUps: Pick<WakeUps, 'onJobs'> };

/** A longer outage of Postgres ends the stream; clients resubscribe. */
const OUTAGE_MS = 60_000;

/**
 * Emits the viewer's jobs as they change, from the moment this resolves. Wake-ups carry no payload, so each one
 * re-reads the recently changed jobs and skips those whose mark was seen. A slow reader gets the newest state, not
 * every state.
 */
export async function followJobChanges(
  deps: JobChangesDeps,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<AsyncIterableIterator<Job>> {
  const read = () => retryWhileUnavailable(() => listChangedJobs(deps.db, viewer), OUTAGE_MS);
  return changesAfter(marksOf(await read()), read, deps.wakeUps, viewer, signal);
}

async function* changesAfter(
  known: Marks,
  read: () => Promise<readonly MarkedJob[]>,
  wakeUps: JobChangesDeps['wakeUps'],
  viewer: Viewer,
  signal: AbortSignal,
): AsyncGenerator<Job, void> {
  const watch = (hint: () => void) =>
    wakeUps.onJobs((projectId) => {
      if (projectId === null || projectId === viewer.projectId) hint();
    });
  let seen = known;
  for await (const changed of readAfterHints(watch, read, signal)) {
    for (const { job, mark } of changed) if (seen.get(job.id) !== mark) yield job;
    seen = marksOf(changed);
  }
}

type Marks = ReadonlyMap<string, string>;

/** Only recently changed jobs are read again, so older marks may be dropped. */
const marksOf = (jobs: readonly MarkedJob[]): Marks => new Map(jobs.map(({ job, mark }) => [job.id, mark]));
