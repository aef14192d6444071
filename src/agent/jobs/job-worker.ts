/**
 * The worker of jobs: takes entries of the queue, claims their jobs and runs the phases of each until it has ended.
 *
 * What survives a worker: the turns of ended phases, the decision of the running phase, its log with every finished
 * round, and the workspace. The next worker runs that phase again as a turn of its own, which begins with those rounds
 * (`resumed-input.ts`). A run that loses a second worker fails.
 */
import type { TurnRunner } from '../runner/runner.ts';
import type { JobLimits } from '../../domain/jobs/job.ts';
import type { EventLog } from '../../events/event-log.ts';
import { untilTurnEnds } from '../../events/turn-end.ts';
import type { Logger } from '../../base/log.ts';
import { jobWaits } from '../../base/metrics.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import {
  claimJob,
  endJob,
  lockClaimed,
  lockJob,
  returnJob,
  type JobClaim,
} from '../../stores/pg/job-claims.ts';
import { retryUntil } from '../../stores/pg/unavailable.ts';
import { openPhase } from './open-phase.ts';
import type { JobQueue, QueuedRun } from '../../stores/pg/job-queue.ts';

/** The caller owns and closes what it passes. */
export type JobWorkerDeps = {
  readonly db: Db;
  readonly eventLog: Pick<EventLog, 'follow'>;
  readonly runner: Pick<TurnRunner, 'owner' | 'phaseLease' | 'start' | 'interrupt' | 'ended'>;
  readonly queue: JobQueue;
  readonly limits: JobLimits;
  readonly log: Logger;
  /** Once the process stops: how long a database that is away is still tried again. */
  readonly retryForMs: number;
  readonly jobsAtOnce: number;
};

/** Starts a worker. With `jobsAtOnce` 0 it runs no jobs, but still fails those that lost their workers too often. */
export async function startJobWorker(deps: JobWorkerDeps) {
  const { queue, jobsAtOnce } = deps;
  if (jobsAtOnce > 0) await queue.work(jobsAtOnce, (run, taken) => workOnJob(deps, run, taken));
  await queue.workOnLost((run) => giveUpJob(deps, run));
  return {
    /**
     * Takes no more jobs; running ones continue. Stop the runner next, which lets their phases end within its
     * drain time, then close the queue, which waits until they are queued again.
     */
    takeNoMore: () => queue.takeNoMore(),
  };
}

/** Longest wait for a turn that another worker may still run, before the job is checked again. */
const CHECK_AGAIN_MS = 1_000;

/**
 * Works until the job has ended, or until `taken` fires because another worker has it. While the process shuts down,
 * the running phase may still end within the runner's drain time; then the job is queued again without loss.
 */
async function workOnJob(deps: JobWorkerDeps, given: QueuedRun, taken: AbortSignal): Promise<void> {
  const isOver = (): boolean => taken.aborted || deps.runner.phaseLease() === null;
  const steadily = <T>(work: () => Promise<T>): Promise<T> => retryUntil(isOver, work, deps.retryForMs);
  const claim = await steadily(() => takeJob(deps, given));
  while (claim !== null && !taken.aborted) {
    const lease = deps.runner.phaseLease();
    if (lease === null) return steadily(() => handBack(deps, claim));
    const opened = await steadily(() => openPhase(deps.db, claim, deps.limits, lease));
    switch (opened.type) {
      case 'over':
        return;
      case 'run':
        deps.runner.start(opened.started, opened.viewer, opened.expertId ?? undefined);
        await runToEnd(deps.runner, opened.started.turn.id, taken);
        break;
      case 'wait':
        await untilTurnEnds(deps.eventLog, opened.turn, opened.lastSeq, CHECK_AGAIN_MS);
        break;
      default:
        opened satisfies never;
    }
  }
}

/** Fails a job that lost its workers too often. */
async function giveUpJob({ db }: JobWorkerDeps, { jobId, run }: QueuedRun): Promise<void> {
  await transact(db, async (tx) => {
    const held = await lockJob(tx, jobId);
    const isOpen = held?.job.status === 'PROCESSING' || held?.job.status === 'CREATED';
    if (held && isOpen && held.job.run === run) await endJob(tx, held.job, WORKER_LOST);
  });
}

const WORKER_LOST = {
  status: 'FAILED',
  error: {
    code: 'WORKER_LOST',
    message:
      'The process that worked on this job ended in the middle of it, twice. What it made is kept; try it again to go on from there.',
    retryable: true,
  },
} as const;

/** Claims the job; null if this entry needs no more work. */
function takeJob(
  { db, limits, log, runner }: JobWorkerDeps,
  { jobId, run }: QueuedRun,
): Promise<JobClaim | null> {
  return transact(db, async (tx) => {
    const held = await lockJob(tx, jobId);
    if (held === null || held.job.run !== run) return null;
    const { status } = held.job;
    const { seconds } = limits;
    const worker = runner.owner;
    if (status === 'CREATED' && run === 1)
      jobWaits.observe((Date.now() - held.job.createdAt.getTime()) / 1_000);
    if (status === 'CREATED') return claimJob(tx, held, { worker, isRetry: false, seconds });
    if (status !== 'PROCESSING') return null;
    if (held.triesLeft > 0) {
      log.warn({ jobId }, 'resuming a job after its worker was lost');
      return claimJob(tx, held, { worker, isRetry: true, seconds });
    }
    await endJob(tx, held.job, WORKER_LOST);
    return null;
  });
}

function handBack({ db, queue }: JobWorkerDeps, claim: JobClaim): Promise<void> {
  return transact(db, async (tx) => {
    const held = await lockClaimed(tx, claim);
    if (held === null) return;
    await returnJob(tx, held);
    await queue.put(tx, { jobId: claim.jobId, run: claim.run });
  });
}

/** Waits for a turn of this process to end; interrupts it when another worker takes the job. */
async function runToEnd(runner: JobWorkerDeps['runner'], turnId: string, taken: AbortSignal): Promise<void> {
  const interrupt = (): void => runner.interrupt(turnId);
  taken.addEventListener('abort', interrupt, { once: true });
  if (taken.aborted) interrupt();
  await runner.ended(turnId);
  taken.removeEventListener('abort', interrupt);
}
