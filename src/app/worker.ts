/** What takes turns and jobs: the runner and the job worker, in a server or in a process of their own. */
import type { Logger } from '../base/log.ts';
import { join } from 'node:path';
import { startJobWorker } from '../agent/jobs/job-worker.ts';
import { startRunner, type RunnerTimes, type TurnRunner } from '../agent/runner/runner.ts';
import type { AnswerTurn } from '../agent/turn-run.ts';
import { jobLimits } from '../agent/turn/settings-limits.ts';
import { withResources, type ResourceStack } from '../base/resource-stack.ts';
import { CONFIG_FOLDER } from '../config/config-folder.ts';
import { PROVIDERS } from '../config/providers.ts';
import type { Config } from '../config/config.ts';
import { createEventLog, type EventLog } from '../events/event-log.ts';
import { readConfigPresets } from '../experts/config-presets.ts';
import { openExpertCatalog } from '../experts/expert-catalog.ts';
import { type ExpertServices, createExpertsService } from '../services/experts/experts.ts';
import { groupModels } from '../services/experts/model-groups.ts';
import { viewToolCategories } from '../services/experts/tool-categories.ts';
import { openDatabase } from '../stores/pg/database.ts';
import { openJobQueue, type JobQueue } from '../stores/pg/job-queue.ts';
import { startAlerting, type AlertTimes } from './alerting.ts';
import {
  createTurnAnswers,
  openAnswering,
  toolSetup,
  type Answering,
  type TurnAnswers,
} from './answering.ts';
import { measuresOf, openOperations, readyChecks } from './operations.ts';
import { openInfrastructure, type Infrastructure, type ProcessOptions } from './stores.ts';

/** How the turns of a process are run. */
type WorkerOptions = {
  readonly now: () => Date;
  /** Answers turns instead of the built-in answers. */
  readonly answerTurn?: AnswerTurn;
  readonly runnerTimes?: Partial<RunnerTimes>;
  readonly alertTimes?: Partial<AlertTimes>;
};

/** A started worker. */
export type Worker = {
  readonly answering: Answering;
  readonly experts: ExpertServices;
  readonly eventLog: EventLog;
  readonly answers: TurnAnswers;
  readonly queue: JobQueue;
  readonly runner: TurnRunner;
};

/** How long a worker that stops still waits for a Postgres that is away. */
const RETRY_FOR_MS = 10_000;
/** Of the connection for leases: a renewal that hangs makes way for the next. */
const LEASE_LIMITS = { lockMs: 500, idleMs: 500, statementMs: 1_000, answerMs: 2_000 };

/** Starts to take turns and jobs. On close it takes no more, and gives running ones the drain time to end. */
export async function startWorker(
  infrastructure: Infrastructure,
  { now, answerTurn, runnerTimes, alertTimes }: WorkerOptions,
  resources: ResourceStack,
): Promise<Worker> {
  const { config, settings, log, tracing, stores, database, wakeUps } = infrastructure;
  const { db } = database;
  const answering = await openAnswering({ ...infrastructure, now }, resources);
  const experts = await openExperts(infrastructure, answering, resources);
  const eventLog = createEventLog({ ...database, wakeUps });
  const answers = createTurnAnswers(infrastructure, answering, experts.experts);
  const queue = await openJobQueue({ url: stores.postgresUrl, log });
  resources.defer(() => queue.close());
  const leases = openDatabase(stores.postgresUrl, {
    log,
    connections: 1,
    connectMs: 2_000,
    limits: LEASE_LIMITS,
  });
  resources.defer(() => leases.close());
  const runner = startRunner({
    db,
    tracing,
    eventLog,
    wakeUps,
    answerTurn: answerTurn ?? answers.answerTurn,
    log,
    budgets: settings.limits,
    leases: leases.db,
    now,
    room: settings.limits,
    alsoSweep: (couldRenew) => queue.takeFromLost(db, couldRenew),
    times: {
      drainMs: config.drainMs,
      approvalMs: settings.limits.turn.approvalSeconds * 1_000,
      ...runnerTimes,
    },
  });
  resources.defer(() => runner.stop());
  const jobs = await startJobWorker({
    queue,
    runner,
    eventLog,
    db,
    limits: jobLimits(settings.limits.job),
    log,
    retryForMs: RETRY_FOR_MS,
    jobsAtOnce: config.jobsAtOnce,
  });
  resources.defer(() => jobs.takeNoMore());
  startAlerting(infrastructure, answering.calibration, { now, alertTimes }, resources);
  return { answering, experts, eventLog, answers, queue, runner };
}

/** Opens the shipped experts and, except in production, watches their files; `resources` closes them. */
async function openExperts(
  { config, settings, database, log }: Infrastructure,
  { models }: Answering,
  resources: ResourceStack,
): Promise<ExpertServices> {
  const options = { folder: join(CONFIG_FOLDER, 'experts'), watched: !config.production, log };
  const catalog = await openExpertCatalog(options, resources);
  const setup = toolSetup(config, settings);
  return {
    experts: createExpertsService({ db: database.db, catalog }),
    configPresets: await readConfigPresets(join(CONFIG_FOLDER, 'presets.yaml')),
    modelGroups: () => groupModels(models.catalog.options(), PROVIDERS),
    toolCategories: (tools) => viewToolCategories(tools, setup),
  };
}

/** A running worker process. */
export type WorkerProcess = {
  /** Takes no more jobs, gives running phases the drain time to end, queues the rest again, and closes everything. */
  stop(): Promise<void>;
};

/** Starts a worker without a server. @throws StartupError for what the operator has to change. */
export function startWorkerProcess(config: Config, options: ProcessOptions): Promise<WorkerProcess> {
  return withResources(async (resources) => {
    const operations = await openOperations(config, options.log, resources);
    const infrastructure = await openInfrastructure(config, options, resources);
    const worker = await startWorker(infrastructure, { now: () => new Date() }, resources);
    const stopping = new AbortController();
    operations?.show({
      ready: readyChecks(infrastructure, stopping.signal),
      ...measuresOf(infrastructure, worker, () => 0),
    });
    const opened = resources.move();
    let stopped: Promise<void> | undefined;
    const stop = (): Promise<void> => {
      stopping.abort();
      return opened.closeAll();
    };
    return { stop: () => (stopped ??= stop()) };
  });
}

/** Starts the sandbox ahead of its first use. Never rejects. */
export async function warmUp({ answering }: Worker, log: Logger): Promise<void> {
  try {
    const availability = await answering.deps.sandbox.availability();
    if (!availability.available) log.warn({ reason: availability.reason }, 'Python analysis is not offered');
  } catch (error) {
    log.warn({ err: error }, 'Python analysis could not be made ready');
  }
}
