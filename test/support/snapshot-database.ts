/** Every snapshot of a real device that is here, beside the demo chip, in a database that all test files read. */
import { readdirSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { writeDemo } from '../../src/import/demo.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from './catalogue.ts';
import { ensureSharedMongo } from './databases.ts';
import { DEMO_NOW, type DemoDatabase } from './demo-database.ts';
import { hasSharedData, sharedPath } from './shared-data.ts';

const FOLDERS = ['ibm-backends', 'ibm-history'];

/** The devices, by the names of their files. */
export const SNAPSHOT_CHIPS = [
  ...new Set(snapshots().map(({ props }) => /props_([a-z]+)/u.exec(props)?.[1] ?? '')),
];

function snapshots(): readonly { readonly props: string; readonly conf: string }[] {
  if (!hasSharedData) return [];
  return FOLDERS.flatMap((folder) =>
    readdirSync(sharedPath(`data/${folder}`))
      .filter((name) => name.startsWith('props_'))
      .toSorted()
      .map((name) => ({
        props: sharedPath(`data/${folder}/${name}`),
        conf: sharedPath(`data/${folder}/${name.replace('props', 'conf')}`),
      })),
  );
}

/** Nobody may write into it. */
export async function openSnapshotDatabase(): Promise<DemoDatabase> {
  const { uri, dbName } = await ensureSharedMongo('snapshots', fill);
  const client = await MongoClient.connect(uri);
  const services = createCalibrationServices({
    store: createMongoCalibrationStore(client.db(dbName)),
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: null,
    now: () => DEMO_NOW,
  });
  return { services, close: () => client.close() };
}

async function fill(db: Db): Promise<void> {
  const writer = await openCalibrationWriter(db);
  await writeDemo(writer, DEMO_NOW);
  for (const { props, conf } of snapshots()) {
    await importIbmFiles(writer, { paths: [props, conf], chipId: null, project: 'demo', print: () => {} });
  }
}
