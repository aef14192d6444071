/**
 * What a server and a worker have in common: the databases, all that answers turns, and the worker of jobs. Whoever opens
 * it gives the opening that closes it, in the reverse order.
 */
import type { Db as MongoDatabase } from 'mongodb';
import { startRunner, type RunnerTimes, type TurnRunner } from '../agent/runner/runner.ts';
import type { AnswerTurn } from '../agent/turn-run.ts';
import type { Config } from '../config/config.ts';
import type { Stores } from '@qpilot/embedded-stores';
import { openStores } from './open-stores.ts';
import { createEventLog, type EventLog } from '../events/event-log.ts';
import { startWakeUps, type WakeUps } from '../events/wake-ups.ts';
import type { JobQueue } from '../stores/pg/job-queue.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import type { ExpertServices } from '../services/experts/expert-services.ts';
import { readSettings } from '../config/settings.ts';
import { openDatabase } from '../stores/pg/database.ts';
import { migrate } from '../stores/pg/migrate.ts';
import { openTracing } from '../base/tracing/open-tracing.ts';
import { openAnswering, type Answering } from './answering.ts';
import { openMongo } from './databases.ts';
import { openExperts } from './expert-parts.ts';
import { openQueue, startWorking, type JobPartsDeps } from './job-parts.ts';
import { createTurnAnswers, type TurnAnswers } from './turn-answers.ts';

/** What a start needs beyond the configuration. */
export type ProcessOptions = {
  readonly log: Logger;
  /** Called once when the stores that this process runs ended by themselves; the process should be stopped then. */
  readonly onFailure: (error: Error) => void;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
};

/** What a process stands on: settings, tracing, and the databases with their tables as this version wants them. */
export type Ground = JobPartsDeps & {
  readonly stores: Stores;
  readonly mongo: MongoDatabase;
  readonly wakeUps: WakeUps;
};

/** @throws StartupError for what a person has to change. */
export async function openGround(
  config: Config,
  options: ProcessOptions,
  resources: ResourceStack,
): Promise<Ground> {
  const { log, onFailure, signal } = options;
  const settings = await readSettings(config.settingsFile);
  const tracing = await openTracing(config.tracing, log);
  resources.defer(() => tracing.close());
  const { dataDir, databaseUrl, mongodbUri } = config;
  const stores = await openStores({
    dataDir,
    databaseUrl,
    mongodbUri,
    log,
    onFailure,
    ...(signal && { signal }),
  });
  resources.defer(() => stores.stop());
  const mongo = await openMongo(stores.mongoUri, config, resources, tracing);
  const database = openDatabase(stores.postgresUrl, { log, tracing });
  resources.defer(() => database.close());
  await migrate(database.db);
  const wakeUps = startWakeUps({ url: stores.postgresUrl, log });
  resources.defer(() => wakeUps.close());
  return { config, settings, log, tracing, stores, mongo, database, wakeUps };
}

/** How the turns of a process are run. */
type WorkOptions = {
  readonly now: () => Date;
  /** No other process can have turns under way in these stores. */
  readonly isOnlyServer: boolean;
  /** In the place of what otherwise answers. */
  readonly answerTurn?: AnswerTurn;
  readonly runnerTimes?: Partial<RunnerTimes>;
};

/** A process at work: it answers turns and takes jobs. */
export type Work = {
  readonly answering: Answering;
  readonly experts: ExpertServices;
  readonly eventLog: EventLog;
  readonly answers: TurnAnswers;
  readonly queue: JobQueue;
  readonly runner: TurnRunner;
};

/** Begins to work; closed, it takes no more, and lets what runs end for the drain time. */
export async function openWork(
  ground: Ground,
  options: WorkOptions,
  resources: ResourceStack,
): Promise<Work> {
  const { settings, log, tracing, stores, database, wakeUps } = ground;
  const { now, isOnlyServer, answerTurn, runnerTimes } = options;
  const answering = await openAnswering({ ...ground, now }, resources);
  const experts = await openExperts({ ...ground, models: answering.models.catalog }, resources);
  const eventLog = createEventLog({ ...database, wakeUps });
  const answers = createTurnAnswers({ ...ground, answering, experts: experts.experts });
  const queue = await openQueue(ground, stores.postgresUrl, resources);
  const runner = await startRunner({
    db: database.db,
    tracing,
    eventLog,
    wakeUps,
    answerTurn: answerTurn ?? answers.answerTurn,
    log,
    budgets: settings.limits,
    isOnlyServer,
    now,
    ...(runnerTimes && { times: runnerTimes }),
  });
  resources.defer(() => runner.stop());
  await startWorking(ground, { queue, runner, eventLog }, resources);
  return { answering, experts, eventLog, answers, queue, runner };
}
