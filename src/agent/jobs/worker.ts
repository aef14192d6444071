/**
 * Has a process work on jobs: as many at once as it is told, until it is told to take no more. A process that works on none
 * still ends those whose workers were lost too often.
 */
import type { JobQueue } from '../../stores/pg/job-queue.ts';
import { giveUpJob, workOnJob, type WorkOnJobDeps } from './work-on-job.ts';

/** A process's share of the work. */
export type JobWorker = {
  /**
   * Takes no more jobs. Those at hand go on: stop the runner next, which lets their phases end within its drain time, and
   * close the queue behind it, which waits until they are put in line again.
   */
  takeNoMore(): Promise<void>;
};

/** Starts to work. The caller keeps and closes what it passes. */
export async function startJobWorker(
  deps: WorkOnJobDeps & { readonly queue: JobQueue; readonly jobsAtOnce: number },
): Promise<JobWorker> {
  const { queue, jobsAtOnce } = deps;
  if (jobsAtOnce > 0) await queue.work(jobsAtOnce, (run, taken) => workOnJob(deps, run, taken));
  await queue.workOnLost((run) => giveUpJob(deps, run));
  return { takeNoMore: () => queue.takeNoMore() };
}
