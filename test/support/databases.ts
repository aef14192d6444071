import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from '@qpilot/embedded-stores';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import { Client, escapeIdentifier } from 'pg';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { migrate } from '../../src/stores/pg/migrate.ts';

/** A database of one test file on the run's server, with QPilot's tables and no rows. */
export type TestDatabase = {
  readonly url: string;
  /** Removes it, ending connections that were left open. */
  readonly drop: () => Promise<void>;
};

/** An empty database of one test file on the run's MongoDB-compatible server. */
export type TestMongo = {
  readonly uri: string;
  readonly dbName: string;
  /** Removes it with all its collections. */
  readonly drop: () => Promise<void>;
};

/** Any numbers will do, as long as nothing else on the server uses them. */
const TEMPLATE_LOCK = 2_718_281;
const SHARED_MONGO_LOCK = 2_718_282;
/** Of the whole server. */
const READER = 'qpilot_test_reader';
/** In a shared database: says that all of it is there, and what it is. */
const WHOLE_MARK = 'test_database_is_whole';

/** A copy of the run's migrated template; takes about 40 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `qpilot_test_${crypto.randomUUID().replaceAll('-', '')}`;
  await onServer(async (client) => {
    const template = await ensureTemplate(client);
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)}`);
  });
  return { url: urlOf(name), drop: () => onServer((client) => dropDatabase(client, name)) };
}

/** The address of the same database for a role that may only read the tables that it has now. */
export async function readerOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`DO $$ BEGIN CREATE ROLE ${READER} LOGIN PASSWORD '${READER}';
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${READER}`);
  } finally {
    await client.end();
  }
  const address = new URL(url);
  address.username = READER;
  address.password = READER;
  return address.href;
}

/**
 * A database name that nobody else uses; the database itself comes into being with its first document. `large` for many
 * thousands of documents: the embedded server then answers each query once and does not check itself.
 */
export async function createTestMongo({ large = false } = {}): Promise<TestMongo> {
  const uri = large ? largeMongoAddress() : addressIn('MONGODB_TEST_URI');
  const dbName = `qpilot_test_${crypto.randomUUID().replaceAll('-', '')}`;
  const drop = (): Promise<void> =>
    onMongo(uri, async (mongo) => {
      await mongo.db(dbName).dropDatabase();
    });
  return { uri, dbName, drop };
}

/** An embedded server of one test file, for what writes of other files would disturb; dropping it stops it. */
export async function startOwnMongo(): Promise<TestMongo> {
  const folder = await mkdtemp(join(tmpdir(), 'mongo-'));
  const mongo = await startMongo({ file: ':memory:', socketPath: join(folder, 'm.sock') });
  const drop = async (): Promise<void> => {
    await mongo.stop();
    await rm(folder, { recursive: true });
  };
  return { uri: mongo.uri, dbName: 'test', drop };
}

/**
 * The run's database of that name for many thousands of documents, filled by whichever file comes first while the
 * others wait. It stays for the run, so nobody may write into it afterwards: the end of the run looks.
 */
export async function ensureSharedMongo(
  name: string,
  fill: (db: Db) => Promise<void>,
): Promise<Omit<TestMongo, 'drop'>> {
  const uri = largeMongoAddress();
  const dbName = sharedMongoName(name);
  const ensure = (): Promise<void> =>
    onMongo(uri, async (mongo) => {
      const db = mongo.db(dbName);
      const mark = db.collection(WHOLE_MARK);
      if (await mark.findOne({})) return;
      await db.dropDatabase();
      await fill(db);
      await mark.insertOne({ digest: await digestOf(db) });
    });
  await onServer((client) => holdingLock(client, SHARED_MONGO_LOCK, ensure));
  return { uri, dbName };
}

/** Removes the run's template, which only matters on a real server. */
export function dropTemplate(): Promise<void> {
  return onServer((client) => dropDatabase(client, templateName()));
}

/**
 * Removes the databases that files of the run shared.
 * @throws Error if a test wrote into one of them
 */
export function dropSharedMongos(): Promise<void> {
  return onMongo(largeMongoAddress(), async (mongo) => {
    const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
    const names = databases.map(({ name }) => name).filter((name) => name.startsWith(sharedMongoName('')));
    const written: string[] = [];
    for (const name of names) {
      const db = mongo.db(name);
      const mark = await db.collection(WHOLE_MARK).findOne({});
      if (mark !== null && mark['digest'] !== (await digestOf(db))) written.push(name);
      await db.dropDatabase();
    }
    if (written.length > 0) throw new Error(`a test wrote into what all tests share: ${written.join(', ')}`);
  });
}

/** Of all documents. */
async function digestOf(db: Db): Promise<string> {
  const hash = createHash('sha256');
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  for (const name of names.filter((name) => name !== WHOLE_MARK).toSorted()) {
    hash.update(name);
    for await (const document of db.collection(name).find({}, { raw: true }).sort({ _id: 1 }))
      hash.update(document as unknown as Buffer);
  }
  return hash.digest('hex');
}

/** Migrated once a run, by whichever file comes first; under another name until it is whole. */
async function ensureTemplate(client: Client): Promise<string> {
  const name = templateName();
  await holdingLock(client, TEMPLATE_LOCK, async () => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await buildTemplate(client, name);
  });
  return name;
}

async function buildTemplate(client: Client, name: string): Promise<void> {
  const unfinished = `${name}_unfinished`;
  await dropDatabase(client, unfinished);
  await client.query(`CREATE DATABASE ${escapeIdentifier(unfinished)}`);
  const database = openDatabase(urlOf(unfinished), { log: createLogger('silent'), connections: 2 });
  try {
    await migrate(database.db);
  } finally {
    await database.close();
  }
  await client.query(`ALTER DATABASE ${escapeIdentifier(unfinished)} RENAME TO ${escapeIdentifier(name)}`);
}

/** While another process of the run holds the lock, waits for it. */
async function holdingLock(client: Client, lock: number, work: () => Promise<void>): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [lock]);
  try {
    await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [lock]);
  }
}

const templateName = (): string => `qpilot_template_${valueOf('QPILOT_TEST_RUN')}`;
const sharedMongoName = (name: string): string => `qpilot_shared_${valueOf('QPILOT_TEST_RUN')}_${name}`;

async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
}

async function onServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: addressIn('TEST_DATABASE_URL') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(addressIn('TEST_DATABASE_URL'));
  url.pathname = `/${database}`;
  return url.href;
}

const addressIn = (variable: 'TEST_DATABASE_URL' | 'MONGODB_TEST_URI'): string => valueOf(variable);

/** A real server takes everything; of the embedded ones, one checks its answers and is too slow for many documents. */
const largeMongoAddress = (): string =>
  process.env['MONGODB_LARGE_TEST_URI'] ?? addressIn('MONGODB_TEST_URI');

function valueOf(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: test/support/global-setup.ts did not run`);
  return value;
}

async function onMongo(uri: string, work: (mongo: MongoClient) => Promise<void>): Promise<void> {
  const mongo = await MongoClient.connect(uri);
  try {
    await work(mongo);
  } finally {
    await mongo.close();
  }
}
