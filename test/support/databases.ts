import { Client, escapeIdentifier } from 'pg';

/** An empty database of one test file on the run's server. */
export type TestDatabase = {
  /** Connection string, migrated to the latest tables. */
  readonly url: string;
  /** Removes it, ending connections that were left open. */
  drop(): Promise<void>;
};

/** Any number will do, as long as nothing else on the server uses it. */
const TEMPLATE_LOCK = 2_718_281;

/** A fresh database with QPilot's tables: a copy of the run's template, about 40 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `qpilot_test_${crypto.randomUUID().replaceAll('-', '')}`;
  await onServer(async (client) => {
    const template = await ensureTemplate(client);
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)}`);
  });
  return { url: urlOf(name), drop: () => onServer((client) => dropDatabase(client, name)) };
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
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return name;
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
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: test/support/global-setup.ts did not run');
  return url;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}
