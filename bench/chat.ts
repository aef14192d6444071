/**
 * A whole server but for its terminal: real stores, runner, event log and, on request, the GraphQL server; only the
 * model is ours. Each bench opens its own, so that none inherits another's state.
 */
import { resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import type { GraphQLServices } from '../schema/context.ts';
import { createModelCatalog } from '../src/agent/models/catalog.ts';
import { readPromptTexts } from '../src/agent/prompt/prompt-texts.ts';
import { startRunner } from '../src/agent/runner/runner.ts';
import type { TurnRunner } from '../src/agent/runner/runner.ts';
import { createToolRegistry } from '../src/agent/tool-registry.ts';
import { createAnswerTurn } from '../src/agent/turn/answer-turn.ts';
import type { AnswerTurn } from '../src/agent/turn-run.ts';
import type { Viewer } from '../src/domain/conversation/session.ts';
import type { Stores } from '@qpilot/embedded-stores';
import { createEventLog } from '../src/events/event-log.ts';
import type { EventLog } from '../src/events/event-log.ts';
import { startWakeUps } from '../src/events/wake-ups.ts';
import { readGeneration } from '../src/experts/expert-generation.ts';
import { createLiveLimiter } from '../src/sources/live/limiter.ts';
import { createLiveSource } from '../src/sources/live/live-source.ts';
import { createLabServers } from '../src/sources/mcp/lab-servers.ts';
import { createLogger } from '../src/base/log.ts';
import { createPythonSandbox } from '@qpilot/python-sandbox';
import { createPictures } from '../src/pictures/pictures.ts';
import { openDoor } from '../src/identity/door.ts';
import { startServer } from '../src/server/http.ts';
import type { RunningServer } from '../src/server/http.ts';
import type { BuilderService } from '../src/services/builder/builder.ts';
import { createBuilderService } from '../src/services/builder/builder.ts';
import type { CalibrationServices } from '../src/services/calibration/calibration-services.ts';
import { createCalibrationServices } from '../src/services/calibration/calibration-services.ts';
import { createFigures } from '../src/services/calibration/figures.ts';
import { createTaskKnowledge } from '../src/services/calibration/task-knowledge.ts';
import type { CopilotService } from '../src/services/copilot/copilot.ts';
import { createCopilotService, type CopilotDeps } from '../src/services/copilot/copilot.ts';
import { createMessageImages } from '../src/services/copilot/message-images.ts';
import { createMessageNumbers } from '../src/services/copilot/message-numbers.ts';
import type { ExpertServices } from '../src/services/experts/experts.ts';
import { createExpertsService } from '../src/services/experts/experts.ts';
import { createJobDrafts } from '../src/services/jobs/job-drafts.ts';
import { createAccess, LOCAL_CALLER } from '../src/services/members/access.ts';
import { createMembersService } from '../src/services/members/members.ts';
import { createBoards } from '../src/services/boards/boards.ts';
import { createComments } from '../src/services/sharing/comments.ts';
import { createSearch } from '../src/services/search/search.ts';
import { createSharing } from '../src/services/sharing/sharing.ts';
import { createUploads } from '../src/services/uploads.ts';
import type { Uploads } from '../src/services/uploads.ts';
import { readSettings } from '../src/config/settings.ts';
import { readMetricCatalog } from '../src/stores/catalogue/metrics-file.ts';
import { readTopologies } from '../src/stores/catalogue/topology-files.ts';
import { createMongoCalibrationStore } from '../src/stores/mongo/calibration-store.ts';
import { openDatabase } from '../src/stores/pg/database.ts';
import type { Db } from '../src/stores/pg/database.ts';
import { NO_BUDGETS } from '../src/domain/members/budget.ts';
import { createAlertDestinations } from '../src/services/alerts/destinations.ts';
import { createAlerts } from '../src/services/alerts/alerts.ts';
import { createMutes } from '../src/services/calibration/mutes.ts';
import { createBudgetsService } from '../src/services/members/budgets.ts';
import { createAudit } from '../src/services/audit/audit.ts';
import { createMembers } from '../src/stores/pg/members.ts';
import { migrate } from '../src/stores/pg/migrate.ts';
import { createSessionStore } from '../src/stores/pg/session-store.ts';
import { createStepStore } from '../src/stores/pg/step-records.ts';
import { noTracing } from '../src/base/tracing/tracing.ts';
import { createTableThread } from '../src/sources/tables/table-thread.ts';
import { createPacedModel } from './paced-model.ts';
import type { PacedModel } from './paced-model.ts';
import { meterQueries } from './query-meter.ts';
import type { QueryMeter } from './query-meter.ts';
import { readModelTable } from '../src/config/model-table.ts';

/** The viewer that the server assumes without sign-in. */
export const VIEWER: Viewer = {
  id: 'local',
  name: 'local',
  projectId: 'demo',
  role: 'owner' as const,
  isOperator: true,
};

const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const LIMITS = {
  messagesPerMinute: NO_LIMIT,
  turnsPerUser: NO_LIMIT,
  turnsAtOnce: NO_LIMIT,
  waitingPerUser: NO_LIMIT,
  sessionTokens: NO_LIMIT,
  userTokensPerDay: NO_LIMIT,
  projectTokensPerDay: NO_LIMIT,
};

/** What a bench works on. Whoever opened it closes it. */
export type Chat = {
  readonly db: Db;
  readonly model: PacedModel;
  readonly copilot: CopilotService;
  readonly eventLog: EventLog;
  /** Times what the event log asks of Postgres. */
  readonly queries: QueryMeter;
  readonly calibration: CalibrationServices;
  /** Serves it on a free port; closed with the rest. */
  serve(): Promise<RunningServer>;
  close(): Promise<void>;
};

/**
 * Opens a chat. Turns are answered by the paced model through the agent loop, or by `answerTurn`; `places`: how many of
 * them at once.
 */
export async function openChat(stores: Stores, answerTurn?: AnswerTurn, places = NO_LIMIT): Promise<Chat> {
  const limits = { ...LIMITS, turnsPerUser: places, turnsAtOnce: places };
  const closers: (() => Promise<unknown>)[] = [];
  const log = createLogger('warn');
  const calibration = await openCalibration(stores.mongoUri, closers);
  const database = openDatabase(stores.postgresUrl, { log });
  closers.push(() => database.close());
  const { db } = database;
  await migrate(db);
  const wakeUps = startWakeUps({ url: stores.postgresUrl, log });
  closers.push(() => wakeUps.close());
  await wakeUps.listening;
  const queries = meterQueries(database.pool);
  const eventLog = createEventLog({ db, pool: queries.pool, wakeUps });
  const model = createPacedModel();
  const runner = startRunner({
    tracing: noTracing,
    db,
    eventLog,
    wakeUps,
    log,
    answerTurn: answerTurn ?? (await answerWith(model, calibration, db)),
    budgets: limits,
    room: limits,
    leases: database.db,
    now: () => new Date(),
  });
  closers.push(() => runner.stop());
  const copilot = copilotOver({ db, eventLog, runner, limits });
  return {
    db,
    model,
    copilot,
    eventLog,
    queries,
    calibration,
    async serve() {
      const conversations = { copilot, builder: builderOver(db, runner) };
      const server = await serve(calibration, conversations, noUploads(db), db);
      closers.push(() => server.close());
      return server;
    },
    async close() {
      for (const close of closers.toReversed()) await close();
    },
  };
}

/** Calibration services on the database `bench`; `closers` gets what closes the connection. */
async function openCalibration(
  mongoUri: string,
  closers: (() => Promise<unknown>)[],
): Promise<CalibrationServices> {
  const mongo = await MongoClient.connect(mongoUri);
  closers.push(() => mongo.close());
  return createCalibrationServices({
    store: createMongoCalibrationStore(mongo.db('bench')),
    metrics: await readMetricCatalog(resolve('config/metrics.yaml')),
    topologies: await readTopologies(resolve('config/topologies')),
    project: VIEWER.projectId,
    now: () => new Date(),
  });
}

const NO_LAB_SERVERS = createLabServers({ settings: [], secrets: {}, log: createLogger('silent') });

async function answerWith(model: PacedModel, services: CalibrationServices, db: Db): Promise<AnswerTurn> {
  const logger = createLogger('warn');
  const now = (): Date => new Date();
  const uploads = noUploads(db);
  return createAnswerTurn({
    settings: await readSettings(),
    labServers: NO_LAB_SERVERS,
    models: createModelCatalog({
      models: [],
      preferred: model.name,
      fallbackModel: null,
      unknownContextTokens: 16_384,
      table: await readModelTable(),
      providers: [],
      offlineAnalyst: model,
    }),
    tools: createToolRegistry([], () => []),
    prompts: await readPromptTexts(),
    services,
    knowledge: createTaskKnowledge([]),
    figures: createFigures({ taskResults: services.taskResults, files: null }),
    store: createSessionStore(db),
    live: createLiveSource({ url: null, limiter: createLiveLimiter({ db, log: logger }), now, log: logger }),
    uploads,
    // Would start with its first use, but there are no tools.
    sandbox: createPythonSandbox({
      cacheDir: '',
      allowWithoutNamespaces: false,
      log: { info: (message) => logger.info(message), warn: (message) => logger.warn(message) },
    }),
    logger,
    tracing: noTracing,
    steps: createStepStore(db),
    logModelOutput: false,
    now,
  });
}

/** The benches upload nothing. */
const noUploads = (db: Db): Uploads =>
  createUploads({
    db,
    thread: createTableThread(),
    folder: '',
    maxBytes: 0,
    limits: { filesPerDay: 0, bytesPerDay: 0 },
  });

/** A server without any expert; conversations need none. */
function noExperts(db: Db): ExpertServices {
  const current = readGeneration({ defaults: { text: null }, template: { text: null }, experts: [] });
  return {
    experts: createExpertsService({ db, catalog: { current, reload: () => Promise.resolve(current) } }),
    configPresets: [],
    modelGroups: () => [],
    toolCategories: () => [],
  };
}

function copilotOver({
  db,
  eventLog,
  runner,
  limits,
}: Pick<CopilotDeps, 'db' | 'eventLog' | 'limits'> & { readonly runner: TurnRunner }): CopilotService {
  return createCopilotService({
    tracing: noTracing,
    db,
    eventLog,
    runner,
    limits,
    checkContext: () => Promise.resolve(),
    checkModel: () => undefined,
    assertSeesImages: () => undefined,
    assertWritesDocuments: () => undefined,
    uploads: { removeOrphaned: () => Promise.resolve() },
  });
}

function builderOver(db: Db, runner: TurnRunner): BuilderService {
  return createBuilderService({
    tracing: noTracing,
    db,
    runner,
    limits: LIMITS,
    checkBuilderModel: () => undefined,
    checkExpert: () => Promise.resolve(),
  });
}

/** Far beyond what is measured. */
const MANY = { perUser: 100_000, inAll: 100_000 };

const NO_READ = { error: { code: 'NOT_FOUND', message: 'the bench has no reads', retryable: false } };

function serve(
  calibration: CalibrationServices,
  { copilot, builder }: { readonly copilot: CopilotService; readonly builder: BuilderService },
  uploads: Uploads,
  db: Db,
): Promise<RunningServer> {
  const access = createAccess({ projects: calibration.projects, members: createMembers(db) });
  return startServer({
    tracing: noTracing,
    host: '127.0.0.1',
    port: 0,
    production: true,
    graphqlJit: true,
    client: null,
    open: { operations: MANY, subscriptions: MANY, sockets: MANY },
    door: openDoor(LOCAL_CALLER, access),
    rates: null,
    persistedOnly: false,
    maxFileBytes: 0,
    pictures: createPictures(),
    services: {
      ...calibration,
      ...noExperts(db),
      labServers: NO_LAB_SERVERS,
      mutes: createMutes({ db, calibration, now: () => new Date() }),
      alertDestinations: createAlertDestinations({
        db,
        channels: {
          post: async () => 204,
          mail: null,
          refusalOf: () => null,
          origin: null,
          idOf: (_type, key) => key,
        },
        now: () => new Date(),
      }),
      alerts: createAlerts({ db, calibration, now: () => new Date(), mutesOf: async () => [] }),
      budgets: createBudgetsService({ db, defaults: NO_BUDGETS }),
      audit: createAudit({ db, log: createLogger('silent') }),
      access,
      members: createMembersService({ members: createMembers(db), stopWork: async () => undefined }),
      search: createSearch({ db, calibration }),
      sharing: createSharing({ db, wakeUps: { onShares: () => () => undefined } }),
      boards: createBoards({
        db,
        now: () => new Date(),
        reads: { complete: async (_viewer, query) => query, read: async () => NO_READ },
      }),
      comments: createComments({
        db,
        members: createMembers(db),
        wakeUps: { onComments: () => () => undefined },
      }),
      messageNumbers: createMessageNumbers({ db, metrics: calibration.metrics }),
      copilot,
      builder,
      uploads,
      copilotConfig: {
        greeting: { en: '' },
        suggestions: { en: [] },
        models: [],
        defaultModel: 'paced',
        builderModel: {
          name: 'paced',
          provider: 'offline',
          available: true,
          supportsImages: false,
          capabilities: null,
        },
        maxMessageLength: 8_000,
        maxImages: 0,
        maxImageBytes: 0,
        sandboxPackages: [],
      },
      datasourcesOf: async () => ({ all: [] }),
      jobDrafts: createJobDrafts({ db, experts: noExperts(db).experts }),
      ...noJobs(),
      messageImages: createMessageImages({ db }),
      figures: createFigures({ taskResults: calibration.taskResults, files: null }),
      imports: { refusal: async () => 'the bench has no imports', run: refuseAll },
    },
    health: { required: {}, optional: {}, ready: {} },
    now: () => new Date(),
    log: createLogger('warn'),
  });
}

const refuseAll = (): never => {
  throw new Error('the bench has no jobs and no imports');
};

/** No operation of the bench asks for a job, or for sizes. */
function noJobs(): Pick<GraphQLServices, 'jobs' | 'jobFiles' | 'storage'> {
  const refuse = refuseAll;
  const jobs = {
    limits: { roundsPerPhase: 0, phases: 0, tokens: 0, seconds: 0, workspaceBytes: 0 },
    create: refuse,
    cancel: refuse,
    delete: refuse,
    retry: refuse,
    review: refuse,
    handOver: refuse,
    assertReadable: refuse,
    byIds: refuse,
    ofSessions: refuse,
    list: refuse,
    datasourcesOf: refuse,
    newestTurns: refuse,
    spendingOf: refuse,
    reportPaths: refuse,
    follow: refuse,
    changes: refuse,
  };
  return { jobs, jobFiles: { list: refuse, read: refuse, usedBytes: refuse }, storage: { sizes: refuse } };
}
