/** Puts a backup in the place of an installation, or leaves that as it was. */
import { readFile, readdir, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openStores, tryFileLock } from '@qpilot/embedded-stores';
import { CompiledQuery } from 'kysely';
import { MongoClient } from 'mongodb';
import { StartupError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { withResources } from '../../base/resource-stack.ts';
import type { Config } from '../../config/config.ts';
import { openDatabase, UNLIMITED, type Tx } from '../../stores/pg/database.ts';
import { openJobQueue, QUEUE_SCHEMA, type JobQueue } from '../../stores/pg/job-queue.ts';
import { migrate, migrateTo, unknownMigrations } from '../../stores/pg/migrate.ts';
import { EXPERTS } from './backup.ts';
import { readBackup, type Head } from './container.ts';
import { REPLACED, RESTORING, restoreFile } from './data-files.ts';
import { loadDocuments, makeIndexes } from './mongo-part.ts';
import {
  connect,
  countOthers,
  filledTables,
  loadRows,
  type Asks,
  suspendRules,
  dropOurs,
} from './postgres-part.ts';

/** What a restore did beside the data. */
export type RestoreReport = {
  readonly head: Head;
  /** Files of experts that differ from those of this program, which stay as they are. */
  readonly keptExperts: readonly string[];
};

/**
 * Restores a backup whose file is checked as a whole before anything else happens.
 * @throws StartupError for a damaged or newer file, a target that has data (without `replace`), or servers that still run
 */
export async function restore(
  config: Config,
  path: string,
  { replace, log }: { readonly replace: boolean; readonly log: Logger },
): Promise<RestoreReport> {
  const head = await checkFile(path);
  if (head.hasMongo && config.mongodbUri !== null)
    throw new StartupError(
      `${path} has the calibration data of an embedded MongoDB, which is not written to the one of MONGODB_URI: restore without MONGODB_URI. Nothing was changed`,
    );
  return withResources(async (resources) => {
    const { dataDir } = config;
    await mkdir(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
    const lock = tryFileLock(join(dataDir, 'run', 'lock'));
    if (lock === undefined)
      throw new StartupError(`a server runs on ${dataDir}; stop it first. Nothing was changed`);
    resources.defer(() => lock.release());
    await undoHalf(dataDir);
    const staging = join(dataDir, RESTORING);
    resources.defer(() => rm(staging, { recursive: true, force: true }));
    await requireEmptyOrReplace(config, replace);
    const keptExperts = await build(config, path, { head, staging, log });
    await swapEntries(dataDir, staging);
    return { head, keptExperts };
  });
}

/** Reads the whole file, so that a damaged one is refused before anything is written. */
async function checkFile(path: string): Promise<Head> {
  let head: Head | undefined;
  for await (const { part } of readBackup(path)) if (part.kind === 'head') head = part;
  if (head === undefined) throw new StartupError(`${path} has no head`);
  const unknown = unknownMigrations(head.migrations);
  if (unknown.length === 0) return head;
  throw new StartupError(
    `${path} was made by a newer version of QPilot (${head.program}, with ${unknown.join(', ')}); restore it with that version or a later one. Nothing was changed`,
  );
}

async function requireEmptyOrReplace({ dataDir, databaseUrl }: Config, replace: boolean): Promise<void> {
  const kept = (await readdir(dataDir)).filter((name) => !['run', 'sandbox', RESTORING].includes(name));
  let tables: readonly string[] = [];
  if (databaseUrl !== null) {
    const client = await connect(databaseUrl);
    try {
      const others = await countOthers(client);
      if (others > 0)
        throw new StartupError(
          `${others} other connections use the database of DATABASE_URL; stop all servers and workers first. Nothing was changed`,
        );
      tables = await filledTables(client);
    } finally {
      await client.end();
    }
  }
  if (replace || (kept.length === 0 && tables.length === 0)) return;
  const what = [...kept.map((name) => join(dataDir, name)), ...tables.map((name) => `table ${name}`)];
  throw new StartupError(
    `there are data already (${what.slice(0, 4).join(', ')}${what.length > 4 ? ', …' : ''}); add --replace to put the backup in their place. Nothing was changed`,
  );
}

type Build = { readonly head: Head; readonly staging: string; readonly log: Logger };

/**
 * Builds the new installation beside the old one: embedded stores in the staging folder, and the tables of DATABASE_URL in one
 * transaction, which replaces them at its end.
 */
function build(config: Config, path: string, { head, staging, log }: Build): Promise<readonly string[]> {
  const { databaseUrl, mongodbUri, mongodbDb } = config;
  return withResources(async (resources) => {
    await mkdir(staging, { mode: 0o711 }); // the user of an embedded Postgres passes through
    const stores = await openStores({ dataDir: staging, databaseUrl, mongodbUri, log, mode: 'own' });
    resources.defer(() => stores.stop());
    const url = stores.postgresUrl;
    const mongo = head.hasMongo ? new MongoClient(stores.mongoUri) : null;
    if (mongo !== null) resources.defer(() => mongo.close());
    const queue = await openJobQueue({ url, log });
    resources.defer(() => queue.close());
    const database = openDatabase(url, { log, connections: 1, limits: UNLIMITED });
    resources.defer(() => database.close());
    const keptExperts: string[] = [];
    await database.db.transaction().execute(async (tx) => {
      const postgres = askIn(tx);
      await dropOurs(postgres);
      await migrateTo(tx, head.migrations.at(-1) ?? '');
      const resumeRules = await suspendRules(postgres);
      for await (const { part, body } of readBackup(path)) {
        if (part.kind === 'rows') await loadRows(postgres, part.table, body);
        else if (part.kind === 'data-file') await restoreFile(staging, part.path, body);
        else if (part.kind === 'indexes' && mongo)
          await makeIndexes(mongo.db(mongodbDb), part.collection, body);
        else if (part.kind === 'documents' && mongo)
          await loadDocuments(mongo.db(mongodbDb), part.collection, body);
        else if (part.kind === 'expert-file') keptExperts.push(...(await restoreExpert(part.path, body)));
      }
      await resumeRules();
      await migrate(tx);
      await queueOpenJobs(tx, queue);
    });
    // Without statistics the first searches read whole tables, until Postgres makes some by itself.
    await database.pool.query('analyze');
    return keptExperts;
  });
}

const askIn = (tx: Tx): Asks => ({
  query: async <Row extends object>(text: string, values: unknown[] = []) =>
    tx.executeQuery<Row>(CompiledQuery.raw(text, values)),
});

/** The jobs that wait or are worked on, in the place of what was queued. */
async function queueOpenJobs(tx: Tx, queue: JobQueue): Promise<void> {
  const postgres = askIn(tx);
  await postgres.query(`delete from ${QUEUE_SCHEMA}.job`);
  const { rows } = await postgres.query<{ id: string; run: number }>(
    `select id, run from jobs where status in ('CREATED', 'PROCESSING') order by created_at`,
  );
  for (const { id, run } of rows) await queue.put(tx, { jobId: id, run });
}

/** Adds a file of an expert that this program does not have; one that differs stays, and its path is returned. */
async function restoreExpert(path: string, body: Buffer): Promise<readonly string[]> {
  const here = await readFile(join(EXPERTS, path)).catch(() => null);
  if (here === null) await restoreFile(EXPERTS, path, body);
  return here === null || here.equals(body) ? [] : [path];
}

/** What a restored folder keeps of the old one. */
const STAYS = new Set(['run', 'sandbox', RESTORING, REPLACED]);

/** Moves the old entries of the data folder aside and the new ones in; moves them back if that fails. */
async function swapEntries(dataDir: string, staging: string): Promise<void> {
  const aside = join(dataDir, REPLACED);
  await mkdir(aside, { mode: 0o711 });
  try {
    await moveEntries(dataDir, aside);
    await moveEntries(staging, dataDir);
  } catch (error) {
    await undoHalf(dataDir);
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

async function moveEntries(from: string, to: string): Promise<void> {
  for (const name of await readdir(from))
    if (!STAYS.has(name)) await rename(join(from, name), join(to, name));
}

/** Brings back what a restore that was killed had moved aside. */
async function undoHalf(dataDir: string): Promise<void> {
  const aside = join(dataDir, REPLACED);
  for (const name of await readdir(aside).catch(() => [])) {
    await rm(join(dataDir, name), { recursive: true, force: true });
    await rename(join(aside, name), join(dataDir, name));
  }
  await rm(aside, { recursive: true, force: true });
  await rm(join(dataDir, RESTORING), { recursive: true, force: true });
}
