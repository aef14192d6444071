/** What a user can do to an existing job: cancel, retry, review, delete. */
import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { BudgetDefaults } from '../../domain/members/budget.ts';
import { readBudgets } from '../../stores/pg/budgets.ts';
import { assertBudgetsLeft } from '../members/budgets.ts';
import { mayFollow, type Job, type ReviewedCall } from '../../domain/jobs/job.ts';
import { ConflictError, NotFoundError } from '../../base/errors.ts';
import type { EventLog } from '../../events/event-log.ts';
import { untilTurnEnds } from '../../events/turn-end.ts';
import type { QueuedRun } from '../../stores/pg/job-queue.ts';
import { type Db, type Tx, transact } from '../../stores/pg/database.ts';
import { TURNS_CHANNEL, notify } from '../../stores/pg/events.ts';
import { endJob, lockJob, renewJob, type HeldJob } from '../../stores/pg/job-claims.ts';
import { findOwnJob } from '../../stores/pg/jobs.ts';
import { deleteSession, wasDeleted } from '../../stores/pg/session-delete.ts';
import { lockSession } from '../../stores/pg/sessions.ts';
import { openTurns, requestCancel } from '../../stores/pg/turns.ts';
import type { Workspaces } from '../storage/workspaces.ts';
import type { Uploads } from '../uploads.ts';
import { checkInput, MAX_MESSAGE_LENGTH, toKeptWords } from '../copilot/copilot-input.ts';

export type ChangeJobDeps = {
  /** Of the configuration. */
  readonly budgets: BudgetDefaults;
  readonly uploads: Pick<Uploads, 'removeOrphaned'>;
  readonly workspaces: Pick<Workspaces, 'remove'>;
  readonly db: Db;
  readonly eventLog: Pick<EventLog, 'follow'>;
  readonly queue: { put(tx: Tx, run: QueuedRun): Promise<void> };
};

/** How long a cancel waits for the running turn. It ends anyway; waiting only lets the response show it. */
const CANCEL_WAIT_MS = 1_000;

/**
 * Cancels a job at once, whether or not a worker holds it: from then on no worker can write to it. Its running turn is
 * asked to end and keeps its partial text. A finished job stays as it is.
 * @throws NotFoundError
 */
export async function cancelJob(deps: ChangeJobDeps, viewer: Viewer, jobId: string): Promise<Job> {
  const { job, turn, lastSeq } = await transact(deps.db, async (tx) => {
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

/**
 * Deletes a job with everything in it: its events, its records, its workspace. An open one is cancelled first; a worker
 * that still runs then finds its claim and its turn gone. Deleting again changes nothing.
 * @throws NotFoundError
 */
export async function deleteJob(deps: ChangeJobDeps, viewer: Viewer, jobId: string): Promise<void> {
  const own = await findOwnJob(deps.db, viewer, jobId);
  if (!own && !(await wasDeleted(deps.db, viewer, jobId, 'job_id'))) throw unknownJob(jobId);
  if (own) {
    await cancelJob(deps, viewer, jobId);
    const uploadIds = await transact(deps.db, async (tx) => {
      const held = await lockJob(tx, own.id);
      const session = held && (await lockSession(tx, own.sessionId));
      return session ? deleteSession(tx, session) : []; // null: another request was faster
    });
    await deps.uploads.removeOrphaned(uploadIds);
  }
  await deps.workspaces.remove(own?.id ?? jobId.toLowerCase());
}

/**
 * Queues a failed or cancelled job again; it continues from what it had. A queued or running job stays as it is.
 * @throws NotFoundError, ConflictError for a job that is completed or awaits a review
 */
export function retryJob({ db, queue, budgets }: ChangeJobDeps, viewer: Viewer, jobId: string): Promise<Job> {
  return transact(db, async (tx) => {
    const held = await holdJob(tx, viewer, jobId);
    const { status } = held.job;
    if (status === 'CREATED' || status === 'PROCESSING') return held.job;
    if (status !== 'PENDING_REVIEW' && mayFollow(status, 'CREATED')) {
      assertBudgetsLeft(await readBudgets(tx, viewer, budgets));
      return requeue(tx, queue, held, null);
    }
    throw new ConflictError(
      status === 'PENDING_REVIEW'
        ? `job ${jobId} awaits a review; approve it or send it back`
        : `job ${jobId} is completed; create another one`,
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
    run: z.number().int().nullish(),
    approveCall: z.boolean().nullish(),
  })
  .refine(({ verdict, approveCall }) => !approveCall || verdict === 'SEND_BACK', {
    path: ['approveCall'],
    error: 'goes with SEND_BACK: the job makes the call when it continues',
  })
  .refine(({ verdict, note, approveCall }) => verdict === 'APPROVE' || note || approveCall, {
    path: ['note'],
    error: 'is needed to send a job back: describe what to do',
  });

/** A verdict on a job that awaits a review, unchecked. */
export type ReviewJobInput = z.input<typeof reviewInput>;

/**
 * Approves a job, or queues it again with a note. @throws InvalidInputError, NotFoundError, ConflictError unless it
 * awaits a review, in the given run if there is one
 */
export async function reviewJob(
  { db, queue }: ChangeJobDeps,
  viewer: Viewer,
  input: ReviewJobInput,
): Promise<Job> {
  const { jobId, verdict, note, run, approveCall } = checkInput(reviewInput, input);
  return transact(db, async (tx) => {
    const held = await holdJob(tx, viewer, jobId);
    if (held.job.status !== 'PENDING_REVIEW') {
      throw new ConflictError(
        `job ${jobId} is ${held.job.status}; only one that is PENDING_REVIEW can be reviewed`,
      );
    }
    if (run != null && run !== held.job.run) {
      throw new ConflictError(
        `this verdict is on run ${run} of job ${jobId}, which is in run ${held.job.run} by now; read its new question`,
      );
    }
    if (verdict === 'APPROVE') return endJob(tx, held.job, { status: 'COMPLETED', error: null });
    const call = approveCall ? held.job.reviewCall : null;
    if (call === undefined || (approveCall && call === null)) {
      throw new ConflictError(`job ${jobId} asks about no call; send it back with a note`);
    }
    return requeue(tx, queue, held, notesOf(call, note), call && { ...call, approvedBy: viewer.id });
  });
}

/** What the job reads of a review. */
function notesOf(call: ReviewedCall | null, note: string | null | undefined): string | null {
  const approval = call && `Approved, once: ${call.tool} with exactly ${JSON.stringify(call.arguments)}.`;
  return [approval, note].filter((part) => part != null).join('\n') || null;
}

async function requeue(
  tx: Tx,
  queue: ChangeJobDeps['queue'],
  held: HeldJob,
  reviewNote: string | null,
  approvedCall?: ReviewedCall | null,
): Promise<Job> {
  const job = await renewJob(tx, held, reviewNote, approvedCall);
  await queue.put(tx, { jobId: job.id, run: job.run });
  return job;
}

/** Reads a job and locks its row until the transaction ends. @throws NotFoundError */
export async function holdJob(tx: Tx, viewer: Viewer, jobId: string): Promise<HeldJob> {
  const own = await findOwnJob(tx, viewer, jobId);
  const held = own && (await lockJob(tx, own.id));
  if (!held) throw unknownJob(jobId);
  return held;
}

/** For a job that does not exist or belongs to somebody else. */
export const unknownJob = (jobId: string): NotFoundError =>
  new NotFoundError(`you have no job ${jobId}; create one with createJob`);
