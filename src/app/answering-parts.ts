/** What answers are made with, as it is opened or made from the configuration: models, tools, sandbox, live source, knowledge. */
import { join } from 'node:path';
import { createModelCatalog, type ModelCatalog } from '../agent/models/catalog.ts';
import { createOfflineAnalyst } from '../offline/analyst/offline-analyst.ts';
import type { ModelProvider } from '../agent/models/provider.ts';
import { openProviders } from '../agent/models/providers.ts';
import type { Tool } from '../agent/tool.ts';
import { ALL_TOOLS } from '../agent/tools/all-tools.ts';
import { getLiveParameters } from '../agent/tools/get-live-parameters.ts';
import { verifyAgainstLive } from '../agent/tools/verify-against-live.ts';
import type { Config } from '../config/config.ts';
import { createLiveLimiter } from '../sources/live/limiter.ts';
import { createLiveSource, type LiveSource } from '../sources/live/live-source.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import { createPythonSandbox, type PythonSandbox } from '@qpilot/python-sandbox';
import type { CalibrationServices } from '../services/calibration/calibration-services.ts';
import { createFigures, type FiguresService } from '../services/calibration/figures.ts';
import { createTaskKnowledge, type TaskKnowledgeService } from '../services/calibration/task-knowledge.ts';
import type { Settings } from '../config/settings.ts';
import { readTaskKnowledge } from '../stores/catalogue/task-knowledge-files.ts';
import { createFigureFiles } from '../stores/figure-files.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';
import { createWebSearch, type WebSearch } from '../sources/web/web-search.ts';

/** Makes the sandbox, which starts with its first use; `opening` closes it. */
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

/** The models that answer, and the providers behind them. */
export type Models = { readonly catalog: ModelCatalog; readonly providers: readonly ModelProvider[] };

/**
 * The models of the settings, of the environment and of the servers that list theirs, and the offline analyst;
 * `opening` closes them. A provider that is down does not keep it from resources.
 */
export async function openModels(
  config: Config,
  { models, copilot, limits }: Settings,
  now: () => Date,
  resources: ResourceStack,
): Promise<Models> {
  const maxOutputTokens = limits.turn.outputTokens;
  const providers = await openProviders(config.providers, { maxOutputTokens }, resources);
  const catalog = createModelCatalog({
    models,
    preferred: config.copilotModel,
    fallbackModel: copilot.fallbackModel,
    unknownContextTokens: copilot.unknownContextTokens,
    providers,
    offlineAnalyst: createOfflineAnalyst({ now }),
  });
  return { catalog, providers };
}

/** The lab's control system, where the configuration has an address of it. */
export const createLive = (
  { liveSourceUrl }: Config,
  db: OpenDatabase['db'],
  log: Logger,
  now: () => Date,
): LiveSource => createLiveSource({ url: liveSourceUrl, limiter: createLiveLimiter({ db, log }), now, log });

/** The tools of copilot chat; those for live values only where there is a live source. */
export const chatTools = ({ isSetUp }: Pick<LiveSource, 'isSetUp'>): readonly Tool[] =>
  isSetUp ? [...ALL_TOOLS, getLiveParameters, verifyAgainstLive] : ALL_TOOLS;

/** The search of the web; null where the configuration has no key for it. */
export const webSearchOf = ({ tavilyApiKey: apiKey, tavilyBaseUrl: baseUrl }: Config): WebSearch | null =>
  apiKey === null ? null : createWebSearch({ apiKey, ...(baseUrl && { baseUrl }) });

/** Pictures of task results, where `CALIB_DATA_PATH` names the folder that they lie in. */
export const createFigureReader = (
  { calibDataPath }: Config,
  { taskResults }: CalibrationServices,
): FiguresService =>
  createFigures({ taskResults, files: calibDataPath === null ? null : createFigureFiles(calibDataPath) });

/** Task knowledge of a folder; files that cannot be used are named in the log and left out. */
export async function openKnowledge(folder: string, log: Logger): Promise<TaskKnowledgeService> {
  const { knowledge, broken } = await readTaskKnowledge(folder);
  for (const { file, problems } of broken) log.warn({ problems }, `task knowledge ${file} cannot be used`);
  return createTaskKnowledge(knowledge);
}

/** Starts the sandbox ahead of its first use. Never rejects. */
export async function warmUp(sandbox: PythonSandbox, log: Logger): Promise<void> {
  try {
    const availability = await sandbox.availability();
    if (!availability.available) log.warn({ reason: availability.reason }, 'Python analysis is not offered');
  } catch (error) {
    log.warn({ err: error }, 'Python analysis could not be made ready');
  }
}
