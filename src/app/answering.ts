/**
 * What answers turns, built from the configuration and open stores: models, tools, sandbox, live source and
 * knowledge. The server and the worker use it, and so do commands that answer a turn once more; it opens no
 * port and writes no log.
 */
import { join } from 'node:path';
import { createPythonSandbox, type PythonSandbox } from '@qpilot/python-sandbox';
import { createBuilderTurn } from '../agent/builder/answer-builder-turn.ts';
import { createBuilderModels, type BuilderModels } from '../agent/builder/builder-models.ts';
import { createAnswerPhase } from '../agent/jobs/answer-phase.ts';
import { createPhaseKits } from '../agent/jobs/phase-kit.ts';
import { createModelCatalog, type ModelCatalog } from '../agent/models/catalog.ts';
import type { KnownModelsDeps, LessonBook } from '../agent/models/known-models.ts';
import { openProviders, type GuardedProvider } from '../agent/models/providers.ts';
import { shortKeyWarnings } from '../config/providers.ts';
import { readPromptTexts } from '../agent/prompt/prompt-texts.ts';
import { createToolRegistry } from '../agent/tool-registry.ts';
import type { Tool } from '../agent/tool.ts';
import { ALL_TOOLS } from '../agent/tools/all-tools.ts';
import { getLiveParameters } from '../agent/tools/get-live-parameters.ts';
import { proposeJob } from '../agent/tools/propose-job.ts';
import { verifyAgainstLive } from '../agent/tools/verify-against-live.ts';
import type { AnswerTurn } from '../agent/turn-run.ts';
import { createAnswerTurn, type AnswerTurnDeps } from '../agent/turn/answer-turn.ts';
import { jobLimits } from '../agent/turn/settings-limits.ts';
import { tracedSandbox, tracedTools } from '../agent/watch/trace-tools.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import { CONFIG_FOLDER } from '../config/config-folder.ts';
import type { Config } from '../config/config.ts';
import { readModelTable } from '../config/model-table.ts';
import type { Settings } from '../config/settings.ts';
import type { SessionKind } from '../domain/conversation/session.ts';
import type { ToolSetup } from '../experts/tool-categories.ts';
import { createOfflineAnalyst } from '../offline/offline-analyst.ts';
import { createOfflineBuilder } from '../offline/builder/offline-builder.ts';
import {
  type CalibrationServices,
  createCalibrationServices,
} from '../services/calibration/calibration-services.ts';
import { createFigures, type FiguresService } from '../services/calibration/figures.ts';
import { createTaskKnowledge, type TaskKnowledgeService } from '../services/calibration/task-knowledge.ts';
import type { ExpertsService } from '../services/experts/experts.ts';
import { createJobDrafts, type JobDrafts } from '../services/jobs/job-drafts.ts';
import { createUploads, type Uploads } from '../services/uploads.ts';
import { datasourcesOfProjects, type DatasourcesOf } from '../sources/databases/datasources.ts';
import { createLiveLimiter } from '../sources/live/limiter.ts';
import { createLiveSource, type LiveSource } from '../sources/live/live-source.ts';
import { createTableThread } from '../sources/tables/table-thread.ts';
import { createLabServers, type LabServers } from '../sources/mcp/lab-servers.ts';
import { createWebSearch } from '../sources/web/web-search.ts';
import { readMetricCatalog } from '../stores/catalogue/metrics-file.ts';
import { readTaskKnowledge } from '../stores/catalogue/task-knowledge-files.ts';
import { readTopologies } from '../stores/catalogue/topology-files.ts';
import { createFigureFiles } from '../stores/figure-files.ts';
import { createMongoCalibrationStore } from '../stores/mongo/calibration-store.ts';
import { createBuilderStore } from '../stores/pg/builder-store.ts';
import { createSessionStore } from '../stores/pg/session-store.ts';
import { createStepStore } from '../stores/pg/step-records.ts';
import { openLessonBook } from './lesson-book.ts';
import type { Infrastructure } from './stores.ts';

/** Dependencies of answering; the caller owns and closes them. */
export type AnsweringDeps = Omit<Infrastructure, 'stores' | 'wakeUps'> & { readonly now: () => Date };

/** The models that answer, and the providers behind them. */
export type Models = {
  readonly catalog: ModelCatalog;
  readonly providers: readonly GuardedProvider[];
  /** What is known of any model. */
  readonly known: KnownModelsDeps;
};

