/**
 * The composition root: builds each object of the process once, in the order in which they need each other, and takes
 * them down in the reverse order. It decides nothing else; how single parts are made stands in the files beside it. Only
 * `main.ts` and tests know it.
 */
import { startRunner, type RunnerTimes } from '../agent/runner/runner.ts';
import type { AnswerTurn } from '../agent/turn/turn-run.ts';
import type { WebClient } from '../client-build/open-client.ts';
import type { Config } from '../config.ts';
import { openStores } from '../embedded/stores.ts';
import { createEventLog } from '../events/event-log.ts';
import { startWakeUps } from '../events/wake-ups.ts';
import { ensureDemo } from '../import/ensure-demo.ts';
import type { Logger } from '../log.ts';
import { whileOpen, type Opening } from '../opening.ts';
import { startServer } from '../server/http.ts';
import { removeOrphans } from '../services/builder/builder-orphans.ts';
import { startSweeper } from '../services/sweeper.ts';
import { readSettings } from '../settings.ts';
import { openDatabase } from '../stores/pg/database.ts';
import { removeUnopenedDrafts } from '../stores/pg/job-drafts.ts';
import { migrate } from '../stores/pg/migrate.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { warmUp } from './answering-parts.ts';
import { openAnswering } from './answering.ts';
import { kindOf, openMongo, wantsDemo, type StoreKind } from './databases.ts';
import { openExperts } from './expert-parts.ts';
import { healthChecks } from './health-checks.ts';
import { createJobs, openQueue, startWorking } from './job-parts.ts';
import { createServices } from './services.ts';
import { createTurnAnswers } from './turn-answers.ts';
import { uploadBytes } from './uploads.ts';

/** What a test, or a process with other needs, may put in the place of the real thing. */
export type AppOverrides = {
  readonly answerTurn?: AnswerTurn;
  readonly runnerTimes?: Partial<RunnerTimes>;
  readonly now?: () => Date;
  /** The web client that is served at `/`; none: `/` leads to GraphiQL. */
  readonly client?: Pick<WebClient, 'state'>;
};

/** What a start needs beyond the configuration. */
export type AppOptions = AppOverrides & {
  readonly log: Logger;
  /** Called once when the stores that this process runs ended by themselves; the app should be stopped then. */
  readonly onFailure: (error: Error) => void;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
};

/** A running app. */
export type App = {
  readonly url: string;
  /** Model that answers when a message names none. */
  readonly defaultModel: string;
  readonly hasModelProvider: boolean;
  readonly stores: { readonly postgres: StoreKind; readonly mongo: StoreKind };
  readonly wroteDemo: boolean;
  /** Subscriptions that follow a session now. */
  readonly followers: number;
  /** Makes ready what otherwise waits for its first use. Never rejects; what cannot be had is in the log. */
  warmUp(): Promise<void>;
  /**
   * Stops accepting, closes sockets, lets running turns end for the drain time, then closes sandbox, databases and
   * stores. May be called again.
   */
  stop(): Promise<void>;
};

/**
 * Starts everything; resolves once requests are served.
 * @throws StartupError for what a person has to change; whatever was opened is closed again.
 */
export function startApp(config: Config, options: AppOptions): Promise<App> {
  return whileOpen((opening) => openApp(config, options, opening));
}

async function openApp(config: Config, options: AppOptions, opening: Opening): Promise<App> {
  const { log, signal, now = () => new Date() } = options;
  const settings = await readSettings(config.settingsFile);
  const tracing = await openTracing(config.tracing, log);
  opening.defer(() => tracing.close());
  const stores = await openStores({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    mongodbUri: config.mongodbUri,
    log,
    onFailure: options.onFailure,
    ...(signal && { signal }),
  });
  opening.defer(() => stores.stop());
  const mongo = await openMongo(stores.mongoUri, config, opening, tracing);
  const wroteDemo = wantsDemo(config) && (await ensureDemo(mongo, now()));
  const database = openDatabase(stores.postgresUrl, { log, tracing });
  opening.defer(() => database.close());
  await migrate(database.db);
  const wakeUps = startWakeUps({ url: stores.postgresUrl, log });
  opening.defer(() => wakeUps.close());

  const answering = await openAnswering({ config, settings, mongo, database, log, tracing, now }, opening);
  const { calibration, uploads, models } = answering;
  const { sandbox, figures, live } = answering.deps;
  const experts = await openExperts({ config, database, models: models.catalog, log }, opening);
  const sweeper = startSweeper(
    [
      { what: 'unused uploads', removeUnused: () => uploads.removeUnused() },
      { what: 'proposed jobs that nobody opened', removeUnused: () => removeUnopenedDrafts(database.db) },
      { what: 'abandoned builder sessions', removeUnused: () => removeOrphans(database.db) },
    ],
    log,
  );
  opening.defer(() => sweeper.close());
  const eventLog = createEventLog({ ...database, wakeUps });
  const jobParts = { config, settings, database, log, tracing };
  const answers = createTurnAnswers({ ...jobParts, answering, experts: experts.experts });
  const queue = await openQueue(jobParts, stores.postgresUrl, opening);
  const runner = await startRunner({
    db: database.db,
    tracing,
    eventLog,
    wakeUps,
    answerTurn: options.answerTurn ?? answers.answerTurn,
    log,
    budgets: settings.limits,
    isOnlyServer: stores.owned && config.databaseUrl === null,
    now,
    ...(options.runnerTimes && { times: options.runnerTimes }),
  });
  opening.defer(() => runner.stop());
  await startWorking(jobParts, { queue, runner, eventLog }, opening);
  const server = await startServer({
    host: config.host,
    port: config.port,
    production: config.production,
    graphqlJit: config.graphqlJit,
    client: options.client ?? null,
    persistedOnly: config.persistedOnly,
    maxFileBytes: uploadBytes(settings),
    services: createServices({
      config,
      calibration,
      settings,
      models: models.catalog,
      sandbox,
      database,
      eventLog,
      tracing,
      runner,
      uploads,
      datasources: answering.datasources,
      jobDrafts: answers.jobDrafts,
      jobs: createJobs(jobParts, { queue, eventLog, wakeUps, experts: experts.experts, answering }),
      figures,
      experts,
      builderModels: answers.builderModels,
    }),
    health: healthChecks(mongo, database, sandbox, live),
    now,
    log,
    tracing,
  });
  opening.defer(() => server.close());

  const parts = opening.move();
  let stopping: Promise<void> | undefined;
  return {
    url: server.url,
    defaultModel: models.catalog.defaultName,
    hasModelProvider: models.providers.length > 0,
    stores: {
      postgres: kindOf(config.databaseUrl, stores),
      mongo: kindOf(config.mongodbUri, stores),
    },
    wroteDemo,
    get followers() {
      return eventLog.followers;
    },
    warmUp: () => warmUp(sandbox, log),
    stop: () => (stopping ??= parts.closeAll()),
  };
}
