/**
 * What can be done with jobs. Every call is made for a viewer and sees only what that viewer owns in the viewer's project:
 * a foreign id answers like an unknown one. Ids are those of the domain, not GraphQL's.
 */
import type { SessionEvent } from '../../domain/conversation/session-event.ts';
import type { Turn, Viewer } from '../../domain/conversation/session.ts';
import type { AttachedDatasource } from '../../domain/jobs/job-datasource.ts';
import type { JobLimits, JobSpending } from '../../domain/jobs/job-limits.ts';
import type { Job, JobStatus } from '../../domain/jobs/job.ts';
import type { PageRequest } from '../copilot/copilot-service.ts';
import type { Page } from '../page-cursor.ts';

/** A job as it is asked for; see `create-job.ts` for what stands in for what is left out. */
export type CreateJobInput = {
  /** 1 to 2,000 characters, not blank. */
  readonly description: string;
  readonly expertId?: string | null | undefined;
  /** At most 200,000 bytes, kept byte for byte; the empty text means that none are given. */
  readonly instructions?: string | null | undefined;
  readonly instructionsUploadId?: string | null | undefined;
  /** An object of at most 64 kB as JSON. */
  readonly configOverride?: unknown;
  readonly configUploadId?: string | null | undefined;
  readonly datasourceIds?: readonly string[] | null | undefined;
  readonly builderSessionId?: string | null | undefined;
  readonly chipId?: string | null | undefined;
  /** An object of at most 64 kB as JSON. */
  readonly context?: unknown;
  /** Unique among the viewer's jobs in the project. */
  readonly idempotencyKey: string;
};

/** A person's word on a job that waits for one: it is done, or has to be worked on with this note. */
export type ReviewJobInput = {
  readonly jobId: string;
  readonly verdict: 'APPROVE' | 'SEND_BACK';
  /** 1 to 8,000 characters; needed for sending back. */
  readonly note?: string | null | undefined;
};

/** Which page of jobs; `status` null or absent: of any. */
export type JobsRequest = PageRequest & { readonly status?: readonly JobStatus[] | null | undefined };

/** The use cases of jobs. */
export type JobsService = {
  /** Of every job on this server. */
  readonly limits: JobLimits;
  /**
   * Stores a job and puts it in line; the same request under the same key again answers with the same job.
   * @throws InvalidInputError, NotFoundError, ConflictError, RateLimitedError, TurnInProgressError, SessionLinkedError
   */
  create(viewer: Viewer, input: CreateJobInput): Promise<Job>;
  /** Stops a job wherever it stands; one that is over is left as it is. @throws NotFoundError */
  cancel(viewer: Viewer, jobId: string): Promise<Job>;
  /**
   * Puts a job that failed or was cancelled in line again, where it goes on from what it had; one that is in line or at
   * work is left as it is. @throws NotFoundError, ConflictError for one that is done or waits for a person.
   */
  retry(viewer: Viewer, jobId: string): Promise<Job>;
  /** @throws NotFoundError, InvalidInputError, ConflictError for a job that waits for nobody. */
  review(viewer: Viewer, input: ReviewJobInput): Promise<Job>;
  /** In the order of `ids`, null for what is unknown. */
  byIds(viewer: Viewer, ids: readonly string[]): Promise<readonly (Job | null)[]>;
  /** Newest first. @throws InvalidInputError for a cursor that is none. */
  list(viewer: Viewer, page: JobsRequest): Promise<Page<Job>>;
  /** What each job was made with. */
  datasourcesOf(
    viewer: Viewer,
    jobIds: readonly string[],
  ): Promise<readonly (readonly AttachedDatasource[])[]>;
  /** The newest phase of each job, by its session; null for one that nobody has worked on. */
  newestTurns(viewer: Viewer, sessionIds: readonly string[]): Promise<readonly (Turn | null)[]>;
  /** What each job has used; null for what is unknown. */
  spendingOf(viewer: Viewer, jobIds: readonly string[]): Promise<readonly (JobSpending | null)[]>;
  /** The newest report that each job named, as its path in the workspace; null for one that named none. */
  reportPaths(viewer: Viewer, jobIds: readonly string[]): Promise<readonly (string | null)[]>;
  /** The job's events after `afterSeq`, those to come included. @throws NotFoundError, CursorAheadError */
  follow(
    viewer: Viewer,
    jobId: string,
    afterSeq: number,
    signal: AbortSignal,
  ): Promise<AsyncIterableIterator<SessionEvent>>;
  /** The viewer's jobs as they change from now on, each as it stands then; ends when `signal` fires. */
  changes(viewer: Viewer, signal: AbortSignal): Promise<AsyncIterableIterator<Job>>;
};