/** Everything that answers a turn; others use parts of it, too. */
export type Answering = {
  readonly deps: AnswerTurnDeps;
  readonly calibration: CalibrationServices;
  readonly uploads: Uploads;
  readonly datasourcesOf: DatasourcesOf;
  readonly models: Models;
  readonly labServers: LabServers;
};

/** Opens everything that answers; `resources` closes it. */
export async function openAnswering(deps: AnsweringDeps, resources: ResourceStack): Promise<Answering> {
  const { config, settings, mongo, database, log, tracing, now } = deps;
  const calibration = createCalibrationServices({
    store: createMongoCalibrationStore(mongo),
    metrics: await readMetricCatalog(join(CONFIG_FOLDER, 'metrics.yaml')),
    topologies: await readTopologies(join(CONFIG_FOLDER, 'topologies')),
    project: config.project,
    timeZone: config.timeZone,
    now,
  });
  const sandbox = tracedSandbox(openSandbox(config, log, resources), tracing);
  for (const warning of shortKeyWarnings(config.providers)) log.warn(warning);
  const models = await openModels(config, settings, now, resources, await openLessonBook(database.db, log));
  const limiter = createLiveLimiter({ db: database.db, log });
  const live = createLiveSource({ url: config.liveSourceUrl, limiter, now, log });
  const uploads = openUploads(deps, resources);
  const labServers = openLabServers(config, settings, log, resources);
  labServers.start();
  return {
    calibration,
    uploads,
    datasourcesOf: datasourcesOfProjects(
      settings.datasources,
      config.datasourceUris,
      calibration.projects.all,
    ),
    models,
    labServers,
    deps: {
      settings,
      labServers,
      models: models.catalog,
      tools: tracedTools(
        createToolRegistry(chatTools(live), () => sandbox.packages()),
        tracing,
      ),
      live,
      prompts: await readPromptTexts(),
      services: calibration,
      knowledge: await openKnowledge(join(CONFIG_FOLDER, 'task-knowledge'), log),
      figures: createFigureReader(config, calibration),
      store: createSessionStore(database.db),
      steps: createStepStore(database.db),
      logModelOutput: config.logModelOutput,
      uploads,
      sandbox,
      logger: log,
      tracing,
      now,
    },
  };
}

/** The lab's MCP servers, which are looked at on first use; `resources` closes them. */
export function openLabServers(
  { mcpSecrets: secrets }: Config,
  { mcpServers }: Settings,
  log: Logger,
  resources: ResourceStack,
): LabServers {
  const servers = createLabServers({ settings: mcpServers, secrets, log });
  resources.defer(() => servers.close());
  return servers;
}

/** Creates the sandbox, which starts on first use; `resources` closes it. */
export function openSandbox(config: Config, log: Logger, resources: ResourceStack): PythonSandbox {
  const { dataBytes, ...settings } = config.sandbox;
  const sandbox = createPythonSandbox({
    ...settings,
    cacheDir: join(config.dataDir, 'sandbox'),
    limits: { dataBytes },
    log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
  });
  resources.defer(() => sandbox.close());
  return sandbox;
}

/**
 * The models of the settings, of the environment and of servers that list theirs, and the offline analyst; `resources`
 * closes them. A provider that is down does not prevent a start.
 */
export async function openModels(
  config: Config,
  { models, copilot, limits }: Settings,
  now: () => Date,
  resources: ResourceStack,
  /** Without it nothing that is learned outlives the process. */
  lessons?: LessonBook,
): Promise<Models> {
  const maxOutputTokens = limits.turn.outputTokens;
  const table = await readModelTable();
  const providers = await openProviders(config.providers, { maxOutputTokens }, resources);
  const { unknownContextTokens, fallbackModel } = copilot;
  const known: KnownModelsDeps = {
    models,
    table,
    providers,
    unknownContextTokens,
    ...(lessons && { lessons }),
  };
  const catalog = createModelCatalog({
    ...known,
    preferred: config.copilotModel,
    fallbackModel,
    offlineAnalyst: createOfflineAnalyst({ now }),
  });
  return { catalog, providers, known };
}

