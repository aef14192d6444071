/** How jobs are made from the configuration: the queue, who answers their phases, and the worker of this process. */
import { join } from 'node:path';
import type { TurnRunner } from '../agent/runner/runner.ts';
import type { AnswerTurn } from '../agent/turn-run.ts';
import { tracedTools } from '../agent/watch/trace-tools.ts';
import type { Config } from '../config/config.ts';
import type { EventLog } from '../events/event-log.ts';
import type { WakeUps } from '../events/wake-ups.ts';
import { createAnswerPhase } from '../agent/jobs/answer-phase.ts';
import { jobLimits } from '../agent/jobs/job-limits.ts';
import { createPhaseKits } from '../agent/jobs/phase-kit.ts';
import { openJobQueue, type JobQueue } from '../stores/pg/job-queue.ts';
import { startJobWorker } from '../agent/jobs/worker.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import type { ExpertsService } from '../services/experts/experts.ts';
import { createJobFiles, type JobFiles } from '../services/jobs/job-files.ts';
import type { JobsService } from '../services/jobs/jobs-service.ts';
import { createJobsService } from '../services/jobs/jobs.ts';
import type { Settings } from '../config/settings.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import { webSearchOf } from './answering-parts.ts';
import type { Answering } from './answering.ts';

/** What jobs are made from. The caller keeps and closes it. */
export type JobPartsDeps = {
  readonly config: Config;
  readonly settings: Settings;
  readonly database: OpenDatabase;
  readonly log: Logger;
  readonly tracing: Tracing;
};

/** Below it each job has the folder of its workspace. */
export const jobsFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'jobs');

/** Opens the queue; `opening` closes it, after the worker took no more and the runner stopped. */
export async function openQueue(
  { log }: Pick<JobPartsDeps, 'log'>,
  url: string,
  resources: ResourceStack,
): Promise<JobQueue> {
  const queue = await openJobQueue({ url, log });
  resources.defer(() => queue.close());
  return queue;
}

/** Makes what answers the phases of jobs. */
export function createPhaseAnswers(
  { config, settings, database, tracing }: JobPartsDeps,
  { deps, datasources }: Answering,
): AnswerTurn {
  return createAnswerPhase({
    ...deps,
    db: database.db,
    jobLimits: jobLimits(settings.limits.job),
    openKit: createPhaseKits({
      folder: jobsFolder(config),
      prompts: deps.prompts,
      datasources,
      web: webSearchOf(config),
      hasLiveSource: deps.live.isSetUp,
      packages: () => deps.sandbox.packages(),
      watched: (tools) => tracedTools(tools, tracing),
      now: deps.now,
    }),
  });
}

/** Postgres may be away this long while a job is worked on. */
const RETRY_FOR_MS = 60_000;

/** Has this process work on as many jobs at once as the configuration says; `opening` ends that. */
export async function startWorking(
  { config, settings, database, log }: JobPartsDeps,
  parts: { readonly queue: JobQueue; readonly runner: TurnRunner; readonly eventLog: EventLog },
  resources: ResourceStack,
): Promise<void> {
  const worker = await startJobWorker({
    ...parts,
    db: database.db,
    limits: jobLimits(settings.limits.job),
    log,
    retryForMs: RETRY_FOR_MS,
    jobsAtOnce: config.jobsAtOnce,
  });
  resources.defer(() => worker.takeNoMore());
}

/** What the schema may call of jobs. */
export function createJobs(
  { config, settings, database }: JobPartsDeps,
  parts: {
    readonly queue: JobQueue;
    readonly eventLog: EventLog;
    readonly wakeUps: WakeUps;
    readonly experts: ExpertsService;
    readonly answering: Answering;
  },
): { readonly jobs: JobsService; readonly jobFiles: JobFiles } {
  const { calibration, datasources } = parts.answering;
  const jobs = createJobsService({
    ...parts,
    db: database.db,
    limits: jobLimits(settings.limits.job),
    jobsPerUser: settings.limits.jobsPerUser,
    datasources: datasources.all,
    checkChip: async (viewer, chipId) => void (await calibration.chips.get(viewer, chipId)),
  });
  return { jobs, jobFiles: createJobFiles({ folder: jobsFolder(config), jobs }) };
}
