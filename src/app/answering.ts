/**
 * What answers questions, built from the configuration and from open stores: for the server, and for a command that answers
 * a turn once more. It serves nobody and writes to no log.
 */
import { join } from 'node:path';
import type { Db as MongoDatabase } from 'mongodb';
import { readPromptTexts } from '../agent/prompt/prompt-texts.ts';
import { createToolRegistry } from '../agent/tool-registry.ts';
import type { AnswerTurnDeps } from '../agent/turn/answer-turn.ts';
import { tracedSandbox, tracedTools } from '../agent/watch/trace-tools.ts';
import { CONFIG_FOLDER } from '../config/config-folder.ts';
import type { Config } from '../config/config.ts';
import { createDatasources, type Datasources } from '../sources/databases/datasources.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import type { CalibrationServices } from '../services/calibration/calibration-services.ts';
import { createCalibrationServices } from '../services/calibration/create-calibration-services.ts';
import type { Uploads } from '../services/uploads.ts';
import type { Settings } from '../config/settings.ts';
import { readMetricCatalog } from '../stores/catalogue/metrics-file.ts';
import { readTopologies } from '../stores/catalogue/topology-files.ts';
import { createMongoCalibrationStore } from '../stores/mongo/calibration-store.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';
import { createSessionStore } from '../stores/pg/session-store.ts';
import { createStepStore } from '../stores/pg/step-records.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import {
  chatTools,
  createFigureReader,
  createLive,
  openKnowledge,
  openModels,
  openSandbox,
  type Models,
} from './answering-parts.ts';
import { openUploads } from './uploads.ts';

/** What answering is built from. The caller keeps and closes the stores. */
export type AnsweringParts = {
  readonly config: Config;
  readonly settings: Settings;
  readonly mongo: MongoDatabase;
  readonly database: OpenDatabase;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly now: () => Date;
};

/** What a turn is answered with, and the parts of it that others use, too. */
export type Answering = {
  readonly deps: AnswerTurnDeps;
  readonly calibration: CalibrationServices;
  readonly uploads: Uploads;
  readonly datasources: Datasources;
  readonly models: Models;
};

/** Opens everything that answers; `opening` closes it. */
export async function openAnswering(parts: AnsweringParts, resources: ResourceStack): Promise<Answering> {
  const { config, settings, mongo, database, log, tracing, now } = parts;
  const calibration = createCalibrationServices({
    store: createMongoCalibrationStore(mongo),
    metrics: await readMetricCatalog(join(CONFIG_FOLDER, 'metrics.yaml')),
    topologies: await readTopologies(join(CONFIG_FOLDER, 'topologies')),
    project: config.project,
    timeZone: config.timeZone,
    now,
  });
  const sandbox = tracedSandbox(openSandbox(config, log, resources), tracing);
  const models = await openModels(config, settings, now, resources);
  const live = createLive(config, database.db, log, now);
  const uploads = openUploads(config, settings, database, resources);
  return {
    calibration,
    uploads,
    datasources: createDatasources(settings.datasources, config.datasourceUris),
    models,
    deps: {
      settings,
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
