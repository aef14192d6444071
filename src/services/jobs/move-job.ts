/** A person's say over a job that there is: to stop it, to try it again, to judge it. */
import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import { mayFollow, type Job } from '../../domain/jobs/job.ts';
import { ConflictError, NotFoundError } from '../../base/errors.ts';
import type { EventLog } from '../../events/event-log.ts';
import { untilTurnEnds } from '../../events/turn-end.ts';
import type { QueuedRun } from '../../stores/pg/job-queue.ts';
import type { Db, Tx } from '../../stores/pg/database.ts';
import { TURNS_CHANNEL, notify } from '../../stores/pg/events.ts';
import { endJob, lockJob, renewJob, type HeldJob } from '../../stores/pg/job-claims.ts';
import { findJobs } from '../../stores/pg/jobs.ts';
import { lockSession } from '../../stores/pg/sessions.ts';
import { openTurns, requestCancel } from '../../stores/pg/turns.ts';
import { checkInput, MAX_MESSAGE_LENGTH, toKeptWords } from '../copilot/copilot-input.ts';
import type { ReviewJobInput } from './jobs-service.ts';

/** What moving jobs needs. */
export type MoveJobDeps = {
  readonly db: Db;
  readonly eventLog: Pick<EventLog, 'follow'>;
  readonly queue: { put(tx: Tx, run: QueuedRun): Promise<void> };
};

/** How long a cancel waits for the running turn to end; it ends anyway, this only makes the answer say so. */
const CANCEL_WAIT_MS = 1_000;

/**
 * The job is cancelled at once, whether anybody works on it or not: from then on no worker can write to it. The turn that
 * runs is told, and keeps what it has said.
 */
export async function cancelJob(deps: MoveJobDeps, viewer: Viewer, jobId: string): Promise<Job> {
  const { job, turn, lastSeq } = await deps.db.transaction().execute(async (tx) => {
    const held = await holdJob(tx, viewer, jobId);
    if (!mayFollow(held.job.status, 'CANCELLED')) return { job: held.job, turn: undefined, lastSeq: 0 };
    const session = await lockSession(tx, held.job.sessionId);
    const [open] = await openTurns(tx, held.job.sessionId);
    if (open !== undefined) {
      await requestCancel(tx, open.id, null);
      await notify(tx, TURNS_CHANNEL, open.sessionId);
    }
    const ended = await endJob(tx, held.job, { status: 'CANCELLED', error: null });
    return { job: ended, turn: open, lastSeq: session?.lastSeq ?? 0 };
  });
  if (turn !== undefined) await untilTurnEnds(deps.eventLog, turn, lastSeq, CANCEL_WAIT_MS);
  return job;
}

/** See `JobsService.retry`. */
export function retryJob({ db, queue }: MoveJobDeps, viewer: Viewer, jobId: string): Promise<Job> {
  return db.transaction().execute(async (tx) => {
    const held = await holdJob(tx, viewer, jobId);
    const { status } = held.job;
    if (status === 'CREATED' || status === 'PROCESSING') return held.job;
    if (status !== 'PENDING_REVIEW' && mayFollow(status, 'CREATED')) return putInLine(tx, queue, held, null);
    throw new ConflictError(
      status === 'PENDING_REVIEW'
        ? `job ${jobId} waits for a review; approve it or send it back`
        : `job ${jobId} is done; make another one`,
    );
  });
}

const reviewInput = z
  .object({
    jobId: z.string(),
    verdict: z.enum(['APPROVE', 'SEND_BACK']),
    note: z
      .string()
      .trim()
      .min(1, 'must not be blank')
      .max(MAX_MESSAGE_LENGTH, `must have at most ${MAX_MESSAGE_LENGTH} characters`)
      .transform(toKeptWords)
      .nullish(),
  })
  .refine(({ verdict, note }) => verdict === 'APPROVE' || note, {
    path: ['note'],
    error: 'is needed to send a job back: say what is to be done',
  });

/** See `JobsService.review`. */
export async function reviewJob(
  { db, queue }: MoveJobDeps,
  viewer: Viewer,
  input: ReviewJobInput,
): Promise<Job> {
  const { jobId, verdict, note } = checkInput(reviewInput, input);
  return db.transaction().execute(async (tx) => {
    const held = await holdJob(tx, viewer, jobId);
    if (held.job.status !== 'PENDING_REVIEW') {
      throw new ConflictError(
        `job ${jobId} is ${held.job.status}; only one that is PENDING_REVIEW can be reviewed`,
      );
    }
    return verdict === 'APPROVE'
      ? endJob(tx, held.job, { status: 'COMPLETED', error: null })
      : putInLine(tx, queue, held, note ?? null);
  });
}

async function putInLine(
  tx: Tx,
  queue: MoveJobDeps['queue'],
  held: HeldJob,
  reviewNote: string | null,
): Promise<Job> {
  const job = await renewJob(tx, held, reviewNote);
  await queue.put(tx, { jobId: job.id, run: job.run });
  return job;
}

/** A job of the viewer, its row held until the transaction ends. @throws NotFoundError, the same for a foreign one. */
async function holdJob(tx: Tx, viewer: Viewer, jobId: string): Promise<HeldJob> {
  const [own] = await findJobs(tx, viewer, [jobId]);
  const held = own && (await lockJob(tx, own.id));
  if (!held) throw unknownJob(jobId);
  return held;
}

/** What is said of a job that is unknown or somebody else's. */
export const unknownJob = (jobId: string): NotFoundError =>
  new NotFoundError(`you have no job ${jobId}; make one with createJob`);