/** Uploaded tables, in the data folder; `resources` ends the work on them. */
function openUploads({ config, settings, database }: AnsweringDeps, resources: ResourceStack): Uploads {
  const thread = createTableThread();
  resources.defer(() => thread.close());
  const { uploadsPerDay, uploadMegabytesPerDay } = settings.limits;
  return createUploads({
    db: database.db,
    thread,
    folder: join(config.dataDir, 'uploads'),
    maxBytes: uploadBytes(settings),
    limits: { filesPerDay: uploadsPerDay, bytesPerDay: uploadMegabytesPerDay * 1_000_000 },
  });
}

/** Largest file that may be uploaded, in bytes. */
export const uploadBytes = ({ limits }: Settings): number => limits.uploadMegabytes * 1_000_000;

/** The tools of copilot chat; those for live values only where there is a live source. */
export const chatTools = ({ isSetUp }: Pick<LiveSource, 'isSetUp'>): readonly Tool[] =>
  isSetUp ? [...ALL_TOOLS, getLiveParameters, verifyAgainstLive] : ALL_TOOLS;

/** Pictures of task results, where `CALIB_DATA_PATH` names their folder. */
export const createFigureReader = (
  { calibDataPath }: Config,
  { taskResults }: CalibrationServices,
): FiguresService =>
  createFigures({ taskResults, files: calibDataPath === null ? null : createFigureFiles(calibDataPath) });

/** Reads the task knowledge of a folder; broken files are logged and left out. */
export async function openKnowledge(folder: string, log: Logger): Promise<TaskKnowledgeService> {
  const { knowledge, broken } = await readTaskKnowledge(folder);
  for (const { file, problems } of broken) log.warn({ problems }, `task knowledge ${file} cannot be used`);
  return createTaskKnowledge(knowledge);
}

/** What this server offers to the tools of jobs. Datasources belong to single jobs, so there are none here. */
export const toolSetup = ({ tavilyApiKey, liveSourceUrl }: Config, { mcpServers }: Settings): ToolSetup => ({
  hasWebSearch: tavilyApiKey !== null,
  hasLiveSource: liveSourceUrl !== null,
  hasLabServers: mcpServers.length > 0,
  datasources: new Set(),
});

/** Each job has its workspace in a folder of this one. */
export const jobsFolder = ({ dataDir }: Config): string => join(dataDir, 'jobs');

/** What answers turns, and the parts of it that the schema uses, too. */
export type TurnAnswers = {
  readonly answerTurn: AnswerTurn;
  readonly builderModels: BuilderModels;
  readonly jobDrafts: JobDrafts;
};

/**
 * What answers the turns of conversations, builder sessions and jobs. A worker needs all of it like the server, for a
 * runner also starts queued turns of a process that is gone.
 */
export function createTurnAnswers(
  { config, settings, database }: Pick<Infrastructure, 'config' | 'settings' | 'database'>,
  { deps, datasourcesOf, models }: Answering,
  experts: ExpertsService,
): TurnAnswers {
  const { tavilyApiKey: apiKey, tavilyBaseUrl: baseUrl } = config;
  const webSearch = apiKey === null ? null : createWebSearch({ apiKey, ...(baseUrl && { baseUrl }) });
  const jobDrafts = createJobDrafts({ db: database.db, experts });
  const builderModels = createBuilderModels({
    provider: config.builder.provider,
    model: config.builder.model,
    copilotModel: config.copilotModel,
    ...models.known,
    offlineBuilder: createOfflineBuilder(),
  });
  const byKind: Readonly<Record<SessionKind, AnswerTurn>> = {
    COPILOT: createAnswerTurn({ ...deps, tools: deps.tools.with(proposeJob(jobDrafts)) }),
    BUILDER: createBuilderTurn({
      ...deps,
      builderModels,
      drafts: createBuilderStore(database.db),
      jobTools: toolSetup(config, settings),
      webSearch,
    }),
    JOB: createAnswerPhase({
      ...deps,
      db: database.db,
      jobLimits: jobLimits(settings.limits.job),
      openKit: createPhaseKits({
        folder: jobsFolder(config),
        prompts: deps.prompts,
        datasourcesOf,
        web: webSearch,
        hasLiveSource: deps.live.isSetUp,
        labServers: deps.labServers,
        packages: () => deps.sandbox.packages(),
        watched: (tools) => tracedTools(tools, deps.tracing),
        now: deps.now,
      }),
    }),
  };
  return { answerTurn: (run) => byKind[run.session.kind](run), builderModels, jobDrafts };
}
