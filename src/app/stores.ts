/** What a process opens first: settings, tracing and the databases, with their tables as this version wants them. */
import {
  openStores as openEmbedded,
  StoresError,
  type Stores,
  type StoresOptions,
} from '@qpilot/embedded-stores';
import type { Db as MongoDatabase } from 'mongodb';
import { StartupError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import { meterMongo } from '../base/metrics.ts';
import { traceMongo } from '../base/tracing/trace-databases.ts';
import { openTracing } from '../base/tracing/open-tracing.ts';
import { noTracing, type Tracing } from '../base/tracing/tracing.ts';
import type { Config } from '../config/config.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import { startWakeUps, type WakeUps } from '../events/wake-ups.ts';
import { createMongoClient, type RunningMongoClient } from '../stores/mongo/mongo-client.ts';
import { requireSupportedMongo } from '../stores/mongo/server-version.ts';
import { openDatabase, UNLIMITED, type OpenDatabase } from '../stores/pg/database.ts';
import { requireOwnSessions } from '../stores/pg/pooler.ts';
import { migrate } from '../stores/pg/migrate.ts';

/** Dependencies besides the configuration. */
export type ProcessOptions = {
  readonly log: Logger;
  /** Aborts a start that is in progress. */
  readonly signal?: AbortSignal;
};

/** Everything that the rest of a process is built on. */
export type Infrastructure = {
  readonly config: Config;
  readonly settings: Settings;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly stores: Stores;
  readonly mongo: MongoDatabase;
  readonly database: OpenDatabase;
  readonly wakeUps: WakeUps;
};

/** @throws StartupError for what the operator has to change. */
export async function openInfrastructure(
  config: Config,
  { log, signal }: ProcessOptions,
  resources: ResourceStack,
): Promise<Infrastructure> {
  const settings = await readSettings(config.settingsFile);
  const tracing = await openTracing(config.tracing, log);
  resources.defer(() => tracing.close());
  const { dataDir, databaseUrl, mongodbUri } = config;
  const options = { dataDir, databaseUrl, mongodbUri, log, ...(signal && { signal }) };
  const stores = await openStores(options);
  resources.defer(() => stores.stop());
  const mongo = await openMongo(stores.mongoUri, { config, log, tracing }, resources);
  if (databaseUrl !== null) await requireOwnSessions(databaseUrl);
  const connections = config.databaseConnections;
  const database = openDatabase(stores.postgresUrl, { log, tracing, connections });
  resources.defer(() => database.close());
  await migrateAt(stores.postgresUrl, log);
  const wakeUps = startWakeUps({ url: stores.postgresUrl, log });
  resources.defer(() => wakeUps.close());
  return { config, settings, log, tracing, stores, mongo, database, wakeUps };
}

/** Over connections without limits: a change of a large table may take long, and others that start wait for it. */
async function migrateAt(url: string, log: Logger): Promise<void> {
  const database = openDatabase(url, { log, connections: 2, limits: UNLIMITED });
  try {
    await migrate(database.db);
  } finally {
    await database.close();
  }
}

/**
 * Opens the databases at the addresses of the configuration, or the embedded stores of the data folder.
 * @throws StartupError for what the operator has to change.
 */
export async function openStores(options: StoresOptions): Promise<Stores> {
  try {
    return await openEmbedded(options);
  } catch (error) {
    throw error instanceof StoresError ? new StartupError(error.message, { cause: error }) : error;
  }
}

type MongoNeeds = { readonly config: Config; readonly log: Logger; readonly tracing?: Tracing };

/**
 * Connects to MongoDB; `resources` closes the connection.
 * @throws StartupError when nothing answers (without the address, which may hold a password) or the server is too old.
 */
export async function openMongo(
  uri: string,
  { config, log, tracing = noTracing }: MongoNeeds,
  resources: ResourceStack,
): Promise<MongoDatabase> {
  const { client, close } = mongoClientOf(uri, {
    log,
    monitorCommands: tracing.isOn || config.metrics !== null,
  });
  if (config.metrics !== null) meterMongo(client);
  if (tracing.isOn) traceMongo(client, tracing);
  resources.defer(close);
  try {
    // A database that was started a moment ago, or on a busy machine, may miss the first try of five seconds.
    await client.connect().catch(() => client.connect());
  } catch (error) {
    const which = config.mongodbUri === null ? 'the embedded MongoDB' : 'the MongoDB that MONGODB_URI names';
    throw new StartupError(`${which} does not answer`, { cause: error });
  }
  const db = client.db(config.mongodbDb);
  await requireSupportedMongo(db);
  return db;
}

function mongoClientOf(...[uri, options]: Parameters<typeof createMongoClient>): RunningMongoClient {
  try {
    return createMongoClient(uri, options);
  } catch (error) {
    const message = 'MONGODB_URI is not an address that the MongoDB driver understands';
    throw new StartupError(message, { cause: error });
  }
}
