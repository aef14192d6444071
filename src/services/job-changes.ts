import type { Job } from '../domain/job.ts';
import type { Viewer } from '../domain/session.ts';
import type { WakeUps } from '../events/wake-ups.ts';
import type { Db } from '../stores/pg/database.ts';
import { listChangedJobs } from '../stores/pg/jobs.ts';
import { retryWhileUnavailable } from '../stores/pg/unavailable.ts';

/** What following changes needs. */
export type JobChangesDeps = { readonly db: Db; readonly wakeUps: Pick<WakeUps, 'onJobs'> };

/** A Postgres that is away longer ends the stream; clients subscribe again. */
const OUTAGE_MS = 60_000;

/**
 * The viewer's jobs as they change from now on. Hints carry nothing, so each makes the jobs that changed lately be read;
 * those whose mark was seen are passed over. A slow reader sees the newest state, not every one.
 */
export async function* followJobChanges(
  { db, wakeUps }: JobChangesDeps,
  viewer: Viewer,
  signal: AbortSignal,
): AsyncGenerator<Job, void> {
  let hints = 0;
  let wake = (): void => undefined;
  const unwatch = wakeUps.onJobs((projectId) => {
    if (projectId !== null && projectId !== viewer.projectId) return;
    hints += 1;
    wake();
  });
  const leave = (): void => wake();
  signal.addEventListener('abort', leave);
  try {
    let seen = marksOf(await read());
    for (let known = hints; !signal.aborted;) {
      if (known === hints) await new Promise<void>((resolve) => (wake = resolve));
      known = hints;
      if (signal.aborted) return;
      const changed = await read();
      for (const { job, mark } of changed) if (seen.get(job.id) !== mark) yield job;
      seen = marksOf(changed);
    }
  } finally {
    unwatch();
    signal.removeEventListener('abort', leave);
  }

  function read() {
    return retryWhileUnavailable(() => listChangedJobs(db, viewer), OUTAGE_MS);
  }
}

/** What was not changed lately is not read again, so its mark may be forgotten. */
const marksOf = (jobs: Awaited<ReturnType<typeof listChangedJobs>>): ReadonlyMap<string, string> =>
  new Map(jobs.map(({ job, mark }) => [job.id, mark]));
