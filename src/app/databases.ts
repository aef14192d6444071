/** The databases as the configuration names them: whose they are, and how they are opened. */
import { MongoClient, type Db as MongoDatabase } from 'mongodb';
import type { Config } from '../config/config.ts';
import type { Stores } from '@qpilot/embedded-stores';
import { StartupError } from '../base/errors.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import { requireSupportedMongo } from '../stores/mongo/server-version.ts';
import { traceMongo } from '../base/tracing/trace-databases.ts';
import { noTracing, type Tracing } from '../base/tracing/tracing.ts';

/** Whose a store is: run by this process, run by another process on this data folder, or named by the configuration. */
export type StoreKind = 'own' | 'shared' | 'configured';

/** Only its own store is given a demo without being asked; asked, any database that it may write. */
export function wantsDemo({ demo, mongodbUri, calibrationWrites }: Config): boolean {
  return calibrationWrites && (demo ?? mongodbUri === null);
}

/**
 * Connects; `opening` closes it.
 * @throws StartupError when nothing answers, without saying where, and for a server that would refuse our queries.
 */
export async function openMongo(
  uri: string,
  config: Config,
  resources: ResourceStack,
  tracing: Tracing = noTracing,
): Promise<MongoDatabase> {
  const client = createMongoClient(uri, tracing.isOn);
  if (tracing.isOn) traceMongo(client, tracing);
  resources.defer(() => client.close());
  try {
    await client.connect();
  } catch (error) {
    const which = config.mongodbUri === null ? 'the embedded MongoDB' : 'the MongoDB that MONGODB_URI names';
    throw new StartupError(`${which} does not answer`, { cause: error });
  }
  const db = client.db(config.mongodbDb);
  await requireSupportedMongo(db);
  return db;
}

function createMongoClient(uri: string, monitorCommands: boolean): MongoClient {
  try {
    return new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, monitorCommands });
  } catch (error) {
    throw new StartupError('MONGODB_URI is not an address that the MongoDB driver understands', {
      cause: error,
    });
  }
}

/** Whose a store is; `configured` is its address in the configuration. */
export function kindOf(configured: string | null, { owned }: Stores): StoreKind {
  if (configured !== null) return 'configured';
  return owned ? 'own' : 'shared';
}
