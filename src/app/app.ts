/**
 * The composition root of the server: builds every object once, in the order of their dependencies, and closes them in
 * reverse. `stores.ts`, `answering.ts` and `worker.ts` build the parts. Only `main.ts` and tests import it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isDiskFull, type Stores } from '@qpilot/embedded-stores';
import { sql } from 'kysely';
import type { GraphQLServices } from '../../schema/context.ts';
import { assertSeesImages, assertWritesDocuments } from '../agent/models/catalog.ts';
import { createBoardReads } from '../agent/boards/board-reads.ts';
import type { AlertTimes } from './alerting.ts';
import type { RunnerTimes } from '../agent/runner/runner.ts';
import type { AnswerTurn } from '../agent/turn-run.ts';
import { jobLimits } from '../agent/turn/settings-limits.ts';
import { DiskFullError, NotFoundError, StartupError } from '../base/errors.ts';
import { withResources, type ResourceStack } from '../base/resource-stack.ts';
import type { Config } from '../config/config.ts';
import { MAX_PICTURES, MAX_PICTURE_BYTES } from '../domain/conversation/picture.ts';
import { createDoor, openDoor, type Door } from '../identity/door.ts';
import { signingSecret } from '../identity/signing-secret.ts';
import { ensureDemo } from '../import/demo.ts';
import type { WebClient } from '../server/client-build/open-client.ts';
import type { Docs } from '../server/docs-build/open-docs.ts';
import type { HealthCheck, HealthChecks } from '../server/health.ts';
import { unboundDatasources } from '../sources/databases/datasources.ts';
import { createPictures } from '../pictures/pictures.ts';
import { startServer } from '../server/http.ts';
import { RECHECK_MS } from '../server/subscriber-scope.ts';
import { createAudit, type Audit } from '../services/audit/audit.ts';
import { doorRecords } from './door-records.ts';
import { createBoards } from '../services/boards/boards.ts';
import { createBuilderService } from '../services/builder/builder.ts';
import { MAX_MESSAGE_LENGTH } from '../services/copilot/copilot-input.ts';
import { createCopilotService } from '../services/copilot/copilot.ts';
import { createMessageImages } from '../services/copilot/message-images.ts';
import { createMessageNumbers } from '../services/copilot/message-numbers.ts';
import { createContextCheck } from '../services/copilot/send-message.ts';
import { createJobFiles } from '../services/jobs/job-files.ts';
import { createJobsService } from '../services/jobs/jobs.ts';
import { createAccess, LOCAL_CALLER, type Access } from '../services/members/access.ts';
import { createStorage, sweepsOf } from '../services/storage/storage.ts';
import { createWorkspaces, type Workspaces } from '../services/storage/workspaces.ts';
import { createAlertDestinations } from '../services/alerts/destinations.ts';
import { createAlerts } from '../services/alerts/alerts.ts';
import { createMutes } from '../services/calibration/mutes.ts';
import { createBudgetsService } from '../services/members/budgets.ts';
import { createMembersService, membersOf, type MembersService } from '../services/members/members.ts';
import { createRateLimits } from '../services/rate-limits.ts';
import { createStopWork } from '../services/members/stop-work.ts';
import { createComments } from '../services/sharing/comments.ts';
import { createSearch } from '../services/search/search.ts';
import { createSharing } from '../services/sharing/sharing.ts';
import { startSweeper } from '../services/sweeper.ts';
import { createQdashPeople, type QdashPeople } from '../stores/mongo/qdash-people.ts';
import { createMembers } from '../stores/pg/members.ts';
import { jobsFolder, uploadBytes } from './answering.ts';
import { openImports } from './imports.ts';
import { openProtocols } from './protocols.ts';
import { measuresOf, openOperations, readyChecks, requireRoom } from './operations.ts';
import { openInfrastructure, type Infrastructure, type ProcessOptions } from './stores.ts';
import { channelsOf, mutesIn } from './alerting.ts';
import { startWorker, warmUp, type Worker } from './worker.ts';

/** What a test, or a process with other needs, may replace. */
export type AppOverrides = {
  readonly answerTurn?: AnswerTurn;
  readonly runnerTimes?: Partial<RunnerTimes>;
  readonly now?: () => Date;
  /** How often the rights of subscribers are checked, in milliseconds. */
  readonly recheckMs?: number;
  readonly alertTimes?: Partial<AlertTimes>;
  /** In place of the configured door. */
  readonly door?: Door;
  /** The web client served at `/`; without one, `/` leads to GraphiQL. */
  readonly client?: Pick<WebClient, 'state'>;
  /** The documentation site at `/docs`. */
  readonly docs?: Pick<Docs, 'visit'>;
};

