import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db, type Document } from 'mongodb';
import { startApp, type App, type AppOverrides } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { makeDemo } from '../../src/import/demo.ts';
import type { ChipDocuments } from '../../src/import/documents.ts';
import { createLogger, type Logger } from '../../src/base/log.ts';
import { createTestDatabase, createTestMongo, ensureSharedMongo, type TestMongo } from './databases.ts';
import { DEMO_NOW } from './demo-database.ts';

/** What may differ from test to test. */
export type TestAppOptions = AppOverrides & {
  /**
   * Put the demo chip with the last days of its history into project `demo`. Apps that ask for nothing else of MongoDB
   * share it, unless the test writes there.
   */
  readonly demo?: boolean;
  readonly writesCalibration?: boolean;
  /** Chips to put beside it. */
  readonly chips?: readonly ChipDocuments[];
  /** Projects to make beside `demo`. */
  readonly projects?: readonly string[];
  /** Documents to put into collections of MongoDB beside these. */
  readonly documents?: Readonly<Record<string, readonly Document[]>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Silent by default. */
  readonly log?: Logger;
};

/** The whole program on databases of its own. */
export type TestApp = {
  /** The app that runs now; after {@link restart} another one on the same data, at the same address. */
  readonly app: App;
  readonly url: string;
  /** The variables that it was started with, for commands beside it; a restart reads them again. */
  readonly environment: Record<string, string>;
  /** Stops the app and starts it again, as after an update; variables change for good. */
  restart(overrides?: AppOverrides, env?: Readonly<Record<string, string>>): Promise<void>;
  /** Stops everything and removes the data. */
  stop(): Promise<void>;
};

/** Starts the real program on a free port, on real databases that nobody else uses. */
export async function createTestApp({
  demo = false,
  writesCalibration = false,
  chips = [],
  projects = [],
  documents = {},
  env,
  log = createLogger('silent'),
  ...overrides
}: TestAppOptions = {}): Promise<TestApp> {
  const [database, mongo, dataDir] = await Promise.all([
    createTestDatabase(),
    demo && !writesCalibration && chips.length === 0 && Object.keys(documents).length === 0 && !isShuffled
      ? sharedDemo(projects)
      : ownMongo({ demo, chips, projects, documents }),
    mkdtemp(join(tmpdir(), 'qpilot-app-')),
  ]);
  const environment: Record<string, string> = {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    MONGODB_URI: mongo.uri,
    MONGODB_DB: mongo.dbName,
    ...env,
  };
  const start = (port: string, changed: AppOverrides): Promise<App> => {
    return startApp(readConfig({ ...environment, PORT: port }), {
      now: () => DEMO_NOW,
      runnerTimes: { drainMs: 200 },
      ...overrides,
      ...changed,
      log,
    });
  };
  let app = await start('0', {});
  return {
    get app() {
      return app;
    },
    url: app.url,
    environment,
    async restart(changed = {}, variables = {}) {
      await app.stop();
      Object.assign(environment, variables);
      app = await start(new URL(app.url).port, changed);
    },
    async stop() {
      await app.stop();
      await Promise.all([database.drop(), mongo.drop(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
}

/** Only the server that otherwise checks its answers shuffles them: see `npm run test:shuffled`. */
const isShuffled = process.env['QPILOT_TEST_SHUFFLE'] !== undefined;

/** What to put into MongoDB. */
type Seed = Required<Pick<TestAppOptions, 'chips' | 'projects' | 'documents'>> & { readonly demo: boolean };

async function sharedDemo(projects: readonly string[]): Promise<TestMongo> {
  const shared = await ensureSharedMongo(['app', ...projects.toSorted()].join('_'), (db) =>
    seed(db, { demo: true, chips: [], projects, documents: {} }),
  );
  return { ...shared, drop: async () => {} };
}

async function ownMongo(wanted: Seed): Promise<TestMongo> {
  const own = await createTestMongo({ large: !isShuffled });
  const client = await MongoClient.connect(own.uri);
  try {
    await seed(client.db(own.dbName), wanted);
  } finally {
    await client.close();
  }
  return own;
}

async function seed(db: Db, { demo, chips, projects, documents }: Seed): Promise<void> {
  for (const chip of demo ? [lastDaysOfDemo(), ...chips] : chips)
    await (await openCalibrationWriter(db)).replace(chip);
  for (const project of ['demo', ...projects]) {
    const fields = { project_id: project, name: project, owner_username: 'qpilot' };
    await db.collection('project').updateOne({ project_id: project }, { $set: fields }, { upsert: true });
  }
  for (const [name, rows] of Object.entries(documents)) await db.collection(name).insertMany([...rows]);
}

const SEEDED_DAYS = 8;

/** The demo without most of its history, which no test of the whole program needs. */
function lastDaysOfDemo(): ReturnType<typeof makeDemo> {
  const from = DEMO_NOW.getTime() - SEEDED_DAYS * 24 * 3600 * 1000;
  const documents = makeDemo(DEMO_NOW);
  const taskResults = documents.taskResults.filter(({ start_at }) => start_at.getTime() >= from);
  return { ...documents, taskResults };
}
