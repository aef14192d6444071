/** The laboratory that is asked about: the demo and real devices in stores of their own, served by the real program. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient, type Db } from 'mongodb';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { openCalibrationWriter, type CalibrationWriter } from '../../src/import/calibration-writer.ts';
import { writeDemo } from '../../src/import/demo.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import { startControlServer } from '../../src/import/demo/control-server/control-server.ts';
import { createLogger } from '../../src/base/log.ts';
import { withResources, type ResourceStack } from '../../src/base/resource-stack.ts';
import type { ChipRecord } from './data/chip-record.ts';
import { readDemoRecord } from './data/demo-record.ts';
import { ibmFiles, readIbmRecord } from './data/ibm-record.ts';
import { readLiveValues } from './data/live-values.ts';
import { EVAL_NOW } from './now.ts';
import type { QuestionSource } from './questions/make-questions.ts';

/** Where a lab keeps its data. The caller creates all of it for the run and deletes it afterwards. */
export type LabPlace = {
  readonly mongoUri: string;
  readonly mongoDb: string;
  readonly databaseUrl: string;
  /** For the sandbox and the settings. */
  readonly dataDir: string;
};

/** How a lab is opened. */
export type LabOptions = {
  readonly place: LabPlace;
  /** The environment, for the models; its stores are not touched. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder with IBM snapshots; null for the demo alone. */
  readonly devicesFolder: string | null;
  /** Imports further chips. */
  readonly further?: (writer: CalibrationWriter) => Promise<void>;
  /** Tokens that all questions together may take. */
  readonly tokens: number;
  readonly signal: AbortSignal;
};

/** A lab that is open. */
export type Lab = {
  readonly url: string;
  readonly defaultModel: string;
  readonly source: QuestionSource;
  close(): Promise<void>;
};

/** The project of all chips. */
export const PROJECT = 'demo';
const DEMO_CHIP = 'demo-64';
const DEVICES = ['manila', 'auckland', 'brisbane'];

/** Fills the stores, starts the program, and reads what questions are made from. */
export function openLab(options: LabOptions): Promise<Lab> {
  return withResources((resources) => openParts(options, resources));
}

async function openParts(
  { place, env, devicesFolder, further, tokens, signal }: LabOptions,
  resources: ResourceStack,
): Promise<Lab> {
  const client = await MongoClient.connect(place.mongoUri);
  resources.defer(() => client.close());
  const records = await fill(client.db(place.mongoDb), devicesFolder, further);
  const control = await startControlServer({ port: 0, seed: 1, now: () => EVAL_NOW });
  resources.defer(() => control.close());
  const config = readConfig({
    ...env,
    PORT: '0',
    DATA_DIR: place.dataDir,
    MONGODB_URI: place.mongoUri,
    MONGODB_DB: place.mongoDb,
    DATABASE_URL: place.databaseUrl,
    QPILOT_PROJECT: PROJECT,
    QPILOT_CONFIG: await settingsFor(env['QPILOT_CONFIG'], place.dataDir, tokens),
    LIVE_SOURCE_URL: `${control.url}/chips/{chip}`,
  });
  const app = await startApp(config, {
    now: () => EVAL_NOW,
    log: createLogger('silent'),
    signal,
  });
  resources.defer(() => app.stop());
  await app.warmUp();
  const live = await readLiveValues(`${control.url}/chips/${DEMO_CHIP}`);
  const parts = resources.move();
  return {
    url: app.url,
    defaultModel: app.defaultModel,
    source: { ...records, live },
    close: () => parts.closeAll(),
  };
}

async function fill(
  db: Db,
  devicesFolder: string | null,
  further?: (writer: CalibrationWriter) => Promise<void>,
): Promise<Omit<QuestionSource, 'live'>> {
  const writer = await openCalibrationWriter(db);
  await writeDemo(writer, EVAL_NOW);
  const devices: ChipRecord[] = [];
  for (const device of devicesFolder === null ? [] : DEVICES) {
    const folder = devicesFolder ?? '';
    await importPairs(writer, ibmFiles(folder, device));
    devices.push(await readIbmRecord(folder, device));
  }
  await further?.(writer);
  return { demo: await readDemoRecord(db, DEMO_CHIP), devices };
}

/** Imports snapshots of one device as IBM publishes them. */
export const importPairs = (writer: CalibrationWriter, paths: readonly string[]): Promise<void> =>
  importIbmFiles(writer, { paths, chipId: null, project: PROJECT, print: () => {} });

const SHIPPED_SETTINGS = fileURLToPath(new URL('../../config/qpilot.yaml', import.meta.url));
const settings = z.looseObject({ limits: z.looseObject({}) });

/** The settings with limits of people lifted: a run asks more in a minute than anybody does. Those of a turn stay. */
async function settingsFor(given: string | undefined, folder: string, tokens: number): Promise<string> {
  const { limits, ...others } = settings.parse(parse(await readFile(given ?? SHIPPED_SETTINGS, 'utf8')));
  const file = join(folder, 'eval-settings.yaml');
  const lifted = {
    ...limits,
    messagesPerMinute: 100_000,
    turnsPerUser: 64,
    userTokensPerDay: tokens,
    projectTokensPerDay: tokens,
  };
  await writeFile(file, stringify({ ...others, limits: lifted }));
  return file;
}
