/** Backup and restore of a used installation on real embedded stores. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openStores } from '@qpilot/embedded-stores';
import { until } from '@qpilot/test-support';
import { BSON, MongoClient } from 'mongodb';
import { Client } from 'pg';
import { startApp, type App } from '../../src/app/app.ts';
import { createLogger } from '../../src/base/log.ts';
import { readConfig } from '../../src/config/config.ts';
import { backUp } from '../../src/operations/backup/backup.ts';
import { readBackup, writeBackup } from '../../src/operations/backup/container.ts';
import { restore } from '../../src/operations/backup/restore.ts';
import { createTestDatabase } from '../support/databases.ts';
import { post } from '../support/graphql-client.ts';

const log = createLogger('silent');
let folder: string;
let dataDir: string;
let file: string;
const configOf = (more: Record<string, string> = {}) =>
  readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, PORT: '0', JOBS_AT_ONCE: '0', ...more });

const SEND = `mutation { sendMessage(input: { content: "How healthy is the chip?", clientMessageId: "1", chipId: "demo-64" }) {
  ... on SendMessagePayload { session { id } } } }`;
const CREATE = `mutation { createJob(input: { description: "Report T1.", idempotencyKey: "j1" }) { __typename } }`;
const CONVERSATION = `{ copilotSessions { edges { node { title messages { edges { node { role text } } } } } } }`;

/** What every table holds, as one line each; tables of the job queue aside, which pg-boss keeps changing. */
async function digestOf(): Promise<readonly string[]> {
  const stores = await openStores({ dataDir, databaseUrl, mongodbUri: null, log });
  const client = new Client({ connectionString: stores.postgresUrl });
  const mongo = new MongoClient(stores.mongoUri);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
         where table_schema not in ('pg_catalog', 'information_schema', 'qpilot_queue') and table_type = 'BASE TABLE'
           and table_name not like 'kysely%' order by 1`,
    );
    const lines: string[] = [];
    for (const { name } of rows) {
      const text = `select count(*), md5(string_agg(t::text, '|' order by t::text)) as hash from ${name} t`;
      const found = await client.query<{ count: string; hash: string }>(text);
      lines.push(`${name} ${found.rows[0]!.count} ${found.rows[0]!.hash}`);
    }
    for (const { name } of await mongo.db('qdash').listCollections().toArray()) {
      const hash = createHash('sha256');
      for await (const document of mongo.db('qdash').collection(name).find({}).sort({ _id: 1 }))
        hash.update(BSON.serialize(document));
      const indexes = await mongo.db('qdash').collection(name).indexes();
      lines.push(`${name} ${indexes.length} indexes ${hash.digest('hex')}`);
    }
    return lines.toSorted();
  } finally {
    await mongo.close();
    await client.end();
    await stores.stop();
  }
}

const started = (): Promise<App> => startApp(configOf(), { log });
const restored = (path = file, replace = false) => restore(configOf(), path, { replace, log });
let databaseUrl: string | null = null;
let before: readonly string[];
let conversation: unknown;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-backup-'));
  dataDir = join(folder, 'data');
  file = join(folder, 'backup.qpilot');
  const app = await started();
  try {
    await post(app.url, SEND);
    expect((await post(app.url, CREATE)).data).toEqual({ createJob: { __typename: 'CreateJobPayload' } });
    await until(async () => JSON.stringify(await post(app.url, CONVERSATION)).includes('ASSISTANT'), {
      what: 'the answer',
    });
    await mkdir(join(dataDir, 'jobs', 'a'), { recursive: true });
    await writeFile(join(dataDir, 'jobs', 'a', 'notes.md'), 'a file of a workspace');
    conversation = (await post(app.url, CONVERSATION)).data;
    before = await digestOf();
    await backUp(configOf(), file, log); // while the server runs
    await expect(restored(file, true)).rejects.toThrow(/a server runs on .*; stop it first/);
  } finally {
    await app.stop();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a target with data is refused without --replace, and a damaged, cut or newer file with it; all leave it alone', async () => {
  await expect(restored()).rejects.toThrow(/there are data already .*add --replace/);
  const whole = await readFile(file);
  const text = gunzipSync(whole);
  const variants: readonly (readonly [Buffer, RegExp])[] = [
    [whole.subarray(0, whole.length - 2_000), /damaged/],
    [Buffer.from(whole).fill(0, 5_000, 5_010), /damaged/],
    [gzipSync(Buffer.from(text).fill('x', text.length - 20_000, text.length - 19_990)), /damaged/],
    [Buffer.from('no backup at all'), /no backup of QPilot/],
    [
      gzipSync(Buffer.from(text.toString('latin1').replace('"format":1', '"format":9'), 'latin1')),
      /newer version .*format 9/,
    ],
  ];
  for (const [bytes, why] of variants) {
    const path = join(folder, 'variant');
    await writeFile(path, bytes);
    await expect(restored(path, true)).rejects.toThrow(why);
  }
  const newer = join(folder, 'newer');
  const unchanged = readBackup(file);
  await writeBackup(
    newer,
    (async function* () {
      for await (const filled of unchanged) {
        const { part } = filled;
        yield part.kind === 'head'
          ? { ...filled, part: { ...part, migrations: [...part.migrations, '20991231-1-later'] } }
          : filled;
      }
    })(),
  );
  await expect(restored(newer, true)).rejects.toThrow(/newer version .*20991231-1-later/);
  const broken = join(folder, 'broken');
  await writeBackup(
    broken,
    (async function* () {
      for await (const filled of readBackup(file))
        if (!('table' in filled.part && filled.part.table === 'public.sessions')) yield filled;
    })(),
  );
  await expect(restored(broken, true)).rejects.toThrow(/foreign key/); // turns without their sessions
  expect((await readdir(dataDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(await digestOf()).toEqual(before);
});

/** Postgres guesses how large they are, and reads them as a whole. */
async function tablesWithoutStatistics(): Promise<readonly string[]> {
  const stores = await openStores({ dataDir, databaseUrl, mongodbUri: null, log });
  const client = new Client({ connectionString: stores.postgresUrl });
  try {
    await client.connect();
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples < 0`,
    );
    return rows.map(({ relname }) => relname);
  } finally {
    await client.end();
    await stores.stop();
  }
}

