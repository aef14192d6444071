/**
 * Claims on jobs. Every worker that takes a job gets a new claim, and may write only while its claim is the
 * newest and the job is in progress. So a worker that was paused or disconnected can do no harm when it resumes.
 * Changes of a job lock its row first, then its session's, then a turn's.
 */
import { type Selectable, sql } from 'kysely';
import type { TurnError } from '../../domain/conversation/session.ts';
import type { Job, ReviewedCall } from '../../domain/jobs/job.ts';
import { type Db, readOne, type Tx } from './database.ts';
import { JOB_DELIVERIES } from './ended-deliveries.ts';
import { notify } from './events.ts';
import { isOneOf } from './ids.ts';
import { JOB_COLUMNS, JOBS_CHANNEL, rowToJob } from './jobs.ts';
import { camelKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** One worker's claim on a run of a job. */
export type JobClaim = { readonly jobId: string; readonly run: number; readonly claim: number };

/** A locked job, with the usage of its run. */
export type HeldJob = {
  readonly job: Job;
  readonly claim: number;
  /** Workers that the run may still lose. */
  readonly triesLeft: number;
  /** Until the time of the run is up; null before its first worker. */
  readonly msLeft: number | null;
  /** Tokens of the run's turns that have ended. */
  readonly spentTokens: number;
  /** Phases of earlier runs. */
  readonly phasesBefore: number;
};

/** Until the time of the run is up; null before its first worker. */
export const MS_LEFT = sql<
  number | null
>`1000 * extract(epoch from deadline_at - clock_timestamp())::float8`.as('ms_left');

/** Tokens charged to the run's turns that have ended; in a join of jobs and sessions. */
export const SPENT_TOKENS = sql<number>`(sessions.charged_tokens - tokens_before)::float8`.as('spent_tokens');

/** The job, its row locked until the transaction ends; null if there is none. */
export async function lockJob(tx: Tx, jobId: string): Promise<HeldJob | null> {
  const row = await tx
    .selectFrom('jobs')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .select(JOB_COLUMNS.map((column) => `jobs.${column}` as const))
    .select(['claim', 'tries_left', 'phases_before', MS_LEFT, SPENT_TOKENS])
    .where(isOneOf('jobs.id', [jobId]))
    .forUpdate('jobs')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { claim, triesLeft, msLeft, spentTokens, phasesBefore } = camelKeys(row);
  return { job: rowToJob(row), claim, triesLeft, msLeft, spentTokens, phasesBefore };
}

/** The same, if `claim` is still valid; else null. */
export async function lockClaimed(tx: Tx, { jobId, run, claim }: JobClaim): Promise<HeldJob | null> {
  const held = await lockJob(tx, jobId);
  const holds = held?.job.status === 'PROCESSING' && held.job.run === run && held.claim === claim;
  return holds ? held : null;
}

/** Gives a held job to a new worker, a process by its id. The first worker of a run starts its clock. */
export async function claimJob(
  tx: Tx,
  { job, claim, triesLeft }: HeldJob,
  {
    worker,
    isRetry,
    seconds,
  }: { readonly worker: string; readonly isRetry: boolean; readonly seconds: number },
): Promise<JobClaim> {
  await tx
    .updateTable('jobs')
    .set({
      status: 'PROCESSING',
      claim: claim + 1,
      worker,
      claimed_at: sql<Date>`clock_timestamp()`,
      tries_left: isRetry ? triesLeft - 1 : triesLeft,
      started_at: sql<Date>`coalesce(started_at, now())`,
      ...(!isRetry && { deadline_at: sql<Date>`now() + ${seconds} * interval '1 second'` }),
      changed_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', job.id)
    .execute();
  await notify(tx, JOBS_CHANNEL, job.projectId);
  return { jobId: job.id, run: job.run, claim: claim + 1 };
}

/** Records that the worker of a held job returned it in good order, which does not count as a loss. */
export async function returnJob(tx: Tx, { job, triesLeft }: HeldJob): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ tries_left: triesLeft + 1 })
    .where('id', '=', job.id)
    .execute();
}

/** How a job ends, or waits for review. */
export type JobEnd =
  | { readonly status: 'COMPLETED'; readonly error: null }
  | {
      readonly status: 'PENDING_REVIEW';
      readonly error: null;
      readonly reviewNote: string;
      readonly reviewCall: ReviewedCall | null;
    }
  | { readonly status: 'FAILED'; readonly error: TurnError }
  | { readonly status: 'CANCELLED'; readonly error: TurnError | null };

/** Ends a held job. The caller has checked that it may. */
export async function endJob(tx: Tx, { id, projectId }: Job, end: JobEnd): Promise<Job> {
  const ended = tx
    .updateTable('jobs')
    .set({
      status: end.status,
      error: end.error && JSON.stringify(end.error),
      review_note: end.status === 'PENDING_REVIEW' ? end.reviewNote : null,
      review_call: end.status === 'PENDING_REVIEW' ? end.reviewCall && JSON.stringify(end.reviewCall) : null,
      finished_at: end.status === 'PENDING_REVIEW' ? null : sql<Date>`now()`,
      changed_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .returning(JOB_COLUMNS);
  const row = await readOne(
    sql<Pick<Selectable<Database['jobs']>, (typeof JOB_COLUMNS)[number]>>`
      with ended as (${ended}), told as (${JOB_DELIVERIES}) select * from ended`,
    tx,
  );
  await notify(tx, JOBS_CHANNEL, projectId);
  return rowToJob(row);
}

/** Queues a held job again, as a new run with its own time, tokens and phases. */
export async function renewJob(
  tx: Tx,
  { job }: HeldJob,
  reviewNote: string | null,
  approvedCall: ReviewedCall | null = null,
): Promise<Job> {
  const row = await tx
    .updateTable('jobs')
    .set({
      status: 'CREATED',
      run: job.run + 1,
      tries_left: 1,
      error: null,
      review_note: reviewNote,
      review_call: approvedCall && JSON.stringify(approvedCall),
      deadline_at: null,
      finished_at: null,
      tokens_before: sql<number>`(select charged_tokens from sessions where id = session_id)`,
      phases_before: sql<number>`(select coalesce(max(phase), 0) from job_turns where job_id = jobs.id)`,
      changed_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', job.id)
    .returning(JOB_COLUMNS)
    .executeTakeFirstOrThrow();
  await notify(tx, JOBS_CHANNEL, job.projectId);
  return rowToJob(row);
}

/** Uses up the approval of a call that a phase is about to make; false where nobody approved just that, or the phase is over. */
export async function useApprovedCall(
  db: Db,
  { jobId, turnId }: { readonly jobId: string; readonly turnId: string },
  { tool, arguments: args }: Pick<ReviewedCall, 'tool' | 'arguments'>,
): Promise<boolean> {
  const used = await db
    .updateTable('jobs')
    .set({ review_call: null })
    .where('id', '=', jobId)
    .where('status', '=', 'PROCESSING')
    .where(sql<boolean>`review_call ->> 'approvedBy' is not null and review_call ->> 'tool' = ${tool}`)
    .where(sql<boolean>`(review_call -> 'arguments')::jsonb = ${JSON.stringify(args)}::jsonb`)
    .where(
      sql<boolean>`exists (select from turns where id = ${turnId}::uuid and status = 'RUNNING'
      and cancel_requested_at is null)`,
    )
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}
