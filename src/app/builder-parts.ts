/** How the instruction builder is made from the configuration; `app.ts` puts it together with the rest. */
import type { AnswerTurn } from '../agent/turn-run.ts';
import { createBuilderTurn } from '../agent/builder/answer-builder-turn.ts';
import { createBuilderModels, type BuilderModels } from '../agent/builder/builder-models.ts';
import { createOfflineBuilder } from '../offline/builder/offline-builder.ts';
import type { Config } from '../config/config.ts';
import { NotFoundError } from '../base/errors.ts';
import type { BuilderService } from '../services/builder/builder-service.ts';
import { createBuilderService } from '../services/builder/builder.ts';
import type { StartTurnDeps } from '../services/copilot/start-turn.ts';
import type { ExpertsService } from '../services/experts/experts.ts';
import type { Settings } from '../config/settings.ts';
import { createBuilderStore } from '../stores/pg/builder-store.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';
import { webSearchOf } from './answering-parts.ts';
import type { Answering } from './answering.ts';
import { toolSetup } from './expert-parts.ts';

/** The models of the builder, and what answers its turns. */
export type BuilderParts = { readonly models: BuilderModels; readonly answerTurn: AnswerTurn };

/** Makes what answers builder sessions. */
export function createBuilderParts(parts: {
  readonly config: Config;
  readonly settings: Settings;
  readonly database: OpenDatabase;
  readonly answering: Answering;
}): BuilderParts {
  const { config, settings, database, answering } = parts;
  const models = createBuilderModels({
    provider: config.builder.provider,
    model: config.builder.model,
    copilotModel: config.copilotModel,
    models: settings.models,
    providers: answering.models.providers,
    unknownContextTokens: settings.copilot.unknownContextTokens,
    offlineBuilder: createOfflineBuilder(),
  });
  const answerTurn = createBuilderTurn({
    ...answering.deps,
    builderModels: models,
    drafts: createBuilderStore(database.db),
    jobTools: toolSetup(config),
    webSearch: webSearchOf(config),
  });
  return { models, answerTurn };
}

/** What the schema may call of the builder. */
export const createBuilder = (
  deps: StartTurnDeps & { readonly experts: ExpertsService; readonly models: BuilderModels },
): BuilderService =>
  createBuilderService({
    ...deps,
    checkBuilderModel: (name) => void deps.models.resolve(name),
    async checkExpert(viewer, expertId) {
      const [expert] = await deps.experts.byIds(viewer, [expertId]);
      if (!expert) throw new NotFoundError(`there is no expert ${expertId}; see the list of experts`);
    },
  });
