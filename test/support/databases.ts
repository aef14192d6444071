import { MongoClient } from 'mongodb';
import { Client, escapeIdentifier } from 'pg';
import { createLogger } from '../../src/log.ts';
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

/** Any number will do, as long as nothing else on the server uses it. */
const TEMPLATE_LOCK = 2_718_281;

/** A copy of the run's migrated template; takes about 40 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `qpilot_test_${crypto.randomUUID().replaceAll('-', '')}`;
  await onServer(async (client) => {
    const template = await ensureTemplate(client);
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)}`);
  });
  return { url: urlOf(name), drop: () => onServer((client) => dropDatabase(client, name)) };
}

/**
 * A database name that nobody else uses; the database itself comes into being with its first document. `large` for many
 * thousands of documents: the embedded server then answers each query once and does not check itself.
 */
export async function createTestMongo({ large = false } = {}): Promise<TestMongo> {
  const isEmbedded = process.env['MONGODB_LARGE_TEST_URI'] !== undefined;
  const uri = addressIn(large && isEmbedded ? 'MONGODB_LARGE_TEST_URI' : 'MONGODB_TEST_URI');
  const dbName = `qpilot_test_${crypto.randomUUID().replaceAll('-', '')}`;
  const drop = async (): Promise<void> => {
    const client = await MongoClient.connect(uri);
    try {
      await client.db(dbName).dropDatabase();
    } finally {
      await client.close();
    }
  };
  return { uri, dbName, drop };
}

/** Removes the run's template, which only matters on a real server. */
export function dropTemplate(): Promise<void> {
  return onServer((client) => dropDatabase(client, templateName()));
}

/** Migrated once a run, by whichever file comes first; under another name until it is whole. */
async function ensureTemplate(client: Client): Promise<string> {
  const name = templateName();
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await buildTemplate(client, name);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
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

function templateName(): string {
  const run = process.env['QPILOT_TEST_RUN'];
  if (!run) throw new Error('QPILOT_TEST_RUN is not set: test/support/global-setup.ts did not run');
  return `qpilot_template_${run}`;
}

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

function addressIn(variable: 'TEST_DATABASE_URL' | 'MONGODB_TEST_URI' | 'MONGODB_LARGE_TEST_URI'): string {
  const address = process.env[variable];
  if (!address) throw new Error(`${variable} is not set: test/support/global-setup.ts did not run`);
  return address;
}
