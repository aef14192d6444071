/** Makes a backup of an installation, running or not. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { z } from 'zod';
import { openStores } from '../../app/stores.ts';
import type { Logger } from '../../base/log.ts';
import { withResources } from '../../base/resource-stack.ts';
import { CONFIG_FOLDER } from '../../config/config-folder.ts';
import type { Config } from '../../config/config.ts';
import { newHead, writeBackup, type FilledPart } from './container.ts';
import { readDataFiles, readFiles } from './data-files.ts';
import { readCollections } from './mongo-part.ts';
import { beginSnapshot, connect, migrationsOf, readRows } from './postgres-part.ts';

/** What a backup holds: tables and collections that are not empty, and files. */
export type BackupReport = { readonly tables: number; readonly collections: number; readonly files: number };

/** Where experts are kept as files. */
export const EXPERTS = join(CONFIG_FOLDER, 'experts');

/**
 * Writes everything that QPilot keeps into one file: Postgres as of one moment, the files of the data folder after that
 * moment, the embedded MongoDB, and the files of the experts.
 * @throws StartupError if the stores cannot be opened, or an import wrote meanwhile
 */
export function backUp(
  config: Config,
  path: string,
  log: Logger,
  signal?: AbortSignal,
): Promise<BackupReport> {
  return withResources(async (resources) => {
    const { dataDir, databaseUrl, mongodbUri, mongodbDb } = config;
    const stores = await openStores({ dataDir, databaseUrl, mongodbUri, log, ...(signal && { signal }) });
    resources.defer(() => stores.stop());
    const postgres = await connect(stores.postgresUrl);
    resources.defer(() => postgres.end());
    await beginSnapshot(postgres);
    const mongo = mongodbUri === null ? new MongoClient(stores.mongoUri) : null;
    if (mongo !== null) resources.defer(() => mongo.close());
    const seen = { tables: new Set<string>(), collections: new Set<string>(), files: 0 };
    async function* parts(): AsyncGenerator<FilledPart> {
      const migrations = [...(await migrationsOf(postgres))];
      yield newHead({ program: await programVersion(), migrations, hasMongo: mongo !== null });
      if (mongo !== null) yield* readCollections(mongo.db(mongodbDb));
      yield* readRows(postgres);
      yield* readDataFiles(dataDir);
      yield* readFiles('expert-file', EXPERTS, EXPERTS);
    }
    await writeBackup(path, counted(parts(), seen, signal));
    const { tables, collections, files } = seen;
    return { tables: tables.size, collections: collections.size, files };
  });
}

async function* counted(
  parts: AsyncIterable<FilledPart>,
  seen: { readonly tables: Set<string>; readonly collections: Set<string>; files: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<FilledPart> {
  for await (const filled of parts) {
    signal?.throwIfAborted();
    const { part } = filled;
    if (part.kind === 'rows') seen.tables.add(part.table);
    if (part.kind === 'documents') seen.collections.add(part.collection);
    if ('path' in part) seen.files += 1;
    yield filled;
  }
}

async function programVersion(): Promise<string> {
  const text = await readFile(join(CONFIG_FOLDER, '../package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