/** Dependencies besides the configuration. */
export type AppOptions = AppOverrides & ProcessOptions;

/** Who runs a store: this process, another process on the same data folder, or the server that the configuration names. */
type StoreKind = 'own' | 'shared' | 'configured';

/** A running app. */
export type App = {
  readonly url: string;
  /** Where metrics are scraped; null without METRICS_PORT. */
  readonly operationsUrl: string | null;
  /** Model that answers when a message names none. */
  readonly defaultModel: string;
  readonly hasModelProvider: boolean;
  readonly stores: { readonly postgres: StoreKind; readonly mongo: StoreKind };
  readonly wroteDemo: boolean;
  /** Address that makes the first owner, once; null where nobody needs it. A secret: print it, never log it. */
  readonly ownerLink: string | null;
  /** Open subscriptions to session events. */
  readonly followers: number;
  /** Prepares what otherwise starts on first use. Never rejects; failures are logged. */
  warmUp(): Promise<void>;
  /**
   * Says on `/readyz` that it stops, goes on for the notice, stops accepting, closes sockets, gives running turns the drain time to end, then closes sandbox, databases and
   * stores. May be called again.
   */
  stop(): Promise<void>;
};

/**
 * Starts everything; resolves once requests are served.
 * @throws StartupError for what the operator has to change; whatever was opened is closed again.
 */
export function startApp(config: Config, options: AppOptions): Promise<App> {
  return withResources((resources) => openApp(config, options, resources)).catch((error: unknown) => {
    if (!(error instanceof DiskFullError) && !isDiskFull(error)) throw error;
    const which = config.databaseUrl === null ? config.dataDir : `${config.dataDir}, or that of PostgreSQL,`;
    throw new StartupError(`the disk of ${which} is full: make room on it, then start again`, {
      cause: error,
    });
  });
}

async function openApp(config: Config, options: AppOptions, resources: ResourceStack): Promise<App> {
  const { now = () => new Date(), log, client = null } = options;
  const operations = await openOperations(config, log, resources);
  const infrastructure = await openInfrastructure(config, options, resources);
  const { settings, stores, mongo, database, tracing } = infrastructure;
  const wroteDemo = wantsDemo(config) && (await ensureDemo(mongo, now()));
  const worker = await startWorker(infrastructure, { ...options, now }, resources);
  const { models, uploads } = worker.answering;
  const { retention } = settings;
  const workspaces = createWorkspaces({ db: database.db, folder: jobsFolder(config) });
  const sweeps = sweepsOf({ db: database.db, dataDir: config.dataDir, retention, uploads, workspaces });
  const sweeper = startSweeper(sweeps, log);
  resources.defer(() => sweeper.close());
  const services = createServices(infrastructure, worker, workspaces);
  const projects = (await services.projects.all()).map(({ projectId }) => projectId);
  const unbound = unboundDatasources(settings.datasources, projects);
  if (unbound !== null) log.warn(`${unbound.message}; ${unbound.advice}`);
  const door = options.door ?? (await openDoorOf(infrastructure, services));
  const stopping = new AbortController();
  const health = healthChecks(infrastructure, worker, stopping.signal);
  const { open } = settings.limits;
  const rates = createRateLimits({ db: database.db, log, rates: settings.limits.rates });
  const recheckMs = options.recheckMs ?? RECHECK_MS;
  const pictures = resources.adopt(createPictures(), (each) => each.close());
  const server = await startServer({
    open,
    rates,
    host: config.host,
    port: config.port,
    publicOrigin: config.doors.publicOrigin,
    production: config.production,
    graphqlJit: config.graphqlJit,
    client,
    ...(options.docs !== undefined && { docs: options.docs }),
    persistedOnly: config.persistedOnly,
    maxFileBytes: uploadBytes(settings),
    services,
    pictures,
    door,
    recheckMs,
    others: openProtocols({ infrastructure, worker, services, pictures, door, rates, open, recheckMs, now }),
    health,
    now,
    log,
    tracing,
  });
  resources.defer(() => server.close());

  operations?.show({
    ready: health.ready,
    ...measuresOf(infrastructure, worker, () => server.sockets),
  });

  const opened = resources.move();
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    if (config.drainNoticeMs > 0) await delay(config.drainNoticeMs);
    await opened.closeAll();
  };
  return {
    url: server.url,
    operationsUrl: operations?.url ?? null,
    defaultModel: models.catalog.defaultName,
    hasModelProvider: models.providers.length > 0,
    stores: {
      postgres: kindOf(config.databaseUrl, stores),
      mongo: kindOf(config.mongodbUri, stores),
    },
    wroteDemo,
    ownerLink: await ownerLink(door, config.doors.publicOrigin ?? server.url),
    get followers() {
      return worker.eventLog.followers;
    },
    warmUp: () => warmUp(worker, log),
    stop: () => (stopped ??= stop()),
  };
}

