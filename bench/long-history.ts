/**
 * `npm run bench:history [-- RESULTS …]`: what reads cost after 10,000, 100,000 and 1,000,000 results, or after those named. One
 * line a read: documents that the database fetches, and processor time of server and client together. Then what deleting
 * the longest history gives back. A run of all three sizes writes `bench/HISTORY.md`. `MONGODB_URI` names a server to use
 * instead of the embedded one; its database `qpilot_long_history` is dropped.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from '@qpilot/embedded-stores';
import { MongoClient } from 'mongodb';
import { createQdashIndexes } from '../src/import/qdash-indexes.ts';
import { createCalibrationServices } from '../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../src/stores/mongo/calibration-store.ts';
import { CalibrationSlowError } from '../src/base/errors.ts';
import type { Chip } from '../src/domain/chip/chip.ts';
import { shippedMetrics, shippedTopologies } from '../test/support/catalogue.ts';
import {
  chipIdOf,
  examined,
  HISTORY_READS,
  RESULTS_AN_HOUR,
  storeHistory,
} from '../test/support/long-history.ts';
import { NOW, viewer } from '../test/support/qdash-database.ts';
import { runText, writePage } from './page.ts';

const DATABASE = 'qpilot_long_history';
const SIZES = [10_000, 100_000, 1_000_000];

const PAGE = join(import.meta.dirname, 'HISTORY.md');
const begunAt = new Date();
/** What was said so far. */
const said: string[] = [];

const wanted = process.argv.slice(2).map(Number);
const hours = (wanted.length > 0 ? wanted : SIZES).map((results) => results / RESULTS_AN_HOUR);
const folder = await mkdtemp(join(tmpdir(), 'qpilot-history-'));
const file = join(folder, 'mongo.sqlite');
const own = process.env['MONGODB_URI'];
const server = own ? null : await startMongo({ file, socketPath: join(folder, 'mongo.sock') });
const client = await MongoClient.connect(own ?? server?.uri ?? '', { monitorCommands: true });
try {
  await client.db(DATABASE).dropDatabase();
  await measure();
  if (wanted.length === 0) {
    const against = own ? 'the MongoDB of `MONGODB_URI`' : 'the embedded MongoDB';
    const intro = `Documents that ${against} fetches, and processor time of database and program together, of the second read in a row.`;
    const parts = ['# Reads of a long history', runText('bench:history', begunAt), intro, ...said];
    await writePage(PAGE, parts.join('\n\n'));
  }
} finally {
  await client.db(DATABASE).dropDatabase();
  await client.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const db = client.db(DATABASE);
  await createQdashIndexes(db);
  for (const each of hours) await measureImport(each);
  const store = createMongoCalibrationStore(db);
  const rows = [];
  for (const [what, , read] of HISTORY_READS)
    rows.push([what, ...(await forEachSize((each) => costOf(() => read(store, each))))]);
  print('Reads of the store: documents fetched, processor ms', rows);

  const pages = [];
  for (const [what, read] of dashboard())
    pages.push([what, ...(await forEachSize(async (each) => costOf(await read(chipIdOf(each)))))]);
  print('The dashboard: documents fetched, processor ms', pages);

  const longest = hours.at(-1) ?? 0;
  const before = await sizeMb();
  const startedAt = process.cpuUsage();
  await db.collection('task_result_history').deleteMany({ chip_id: chipIdOf(longest) });
  say(
    `deleted ${longest * RESULTS_AN_HOUR} results in ${cpuMs(startedAt)} ms of processor time; file ${before} MB before, ${await sizeMb()} MB after`,
  );
}

async function measureImport(each: number): Promise<void> {
  const startedAt = process.cpuUsage();
  await storeHistory(client.db(DATABASE), each, (results) => {
    if (results % 100_000 === 0) console.error(`${results} results stored`);
  });
  const results = each * RESULTS_AN_HOUR;
  say(`stored ${results} results in ${cpuMs(startedAt)} ms of processor time; file ${await sizeMb()} MB`);
}

async function forEachSize(read: (hours: number) => Promise<string>): Promise<string[]> {
  const cells = [];
  for (const each of hours) cells.push(await read(each));
  return cells;
}

/** Counted once, then timed once more with warm caches. */
async function costOf(read: () => Promise<unknown>): Promise<string> {
  try {
    const { documents } = await examined(client, DATABASE, read);
    const startedAt = process.cpuUsage();
    await read();
    return `${documents}, ${cpuMs(startedAt)} ms`;
  } catch (error) {
    if (error instanceof CalibrationSlowError) return 'ended by its time limit';
    throw error;
  }
}

/** What the pages of a chip ask the services. */
function dashboard(): readonly (readonly [string, (chipId: string) => Promise<() => Promise<unknown>>])[] {
  const services = createCalibrationServices({
    store: createMongoCalibrationStore(client.db(DATABASE)),
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: null,
    now: () => NOW,
  });
  const of =
    (read: (chip: Chip) => Promise<unknown>) =>
    async (chipId: string): Promise<() => Promise<unknown>> => {
      const chip = await services.chips.get(viewer, chipId);
      return () => read(chip);
    };
  const { chipMetrics, chipSummaries, chipTimeseries, periodComparisons, taskResults } = services;
  const list = (filter: object) =>
    of((chip) => taskResults.page(chip, { filter, first: 20, after: null } as never));
  return [
    ['summary', of((chip) => chipSummaries.getMany([{ chip, parameters: null }] as never))],
    ['latest of a metric', of((chip) => chipMetrics.get(chip, { name: 't1' }))],
    ['best of a metric', of((chip) => chipMetrics.get(chip, { name: 't1', selection: 'BEST' }))],
    ['mean of a metric', of((chip) => chipMetrics.get(chip, { name: 't1', selection: 'AVERAGE' }))],
    [
      "one qubit's series",
      of((chip) => chipTimeseries.get(chip, { parameter: 't1', qids: ['7'], lastN: 50 })),
    ],
    ['series of the chip', of((chip) => chipTimeseries.get(chip, { parameter: 't1', lastN: 50 }))],
    [
      'this week against the last',
      of((chip) => periodComparisons.get(chip, { parameter: 't1', windowHours: 168 })),
    ],
    ['list of tasks', list({})],
    ['list of failures', list({ status: ['FAILED'] })],
  ];
}

function say(text: string): void {
  console.log(text);
  said.push(text);
}

function print(title: string, rows: readonly (readonly string[])[]): void {
  const head = [title, ...hours.map((each) => `${each * RESULTS_AN_HOUR} results`)];
  const lines = [head, head.map(() => '---'), ...rows];
  say(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return Math.round((user + system) / 1000);
}

async function sizeMb(): Promise<string> {
  if (!server) return '?';
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((each) =>
      stat(each).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.map((bytes) => (bytes / 1e6).toFixed(0)).join(' + ');
}
