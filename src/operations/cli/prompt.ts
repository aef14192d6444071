/** `npm run prompt`: prints the system prompt that a model would receive, by section, with the tokens of each. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { readPromptTexts } from '../../agent/prompt/prompt-texts.ts';
import { createToolRegistry } from '../../agent/tool-registry.ts';
import { writeTurnPrompt, type TurnFacts, type TurnPrompt } from '../../agent/turn/turn-prompt.ts';
import { findTurnSubject } from '../../agent/turn/turn-subject.ts';
import { chatTools, createFigureReader, openKnowledge } from '../../app/answering.ts';
import { openMongo, openStores } from '../../app/stores.ts';
import { CONFIG_FOLDER } from '../../config/config-folder.ts';
import { readConfig, type Config } from '../../config/config.ts';
import { NotFoundError, StartupError } from '../../base/errors.ts';
import { createLoaders } from '../../services/loaders/loaders.ts';
import { createLogger } from '../../base/log.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import { createCalibrationServices } from '../../services/calibration/calibration-services.ts';
import { readSettings, type Settings } from '../../config/settings.ts';
import { readMetricCatalog } from '../../stores/catalogue/metrics-file.ts';
import { readTopologies } from '../../stores/catalogue/topology-files.ts';
import { createMongoCalibrationStore } from '../../stores/mongo/calibration-store.ts';
import { print, runCommand } from './run-command.ts';

const USAGE = 'Usage: npm run prompt -- [--chip ID] [--task ID] [--model NAME] [--question TEXT]';

/** Subject of the conversation, from the command line. */
type Asked = {
  readonly chip: string | null;
  readonly task: string | null;
  readonly model: string | null;
  readonly question: string;
};

async function promptFor(config: Config, asked: Asked, resources: ResourceStack): Promise<TurnPrompt> {
  const log = createLogger('silent');
  const now = () => new Date();
  const settings = await readSettings(config.settingsFile);
  const { dataDir, databaseUrl, mongodbUri } = config;
  const stores = await openStores({ dataDir, databaseUrl, mongodbUri, log });
  resources.defer(() => stores.stop());
  const services = createCalibrationServices({
    store: createMongoCalibrationStore(await openMongo(stores.mongoUri, { config, log }, resources)),
    metrics: await readMetricCatalog(join(CONFIG_FOLDER, 'metrics.yaml')),
    topologies: await readTopologies(join(CONFIG_FOLDER, 'topologies')),
    project: config.project,
    timeZone: config.timeZone,
    now,
  });
  const { projectId } = await services.projects.resolve(null);
  const viewer = { id: 'local', name: 'local', projectId, role: 'owner' as const, isOperator: true };
  const loaders = createLoaders(services, viewer);
  const session = { id: '', chipId: asked.chip, qid: null, taskId: asked.task };
  const subject = await findTurnSubject(services, loaders, viewer, session);
  if (asked.task !== null && subject.result === null) {
    throw new NotFoundError(`project ${projectId} has no task result ${asked.task}`);
  }
  const facts = { viewer, session, question: asked.question, subject, loaders, sent: [], earlier: [] };
  return writeTurnPrompt(
    {
      settings,
      prompts: await readPromptTexts(),
      services,
      knowledge: await openKnowledge(join(CONFIG_FOLDER, 'task-knowledge'), log),
      figures: createFigureReader(config, services),
      now,
    },
    { ...facts, datasets: [], keptData: [], model: modelOf(settings, asked.model), isDispute: false },
  );
}

/** @throws StartupError listing the configured models. */
function modelOf({ models }: Settings, name: string | null): TurnFacts['model'] {
  const model = name === null ? models[0] : models.find((each) => each.name === name);
  if (model) return { answerFormat: model.answerFormat, supportsImages: model.supportsImages !== false };
  const known = models.map((each) => each.name).join(', ');
  throw new StartupError(`--model ${name ?? ''} is not configured; configured models: ${known}`);
}

async function run(args: readonly string[], _signal: AbortSignal, resources: ResourceStack): Promise<void> {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { chip: option, task: option, model: option, question: option },
  });
  const { chip = null, task = null, model = null, question = '' } = values;
  const config = readConfig(process.env);
  const { sections, pictures } = await promptFor(config, { chip, task, model, question }, resources);
  for (const { id, text } of sections) print(`── ${id} (${countTokens(text)} tokens)\n${text}\n`);
  const tools = createToolRegistry(chatTools({ isSetUp: config.liveSourceUrl !== null }), () => []);
  const total = sections.reduce((sum, { text }) => sum + countTokens(text), 0);
  print(
    `${total} tokens in ${sections.length} sections, ${countTokens(JSON.stringify(tools.schemas))} tokens for ${tools.schemas.length} tools, ${pictures.images.length} images (counted with the gpt-4.1 tokenizer).`,
  );
}

await runCommand({ usage: USAGE, run });