/** The door of the configuration. */
async function openDoorOf(
  { config, settings, database, mongo, log }: Infrastructure,
  services: { readonly access: Access; readonly audit: Audit; readonly members: MembersService },
): Promise<Door> {
  const { access, audit, members } = services;
  const { doors, dataDir } = config;
  if (doors.mode === 'none') return openDoor(LOCAL_CALLER, access, doors.trustedProxies);
  const qdash = createQdashPeople(mongo);
  if (doors.mode === 'qdash') await requireUsers(qdash, config);
  const secret = await signingSecret(doors.secret, dataDir);
  const { db } = database;
  const events = doorRecords(audit);
  return createDoor({
    config: doors,
    secret,
    settings: settings.access,
    db,
    access,
    stopWorkOf: members.stopWorkOf,
    qdash,
    events,
    log,
  });
}

/** @throws StartupError where nobody could come in */
async function requireUsers(qdash: QdashPeople, { mongodbDb }: Config): Promise<void> {
  const hasUsers = await qdash.hasUsers().catch((cause: unknown) => {
    const message = `AUTH_MODE=qdash reads the collections user and project_membership of ${mongodbDb}, and could not; grant the account of MONGODB_URI the role read on it`;
    throw new StartupError(message, { cause });
  });
  if (hasUsers) return;
  throw new StartupError(
    `AUTH_MODE=qdash lets the users of a QDash in, and the database ${mongodbDb} has none; set MONGODB_URI and MONGODB_DB to that of QDash, or another AUTH_MODE`,
  );
}

async function ownerLink(door: Door, origin: string): Promise<string | null> {
  const path = await door.ownerLink();
  return path === null ? null : `${origin}${path}`;
}

/** Only its own store is given a demo without being asked; asked, any database that it may write to. */
function wantsDemo({ demo, mongodbUri, calibrationWrites }: Config): boolean {
  return calibrationWrites && (demo ?? mongodbUri === null);
}

function kindOf(configuredAddress: string | null, { owned }: Stores): StoreKind {
  if (configuredAddress !== null) return 'configured';
  return owned ? 'own' : 'shared';
}

/**
 * What `/health` checks. The stores are required; without the sandbox everything but Python analysis works. The live
 * source is not called, since its calls are limited: it is healthy if its latest call succeeded. A provider of models is
 * not called either: it is healthy unless it failed several times in a row.
 */
function healthChecks(
  infrastructure: Infrastructure,
  { answering }: Worker,
  stopping: AbortSignal,
): HealthChecks {
  const { config, mongo, database } = infrastructure;
  const { sandbox, live } = answering.deps;
  const providers = answering.models.providers.map(({ id, rest }): [string, HealthCheck] => [
    id,
    async () => {
      const resting = rest();
      if (resting !== null) throw new Error(resting.reason);
    },
  ]);
  return {
    required: {
      mongo: (signal) => mongo.command({ ping: 1 }, { signal }),
      postgres: () => sql`select 1`.execute(database.db),
      disk: () => requireRoom(config.dataDir, database),
    },
    ready: readyChecks(infrastructure, stopping),
    optional: {
      sandbox: async () => {
        const availability = await sandbox.availability();
        if (!availability.available) throw new Error(availability.reason);
      },
      ...Object.fromEntries(providers),
      ...(live.isSetUp && {
        live: async () => {
          const failure = live.lastFailure();
          if (failure !== null) throw new Error(failure);
        },
      }),
    },
  };
}

