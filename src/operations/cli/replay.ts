/** `npm run replay`: answers a recorded turn again and prints both answers side by side. Writes to no conversation. */
import { parseArgs } from 'node:util';
import { validate as isUuid } from 'uuid';
import { keyOf } from '../../../schema/node-ids.ts';
import { priceOf } from '../../agent/turn/settings-limits.ts';
import type { ModelCatalog } from '../../agent/models/catalog.ts';
import { openAnswering, openModels } from '../../app/answering.ts';
import { openMongo, openStores } from '../../app/stores.ts';
import { readConfig, type Config } from '../../config/config.ts';
import { NotFoundError } from '../../base/errors.ts';
import { createLogger } from '../../base/log.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import { attemptOf, type Attempt } from '../replay/attempt.ts';
import { comparisonText } from '../replay/comparison-text.ts';
import { compareAttempts } from '../replay/comparison.ts';
import { replayFrozen } from '../replay/frozen.ts';
import { replayRebuilt } from '../replay/rebuilt.ts';
import { readSettings, type Settings } from '../../config/settings.ts';
import { openDatabase, type OpenDatabase } from '../../stores/pg/database.ts';
import { readRecordedTurn, type RecordedTurn } from '../../stores/pg/recorded-turn.ts';
import { noTracing } from '../../base/tracing/tracing.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = `Usage: npm run replay -- <turn id> [--rebuild] [--model NAME] [--json]
  Sends the recorded prompt and recorded tool results to the model; --rebuild creates the prompt and runs the tools again.`;

const DEFAULT_WIDTH = 120;

type Request = { readonly turnId: string; readonly rebuild: boolean; readonly model: string | null };

type Replaying = {
  readonly config: Config;
  readonly settings: Settings;
  readonly database: OpenDatabase;
  readonly mongoUri: string;
  readonly catalog: ModelCatalog;
  readonly resources: ResourceStack;
  readonly signal: AbortSignal;
};

async function replay(request: Request, recorded: RecordedTurn, parts: Replaying): Promise<Attempt> {
  const { config, settings, database, mongoUri, catalog, resources, signal } = parts;
  const now = () => new Date();
  const price = priceIn(catalog);
  if (request.rebuild) {
    const log = createLogger('silent');
    const mongo = await openMongo(mongoUri, { config, log }, resources);
    const { deps } = await openAnswering(
      { config, settings, mongo, database, log, tracing: noTracing, now },
      resources,
    );
    return replayRebuilt({ recorded, model: request.model, deps, priceOf: price, signal });
  }
  const { records, tools } = recorded;
  const model = catalog.resolve(request.model ?? records.at(-1)?.model ?? null);
  return replayFrozen({ model, records, joined: recorded.joined, tools, priceOf: price, signal });
}

const priceIn =
  (catalog: ModelCatalog) =>
  (...[name, usage]: [string, Attempt['usage']]): number | null =>
    priceOf(catalog.capabilitiesOf(name).price, usage);

async function run(args: readonly string[], signal: AbortSignal, resources: ResourceStack): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rebuild: { type: 'boolean', default: false },
      model: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [given, ...others] = positionals;
  if (given === undefined || others.length > 0) throw new UsageError('give exactly one turn id');
  // The API uses encoded ids, the log plain ones.
  const turnId = isUuid(given) ? given : keyOf('Turn', given, ['turn id']);
  const config = readConfig(process.env);
  const settings = await readSettings(config.settingsFile);
  const log = createLogger('silent');
  const { dataDir, databaseUrl, mongodbUri } = config;
  const stores = await openStores({ dataDir, databaseUrl, mongodbUri, log, signal });
  resources.defer(() => stores.stop());
  const database = openDatabase(stores.postgresUrl, { log });
  resources.defer(() => database.close());

  const turn = await readRecordedTurn(database.db, turnId);
  if (turn === null)
    throw new NotFoundError(`there is no turn ${turnId}; sendMessage returns the ids of turns`);
  if (turn.records.length === 0)
    throw new NotFoundError(`turn ${turnId} called no model, so nothing was recorded`);
  const request = { turnId, rebuild: values.rebuild, model: values.model ?? null };
  const { catalog } = await openModels(config, settings, () => new Date(), resources);
  const replaying = { config, settings, database, mongoUri: stores.mongoUri, catalog, resources, signal };
  const replayed = await replay(request, turn, replaying);
  const recorded = attemptOf(turn.records, priceIn(catalog), turn.turn.error?.message ?? null);
  const comparison = compareAttempts(recorded, replayed);
  if (values.json) {
    print(JSON.stringify({ turnId, rebuilt: values.rebuild, recorded, replayed, comparison }, null, 2));
    return;
  }
  print(`Question: ${turn.question.text}\n`);
  print(comparisonText(recorded, replayed, comparison, process.stdout.columns ?? DEFAULT_WIDTH));
}

await runCommand({ usage: USAGE, run });
