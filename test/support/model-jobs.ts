import { createModelCatalog } from '../../src/agent/models/catalog.ts';
import { openProviders } from '../../src/agent/models/providers.ts';
import type { LabServers } from '../../src/sources/mcp/lab-servers.ts';
import { noLabServers } from './no-lab-servers.ts';
import { createScriptedModel } from './scripted-model.ts';
import { readPromptTexts } from '../../src/agent/prompt/prompt-texts.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { readConfig } from '../../src/config/config.ts';
import { createDatasources, type Datasources } from '../../src/sources/databases/datasources.ts';
import type { JobLimits } from '../../src/domain/jobs/job.ts';
import { createAnswerPhase } from '../../src/agent/jobs/answer-phase.ts';
import { createPhaseKits } from '../../src/agent/jobs/phase-kit.ts';
import { createLogger } from '../../src/base/log.ts';
import { ResourceStack } from '../../src/base/resource-stack.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { readSettings } from '../../src/config/settings.ts';
import type { OpenDatabase } from '../../src/stores/pg/database.ts';
import { createSessionStore } from '../../src/stores/pg/session-store.ts';
import { createStepStore } from '../../src/stores/pg/step-records.ts';
import { noTracing } from '../../src/base/tracing/tracing.ts';
import type { ModelServer, Reply } from './model-server.ts';
import { noLiveSource } from './no-live-source.ts';
import { noUploads } from './no-uploads.ts';
import { stubServices } from './stub-services.ts';
import { bodyOf, type Said } from './wire-bodies.ts';
import { shippedModelTable } from './known-models.ts';

/**
 * Answers phases as the program does, with the real kit, loop and workspace, by the model of a server; there is no
 * sandbox behind its tools.
 */
export async function modelPhases(options: {
  readonly model: ModelServer;
  /** Of all workspaces. */
  readonly folder: string;
  readonly limits: JobLimits;
  readonly datasources?: Datasources;
  /** What calibration tools read; without it they fail. */
  readonly services?: CalibrationServices;
  readonly labServers?: LabServers;
}): Promise<(database: OpenDatabase) => AnswerTurn> {
  const {
    model,
    folder,
    limits,
    datasources = createDatasources([], {}),
    labServers = noLabServers,
  } = options;
  const settings = await readSettings();
  const prompts = await readPromptTexts();
  const { providers } = readConfig({
    DATA_DIR: folder,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API: 'responses',
  });
  const models = createModelCatalog({
    models: settings.models,
    preferred: null,
    fallbackModel: null,
    unknownContextTokens: 128_000,
    table: shippedModelTable,
    providers: await openProviders(providers, { maxOutputTokens: 4_000 }, new ResourceStack()),
    offlineAnalyst: createScriptedModel([], 'offline-analyst'),
  });
  const now = () => new Date();
  return ({ db }) =>
    createAnswerPhase({
      db,
      settings,
      prompts,
      models,
      services: options.services ?? stubServices({}),
      store: createSessionStore(db),
      steps: createStepStore(db),
      uploads: noUploads,
      live: noLiveSource,
      sandbox: { packages: () => [] } as unknown as PythonSandbox,
      now,
      logModelOutput: false,
      logger: createLogger('silent'),
      tracing: noTracing,
      jobLimits: limits,
      openKit: createPhaseKits({
        folder,
        prompts,
        datasourcesOf: async () => datasources,
        web: null,
        hasLiveSource: false,
        labServers,
        packages: () => [],
        watched: (tools) => tools,
        now,
      }),
    });
}

/** One response of the model that says this. */
export const says = (...said: readonly Said[]): Reply => ({ body: bodyOf('responses', said) });

/** A call as a part of a response; its id is its name. */
export const calls = (name: string, args: object): Said => ({ call: [name, name, JSON.stringify(args)] });
