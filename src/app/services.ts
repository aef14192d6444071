/** All use cases that the schema may call, put together. */
import type { GraphQLServices } from '../../schema/context.ts';
import { assertSeesImages } from '../agent/models/catalog.ts';
import { MAX_PICTURES, MAX_PICTURE_BYTES } from '../domain/conversation/picture.ts';
import { MAX_MESSAGE_LENGTH } from '../services/copilot/copilot-input.ts';
import { createCopilotService } from '../services/copilot/copilot.ts';
import { createMessageImages } from '../services/copilot/message-images.ts';
import { createMessageNumbers } from '../services/copilot/message-numbers.ts';
import { createContextCheck } from '../services/copilot/session-context.ts';
import { createBuilder } from './builder-parts.ts';
import { createJobs } from './job-parts.ts';
import type { Ground, Work } from './process.ts';

/** What the schema may call. */
export function createServices(ground: Ground, work: Work): GraphQLServices {
  const { settings, database, tracing, wakeUps } = ground;
  const { answering, experts, eventLog, answers, queue, runner } = work;
  const { calibration, uploads } = answering;
  const { catalog: models } = answering.models;
  const { sandbox, figures } = answering.deps;
  const { greeting, suggestions } = settings.copilot;
  return {
    ...calibration,
    ...experts,
    copilot: createCopilotService({
      db: database.db,
      tracing,
      eventLog,
      runner,
      limits: settings.limits,
      checkContext: createContextCheck(calibration),
      checkModel: (name, kind) => void (kind === 'BUILDER' ? answers.builderModels : models).resolve(name),
      assertSeesImages: (name) => assertSeesImages(models, name),
      uploads,
    }),
    builder: createBuilder({
      db: database.db,
      tracing,
      runner,
      limits: settings.limits,
      experts: experts.experts,
      models: answers.builderModels,
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
    datasources: answering.datasources,
    jobDrafts: answers.jobDrafts,
    ...createJobs(ground, { queue, eventLog, wakeUps, experts: experts.experts, answering }),
    figures,
    messageImages: createMessageImages({ db: database.db }),
  };
}
