/** The use cases of jobs over Postgres and the event log: access first, then the work. Who works on jobs it does not know. */
import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { JobLimits } from '../../domain/jobs/job-limits.ts';
import type { Job, JobStatus } from '../../domain/jobs/job.ts';
import { CursorAheadError, InvalidInputError } from '../../base/errors.ts';
import type { EventLog } from '../../events/event-log.ts';
import { findJobSpending, findReportPaths } from '../../stores/pg/job-spending.ts';
import { findNewestTurns } from '../../stores/pg/job-turns.ts';
import { findJobDatasources, findJobs, listJobs } from '../../stores/pg/jobs.ts';
import { findSessions } from '../../stores/pg/sessions.ts';
import { retryWhileUnavailable } from '../../stores/pg/unavailable.ts';
import { decodeCursor, encodeCursor, rowsToRead, toPage } from '../page-cursor.ts';
import type { Page } from '../page-cursor.ts';
import { createJob, type CreateJobDeps } from './create-job.ts';
import { followJobChanges, type JobChangesDeps } from './job-changes.ts';
import type { JobsRequest, JobsService } from './jobs-service.ts';
import { cancelJob, retryJob, reviewJob, unknownJob, type MoveJobDeps } from './move-job.ts';

/** What jobs need. The caller keeps and closes what it passes. */
export type JobsDeps = CreateJobDeps &
  MoveJobDeps &
  JobChangesDeps & { readonly eventLog: EventLog; readonly limits: JobLimits };

/** Clients subscribe again while Postgres restarts; they should not be turned away for that. */
const OUTAGE_MS = 2_000;

/** Jobs for the schema. */
export function createJobsService(deps: JobsDeps): JobsService {
  const { db, limits } = deps;
  return {
    limits,
    create: (viewer, input) => createJob(deps, viewer, input),
    cancel: (viewer, jobId) => cancelJob(deps, viewer, jobId),
    retry: (viewer, jobId) => retryJob(deps, viewer, jobId),
    review: (viewer, input) => reviewJob(deps, viewer, input),
    byIds: (viewer, ids) => findJobs(db, viewer, ids),
    list: (viewer, request) => pageOfJobs(deps, viewer, request),
    datasourcesOf: (viewer, jobIds) => findJobDatasources(db, viewer, jobIds),
    newestTurns: (viewer, sessionIds) => findNewestTurns(db, viewer, sessionIds),
    spendingOf: (viewer, jobIds) => findJobSpending(db, viewer, jobIds, limits.seconds),
    reportPaths: (viewer, jobIds) => findReportPaths(db, viewer, jobIds),
    async follow(viewer, jobId, afterSeq, signal) {
      if (!Number.isInteger(afterSeq) || afterSeq < 0) {
        throw new InvalidInputError([{ path: ['afterSeq'], message: 'must be 0 or the seq of an event' }]);
      }
      const session = await retryWhileUnavailable(async () => {
        const [job] = await findJobs(db, viewer, [jobId]);
        const [found] = job ? await findSessions(db, viewer, [job.sessionId]) : [];
        return found ?? null;
      }, OUTAGE_MS);
      if (session === null) throw unknownJob(jobId);
      if (afterSeq > session.lastSeq) throw new CursorAheadError(afterSeq, session.lastSeq);
      return deps.eventLog.follow(session.id, afterSeq, signal);
    },
    changes: (viewer, signal) => followJobChanges(deps, viewer, signal),
  };
}

const jobPlace = z.tuple([z.number(), z.uuid()]);

async function pageOfJobs(
  { db }: JobsDeps,
  viewer: Viewer,
  { first, after, status }: JobsRequest,
): Promise<Page<Job>> {
  const place = decodeCursor(after, jobPlace);
  const statuses: readonly JobStatus[] | null = status ?? null;
  const jobs = await listJobs(db, viewer, {
    limit: rowsToRead(first),
    after: place && { createdAt: new Date(place[0]), id: place[1] },
    statuses,
  });
  return toPage(jobs, first, (item) => ({ item, cursor: encodeCursor([item.createdAt.getTime(), item.id]) }));
}