test('after everything was deleted, every row, document, index and file is back, and the job is queued again', async () => {
  await rm(dataDir, { recursive: true });
  expect(await restored()).toMatchObject({ keptExperts: [] });
  expect(await digestOf()).toEqual(before);
  expect(await tablesWithoutStatistics()).toEqual([]);
  expect(await readFile(join(dataDir, 'jobs', 'a', 'notes.md'), 'utf8')).toBe('a file of a workspace');
  const app = await startApp(configOf({ JOBS_AT_ONCE: '1' }), { log });
  try {
    expect((await post(app.url, CONVERSATION)).data).toEqual(conversation);
    const jobs = '{ jobs { edges { node { status } } } }';
    const statusOf = async (): Promise<string> => JSON.stringify((await post(app.url, jobs)).data);
    expect(await statusOf()).toContain('status');
    await until(async () => !(await statusOf()).includes('CREATED'), { what: 'a worker that takes the job' });
  } finally {
    await app.stop();
  }
});

test('with --replace a backup takes the place of an installation, in a PostgreSQL of its own, too', async () => {
  const database = await createTestDatabase();
  databaseUrl = database.url;
  dataDir = join(folder, 'other');
  try {
    const config = configOf({ DATABASE_URL: database.url });
    await restore(config, file, { replace: true, log });
    expect(await digestOf()).toEqual(before);
    await expect(restore(config, file, { replace: false, log })).rejects.toThrow(/table /);
    await restore(config, file, { replace: true, log });
    expect(await digestOf()).toEqual(before);
  } finally {
    await database.drop();
  }
});
