import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { openCalibrationWriter, type CalibrationWriter } from '../../src/import/calibration-writer.ts';
import { importCsvFile, type CsvFileRequest } from '../../src/import/import-csv-file.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { createTestMongo, type TestMongo } from '../support/databases.ts';

/** An empty database of its own for each test, and a folder for files. */
export type ImportBench = {
  readonly db: Db;
  /** Opened again after the database was dropped. */
  writer: CalibrationWriter;
  readonly folder: string;
};

/** Registers hooks; the object is filled before each test. */
export function useImportBench(): ImportBench {
  const bench = {} as { db: Db; writer: CalibrationWriter; folder: string };
  let mongo: TestMongo;
  let client: MongoClient;
  beforeEach(async () => {
    mongo = await createTestMongo();
    client = await MongoClient.connect(mongo.uri);
    bench.db = client.db(mongo.dbName);
    bench.writer = await openCalibrationWriter(bench.db);
    bench.folder = await mkdtemp(join(tmpdir(), 'qpilot-import-'));
  });
  afterEach(async () => {
    await client.close();
    await mongo.drop();
    await rm(bench.folder, { recursive: true });
  });
  return bench;
}

/** Imports a table into chip `lab` of project `p1` as a script does, and returns what was printed. */
export async function importTable(
  { writer }: ImportBench,
  path: string,
  options: Partial<CsvFileRequest> = {},
): Promise<string> {
  const told: string[] = [];
  await importCsvFile(writer, {
    path,
    chipId: 'lab',
    project: 'p1',
    create: false,
    size: null,
    timeZone: 'UTC',
    time: null,
    skipBad: false,
    parameter: null,
    unit: null,
    naming: null,
    yes: false,
    ask: null,
    metrics: shippedMetrics,
    now: new Date('2026-06-01T00:00:00Z'),
    print: (line) => told.push(line),
    ...options,
  });
  return told.join('\n');
}

/** {@link importTable} of a text. */
export async function importText(
  bench: ImportBench,
  text: string,
  options: Partial<CsvFileRequest> = {},
  name = 'table.csv',
): Promise<string> {
  const path = join(bench.folder, name);
  await writeFile(path, text);
  return importTable(bench, path, options);
}
