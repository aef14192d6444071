/** The composition root of a process that only works on jobs: what answers, the runner and the queue, without a server. */
import { startRunner } from '../agent/runner/runner.ts';
import type { Config } from '../config.ts';
import { openStores } from '../embedded/stores.ts';
import { createEventLog } from '../events/event-log.ts';
import { startWakeUps } from '../events/wake-ups.ts';
import type { Logger } from '../log.ts';
import { whileOpen } from '../opening.ts';
import { readSettings } from '../settings.ts';
import { openDatabase } from '../stores/pg/database.ts';
import { migrate } from '../stores/pg/migrate.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { openAnswering } from './answering.ts';
import { openMongo } from './databases.ts';
import { openExperts } from './expert-parts.ts';
import { openQueue, startWorking } from './job-parts.ts';
import { createTurnAnswers } from './turn-answers.ts';

/** A running worker. */
export type WorkerProcess = {
  /** Takes no more jobs, lets phases end for the drain time, puts the rest in line again, and closes everything. */
  stop(): Promise<void>;
};

/** Starts to work. @throws StartupError for what a person has to change; whatever was opened is closed again. */
export function startWorkerProcess(
  config: Config,
  options: {
    readonly log: Logger;
    /** Called once when the stores that this process runs ended by themselves. */
    readonly onFailure: (error: Error) => void;
    readonly signal?: AbortSignal;
  },
): Promise<WorkerProcess> {
  return whileOpen(async (opening) => {
    const { log, onFailure, signal } = options;
    const now = (): Date => new Date();
    const settings = await readSettings(config.settingsFile);
    const tracing = await openTracing(config.tracing, log);
    opening.defer(() => tracing.close());
    const { dataDir, databaseUrl, mongodbUri } = config;
    const stores = await openStores({
      dataDir,
      databaseUrl,
      mongodbUri,
      log,
      onFailure,
      ...(signal && { signal }),
    });
    opening.defer(() => stores.stop());
    const mongo = await openMongo(stores.mongoUri, config, opening, tracing);
    const database = openDatabase(stores.postgresUrl, { log, tracing });
    opening.defer(() => database.close());
    await migrate(database.db);
    const wakeUps = startWakeUps({ url: stores.postgresUrl, log });
    opening.defer(() => wakeUps.close());
    const answering = await openAnswering({ config, settings, mongo, database, log, tracing, now }, opening);
    const { experts } = await openExperts(
      { config, database, models: answering.models.catalog, log },
      opening,
    );
    const eventLog = createEventLog({ ...database, wakeUps });
    const jobParts = { config, settings, database, log, tracing };
    const queue = await openQueue(jobParts, stores.postgresUrl, opening);
    const runner = await startRunner({
      db: database.db,
      tracing,
      eventLog,
      wakeUps,
      answerTurn: createTurnAnswers({ ...jobParts, answering, experts }).answerTurn,
      log,
      budgets: settings.limits,
      isOnlyServer: false,
      now,
    });
    opening.defer(() => runner.stop());
    await startWorking(jobParts, { queue, runner, eventLog }, opening);
    const parts = opening.move();
    let stopping: Promise<void> | undefined;
    return { stop: () => (stopping ??= parts.closeAll()) };
  });
}
