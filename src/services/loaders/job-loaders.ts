/** DataLoaders over jobs, with the same rules as `loaders.ts`: for one operation or one event. */
import DataLoader from 'dataloader';
import type { Turn, Viewer } from '../../domain/conversation/session.ts';
import type { AttachedDatasource } from '../../domain/jobs/job-datasource.ts';
import type { JobSpending } from '../../domain/jobs/job-limits.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { JobsService } from '../jobs/jobs-service.ts';

/** Null for what is unknown or another viewer's. */
export type JobLoaders = {
  /** By id. */
  readonly job: DataLoader<string, Job | null>;
  /** By job id. */
  readonly datasourcesOfJob: DataLoader<string, readonly AttachedDatasource[]>;
  /** By job id. */
  readonly spendingOfJob: DataLoader<string, JobSpending | null>;
  /** By job id. */
  readonly reportPathOfJob: DataLoader<string, string | null>;
  /** By session id. */
  readonly newestTurn: DataLoader<string, Turn | null>;
};

/** Fresh loaders for `viewer`. */
export function createJobLoaders(jobs: JobsService, viewer: Viewer): JobLoaders {
  return {
    job: new DataLoader((ids) => jobs.byIds(viewer, ids)),
    datasourcesOfJob: new DataLoader((ids) => jobs.datasourcesOf(viewer, ids)),
    spendingOfJob: new DataLoader((ids) => jobs.spendingOf(viewer, ids)),
    reportPathOfJob: new DataLoader((ids) => jobs.reportPaths(viewer, ids)),
    newestTurn: new DataLoader((ids) => jobs.newestTurns(viewer, ids)),
  };
}
