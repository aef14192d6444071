/** All use cases that the schema may call, put together. */
import type { GraphQLServices } from '../../schema/context.ts';
import { assertSeesImages, type ModelCatalog } from '../agent/models/catalog.ts';
import type { TurnRunner } from '../agent/runner/runner.ts';
import type { BuilderModels } from '../builder/builder-models.ts';
import type { Config } from '../config.ts';
import { MAX_PICTURES, MAX_PICTURE_BYTES } from '../domain/conversation/picture.ts';
import type { EventLog } from '../events/event-log.ts';
import type { PythonSandbox } from '../sandbox/python-sandbox.ts';
import type { CalibrationServices } from '../services/calibration/calibration-services.ts';
import type { FiguresService } from '../services/calibration/figures.ts';
import { MAX_MESSAGE_LENGTH } from '../services/copilot/copilot-input.ts';
import { createCopilotService } from '../services/copilot/copilot.ts';
import { createMessageImages } from '../services/copilot/message-images.ts';
import { createMessageNumbers } from '../services/copilot/message-numbers.ts';
import { createContextCheck } from '../services/copilot/session-context.ts';
import type { ExpertServices } from '../services/experts/expert-services.ts';
import type { Uploads } from '../services/uploads.ts';
import type { Settings } from '../settings.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createBuilder } from './builder-parts.ts';

/** What the schema may call. */
export function createServices(parts: {
  readonly config: Config;
  readonly calibration: CalibrationServices;
  readonly settings: Settings;
  readonly models: ModelCatalog;
  readonly sandbox: PythonSandbox;
  readonly database: OpenDatabase;
  readonly eventLog: EventLog;
  readonly tracing: Tracing;
  readonly runner: TurnRunner;
  readonly uploads: Uploads;
  readonly datasources: GraphQLServices['datasources'];
  readonly jobDrafts: GraphQLServices['jobDrafts'];
  readonly jobs: Pick<GraphQLServices, 'jobs' | 'jobFiles'>;
  readonly figures: FiguresService;
  readonly experts: ExpertServices;
  readonly builderModels: BuilderModels;
}): GraphQLServices {
  const { calibration, settings, models, sandbox, database, eventLog, tracing, runner, uploads, figures } =
    parts;
  const { greeting, suggestions } = settings.copilot;
  return {
    ...calibration,
    ...parts.experts,
    copilot: createCopilotService({
      db: database.db,
      tracing,
      eventLog,
      runner,
      limits: settings.limits,
      checkContext: createContextCheck(calibration),
      checkModel: (name, kind) => void (kind === 'BUILDER' ? parts.builderModels : models).resolve(name),
      assertSeesImages: (name) => assertSeesImages(models, name),
      uploads,
    }),
    builder: createBuilder({
      db: database.db,
      tracing,
      runner,
      limits: settings.limits,
      experts: parts.experts.experts,
      models: parts.builderModels,
    }),
    messageNumbers: createMessageNumbers({ db: database.db, metrics: calibration.metrics }),
    copilotConfig: {
      greeting,
      suggestions,
      get models() {
        return models.options();
      },
      get defaultModel() {
        return models.defaultName;
      },
      maxMessageLength: MAX_MESSAGE_LENGTH,
      maxImages: MAX_PICTURES,
      maxImageBytes: MAX_PICTURE_BYTES,
      get sandboxPackages() {
        return sandbox.packages();
      },
    },
    uploads,
    datasources: parts.datasources,
    jobDrafts: parts.jobDrafts,
    ...parts.jobs,
    figures,
    messageImages: createMessageImages({ db: database.db }),
  };
}
