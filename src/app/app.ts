/**
 * The composition root of the server: builds each object once, in the order in which they need each other, and takes them
 * down in the reverse order. It decides nothing else; what a worker has, too, stands in `process.ts`, and how single parts
 * are made in the other files beside it. Only `main.ts` and tests know it.
 */
import type { RunnerTimes } from '../agent/runner/runner.ts';
import type { AnswerTurn } from '../agent/turn-run.ts';
import type { WebClient } from '../server/client-build/open-client.ts';
import type { Config } from '../config/config.ts';
import { ensureDemo } from '../import/ensure-demo.ts';
import { withResources, type ResourceStack } from '../base/resource-stack.ts';
import { startServer, type RunningServer, type ServerOptions } from '../server/http.ts';
import { removeOrphans } from '../services/builder/builder-orphans.ts';
import { startSweeper } from '../services/sweeper.ts';
import { removeUnopenedDrafts } from '../stores/pg/job-drafts.ts';
import { warmUp } from './answering-parts.ts';
import { kindOf, wantsDemo, type StoreKind } from './databases.ts';
import { healthChecks } from './health-checks.ts';
import { openGround, openWork, type Ground, type ProcessOptions, type Work } from './process.ts';
import { createServices } from './services.ts';
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
export type AppOptions = AppOverrides & ProcessOptions;

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
  return withResources((resources) => openApp(config, options, resources));
}

async function openApp(config: Config, options: AppOptions, resources: ResourceStack): Promise<App> {
  const { now = () => new Date(), log } = options;
  const ground = await openGround(config, options, resources);
  const { stores, database } = ground;
  const wroteDemo = wantsDemo(config) && (await ensureDemo(ground.mongo, now()));
  const work = await openWork(
    ground,
    { ...options, now, isOnlyServer: stores.owned && config.databaseUrl === null },
    resources,
  );
  const { models, uploads, deps } = work.answering;
  const sweeper = startSweeper(
    [
      { what: 'unused uploads', removeUnused: () => uploads.removeUnused() },
      { what: 'proposed jobs that nobody opened', removeUnused: () => removeUnopenedDrafts(database.db) },
      { what: 'abandoned builder sessions', removeUnused: () => removeOrphans(database.db) },
    ],
    log,
  );
  resources.defer(() => sweeper.close());
  const server = await serve(ground, work, { now, client: options.client ?? null });
  resources.defer(() => server.close());

  const parts = resources.move();
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
      return work.eventLog.followers;
    },
    warmUp: () => warmUp(deps.sandbox, log),
    stop: () => (stopping ??= parts.closeAll()),
  };
}

function serve(
  ground: Ground,
  work: Work,
  { now, client }: Pick<ServerOptions, 'now' | 'client'>,
): Promise<RunningServer> {
  const { config, settings, mongo, database, log, tracing } = ground;
  const { sandbox, live } = work.answering.deps;
  return startServer({
    host: config.host,
    port: config.port,
    production: config.production,
    graphqlJit: config.graphqlJit,
    client,
    persistedOnly: config.persistedOnly,
    maxFileBytes: uploadBytes(settings),
    services: createServices(ground, work),
    health: healthChecks(mongo, database, sandbox, live),
    now,
    log,
    tracing,
  });
}
