import { MongoClient, type Db } from 'mongodb';
import { openCalibrationWriter } from '../../../src/import/calibration-writer.ts';
import { importIbmFiles } from '../../../src/import/import-ibm-files.ts';
import { createCalibrationServices } from '../../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../../support/catalogue.ts';
import { createTestApp } from '../../support/create-test-app.ts';
import { createTestMongo } from '../../support/databases.ts';
import { AGED_CHIP, writeAgedDatabase, type QdashAge } from '../../support/qdash-ages.ts';
import { NOW, parameter, resultDocument } from '../../support/qdash-database.ts';
import { sharedPath } from '../../support/shared-data.ts';
import { openToolBench, type ToolBench } from '../../support/tool-bench.ts';
import { readIbmRecord } from './ibm-record.ts';
import type { LabRecord } from './lab-record.ts';
import { readQdashRecord } from './qdash-record.ts';

/** The devices of the given snapshots. */
export const DEVICES = ['manila', 'auckland', 'brisbane'] as const;

/** Minutes after the newest of the snapshots; the other two are old by then. */
const AFTER_SNAPSHOTS = new Date('2025-02-26T20:00:00Z');

/** A running server over one database, and a bench for each of the labs in it, under the names of the labs. */
export type Source = {
  readonly url: string;
  readonly labs: ReadonlyMap<string, { readonly record: LabRecord; readonly bench: ToolBench }>;
  readonly close: () => Promise<void>;
};

/** The three devices, brought in by the real importer, each into a project of its own. */
export const openDevices = (): Promise<Source> =>
  openSource(AFTER_SNAPSHOTS, async (db) => {
    const writer = await openCalibrationWriter(db);
    for (const device of DEVICES) {
      const paths = ['props', 'conf'].map((part) => sharedPath(`data/ibm-backends/${part}_${device}.json`));
      await importIbmFiles(writer, { paths, chipId: null, project: device, print: () => {} });
    }
    return Promise.all(DEVICES.map((device) => readIbmRecord(device, AFTER_SNAPSHOTS)));
  });

/** A database as QDash of that age leaves it behind, with a run for the fidelity that its coupling has. */
export const openAged = (age: QdashAge): Promise<Source> =>
  openSource(NOW, async (db) => {
    await writeAgedDatabase(db, age);
    const outputs = { zx90_gate_fidelity: parameter(0.97, 'a.u.') };
    const name = 'ZX90InterleavedRandomizedBenchmarking';
    const run = resultDocument(AGED_CHIP, '0-1', '2026-02-23T22:00:00Z', {
      name,
      output_parameters: outputs,
    });
    await db.collection('task_result_history').insertOne(run);
    return [await readQdashRecord(db, { projectId: 'p1', chipId: AGED_CHIP, now: NOW })];
  });

async function openSource(now: Date, fill: (db: Db) => Promise<readonly LabRecord[]>): Promise<Source> {
  const mongo = await createTestMongo({ large: true });
  const client = await MongoClient.connect(mongo.uri);
  const db = client.db(mongo.dbName);
  const records = await fill(db);
  const app = await createTestApp({
    env: { MONGODB_URI: mongo.uri, MONGODB_DB: mongo.dbName },
    now: () => now,
  });
  const services = createCalibrationServices({
    store: createMongoCalibrationStore(db),
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: null,
    now: () => now,
  });
  const labOf = (record: LabRecord) => {
    const viewer = {
      id: 'local',
      name: 'local',
      projectId: record.projectId,
      role: 'owner' as const,
      isOperator: true,
    };
    return { record, bench: openToolBench({ services, viewer, chipId: record.chipId, now }) };
  };
  return {
    url: app.url,
    labs: new Map(records.map((record) => [record.chipId, labOf(record)])),
    close: async () => {
      await app.stop();
      await client.close();
      await mongo.drop();
    },
  };
}