/** Every use case that the schema may call. */
function createServices(
  { config, settings, stores, mongo, database, tracing, wakeUps, log }: Infrastructure,
  worker: Worker,
  workspaces: Workspaces,
) {
  const { answering, experts, eventLog, answers, queue, runner } = worker;
  const { calibration, uploads, datasourcesOf } = answering;
  const { catalog: models } = answering.models;
  const { sandbox, figures, now } = answering.deps;
  const [{ db }, { limits }] = [database, settings];
  const members = config.doors.mode === 'qdash' ? membersOf('QDash') : createMembers(db);
  const audit = createAudit({ db, log });
  const { greeting, suggestions } = settings.copilot;
  const jobs = createJobsService({
    db,
    queue,
    uploads,
    workspaces,
    eventLog,
    wakeUps,
    members,
    experts: experts.experts,
    limits: jobLimits(limits.job),
    jobsPerUser: limits.jobsPerUser,
    budgets: limits.budgets,
    datasourcesOf: async (projectId) => (await datasourcesOf(projectId)).all,
    checkChip: async (viewer, chipId) => void (await calibration.chips.get(viewer, chipId)),
  });
  const copilot = createCopilotService({
    db,
    tracing,
    eventLog,
    runner,
    limits,
    checkContext: createContextCheck(calibration),
    checkModel: (name, kind) => void (kind === 'BUILDER' ? answers.builderModels : models).resolve(name),
    assertSeesImages: (name) => assertSeesImages(models, name),
    assertWritesDocuments: (name) => assertWritesDocuments(models, name),
    uploads,
  });
  return {
    ...calibration,
    ...experts,
    audit,
    access: createAccess({ projects: calibration.projects, members }),
    members: createMembersService({ members, stopWork: createStopWork({ db, jobs, copilot }) }),
    mutes: createMutes({ db, calibration, now }),
    alerts: createAlerts({ db, calibration, now, mutesOf: mutesIn(db, now) }),
    alertDestinations: createAlertDestinations({ db, channels: channelsOf(config), now }),
    budgets: createBudgetsService({ db, defaults: limits.budgets }),
    copilot,
    search: createSearch({ db, calibration }),
    sharing: createSharing({ db, wakeUps }),
    comments: createComments({ db, members, wakeUps }),
    boards: createBoards({ db, now, reads: createBoardReads(answering.deps) }),
    builder: createBuilderService({
      db,
      tracing,
      runner,
      limits,
      checkBuilderModel: (name) => void answers.builderModels.resolve(name),
      async checkExpert(viewer, expertId) {
        const [expert] = await experts.experts.byIds(viewer, [expertId]);
        if (!expert) throw new NotFoundError(`there is no expert ${expertId}; see the list of experts`);
      },
    }),
    messageNumbers: createMessageNumbers({ db, metrics: calibration.metrics }),
    copilotConfig: {
      greeting,
      suggestions,
      get models() {
        return models.options();
      },
      get defaultModel() {
        return models.defaultName;
      },
      get builderModel() {
        return answers.builderModels.default();
      },
      maxMessageLength: MAX_MESSAGE_LENGTH,
      maxImages: MAX_PICTURES,
      maxImageBytes: MAX_PICTURE_BYTES,
      get sandboxPackages() {
        return sandbox.packages();
      },
    },
    uploads,
    datasourcesOf,
    jobDrafts: answers.jobDrafts,
    jobs,
    storage: createStorage({ db, dataDir: config.dataDir, retention: settings.retention }),
    labServers: answering.labServers,
    jobFiles: createJobFiles({ folder: jobsFolder(config), jobs }),
    figures,
    imports: openImports({ config, mongo, mongoUri: stores.mongoUri, metrics: calibration.metrics, now }),
    messageImages: createMessageImages({ db }),
  } satisfies GraphQLServices;
}
