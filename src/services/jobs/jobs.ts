/**
 * The use cases of jobs over Postgres and the event log. Every call is made for a viewer, reads only what that viewer owns
 * or is shared with the viewer in the viewer's project, and changes only what the viewer owns: other ids look like unknown ones. Ids are those of the domain, not GraphQL's.
 * Workers are not known here.
 */
import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { JobLimits, Job, JobStatus } from '../../domain/jobs/job.ts';
import type { EventLog } from '../../events/event-log.ts';
import { findJobSpending, findReportPaths } from '../../stores/pg/job-spending.ts';
import { findNewestTurns } from '../../stores/pg/job-turns.ts';
import type { Whose } from '../../stores/pg/ids.ts';
import { findJobDatasources, findJobs, findJobsOfSessions, listJobs } from '../../stores/pg/jobs.ts';
import { findSessions } from '../../stores/pg/sessions.ts';
import { followSession } from '../follow-session.ts';
import {
  decodeCursor,
  encodeCursor,
  rowsToRead,
  toPage,
  type Page,
  type PageRequest,
} from '../page-cursor.ts';
import { cancelJob, deleteJob, retryJob, reviewJob, unknownJob } from './change-job.ts';
import type { ChangeJobDeps, ReviewJobInput } from './change-job.ts';
import { createJob, type CreateJobDeps } from './create-job.ts';
import { handOverJob, type HandOverDeps, type HandOverInput } from './hand-over-job.ts';
import { followJobChanges, type JobChangesDeps } from './job-changes.ts';
import type { CreateJobInput } from './job-input.ts';

/** The caller owns and closes what it passes. */
export type JobsDeps = CreateJobDeps &
  ChangeJobDeps &
  HandOverDeps &
  JobChangesDeps & { readonly eventLog: EventLog; readonly limits: JobLimits };

/** Jobs for the schema. */
export type JobsService = ReturnType<typeof createJobsService>;

/** Jobs for the schema. Lookups return one entry for each id, in their order. */
export function createJobsService(deps: JobsDeps) {
  const { db, limits } = deps;
  return {
    /** Of every job on this server. */
    limits,
    create: (viewer: Viewer, input: CreateJobInput) => createJob(deps, viewer, input),
    cancel: (viewer: Viewer, jobId: string) => cancelJob(deps, viewer, jobId),
    delete: (viewer: Viewer, jobId: string) => deleteJob(deps, viewer, jobId),
    retry: (viewer: Viewer, jobId: string) => retryJob(deps, viewer, jobId),
    review: (viewer: Viewer, input: ReviewJobInput) => reviewJob(deps, viewer, input),
    /** Null for an unknown id. */
    byIds: (viewer: Viewer, ids: readonly string[]) => findJobs(db, viewer, ids),
    /** By session; null for another session. */
    ofSessions: (viewer: Viewer, ids: readonly string[]) => findJobsOfSessions(db, viewer, ids),
    list: (viewer: Viewer, request: JobsRequest) => pageOfJobs(deps, viewer, request),
    /** The datasources that each job was created with. */
    datasourcesOf: (viewer: Viewer, jobIds: readonly string[]) => findJobDatasources(db, viewer, jobIds),
    /** The newest phase of each job, by its session; null before the first one. */
    newestTurns: (viewer: Viewer, sessionIds: readonly string[]) => findNewestTurns(db, viewer, sessionIds),
    /** What each job has used; null for an unknown id. */
    spendingOf: (viewer: Viewer, jobIds: readonly string[]) =>
      findJobSpending(db, viewer, jobIds, limits.seconds),
    /** Workspace path of the newest report that each job named; null for none. */
    reportPaths: (viewer: Viewer, jobIds: readonly string[]) => findReportPaths(db, viewer, jobIds),
    /** Resolves while the viewer may read the job. @throws NotFoundError */
    assertReadable: async (viewer: Viewer, jobId: string): Promise<void> =>
      void (await sessionOf(deps, viewer, jobId)),
    handOver: (viewer: Viewer, input: HandOverInput) => handOverJob(deps, viewer, input),
    /** See {@link followSession}. @throws NotFoundError */
    follow: (viewer: Viewer, jobId: string, afterSeq: number, signal: AbortSignal) =>
      followSession(deps.eventLog, () => sessionOf(deps, viewer, jobId), afterSeq, signal),
    /** The viewer's jobs as they change from now on, until `signal` fires. */
    changes: (viewer: Viewer, signal: AbortSignal) => followJobChanges(deps, viewer, signal),
  };
}

async function sessionOf({ db }: JobsDeps, viewer: Viewer, jobId: string) {
  const [job] = await findJobs(db, viewer, [jobId]);
  const [session] = job ? await findSessions(db, viewer, [job.sessionId]) : [];
  if (!session) throw unknownJob(jobId);
  return session;
}

const jobPosition = z.tuple([z.number(), z.uuid()]);

/** `status` null or absent: any. */
type JobsRequest = PageRequest & {
  readonly whose?: Whose;
  readonly status?: readonly JobStatus[] | null | undefined;
};

/** Newest first. @throws InvalidInputError for a bad cursor. */
async function pageOfJobs(
  { db }: JobsDeps,
  viewer: Viewer,
  { whose = 'own', first, after, status = null }: JobsRequest,
): Promise<Page<Job>> {
  const position = decodeCursor(after, jobPosition);
  const jobs = await listJobs(db, viewer, {
    whose,
    limit: rowsToRead(first),
    after: position && { createdAt: new Date(position[0]), id: position[1] },
    statuses: status,
  });
  return toPage(jobs, first, (item) => ({ item, cursor: encodeCursor([item.createdAt.getTime(), item.id]) }));
}
