/** The demo chip and, where the real inputs are here, `brisbane`, in a database that all test files read. */
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import type { Viewer } from '../../src/domain/conversation/session.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { writeDemo } from '../../src/import/demo.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from './catalogue.ts';
import { ensureSharedMongo } from './databases.ts';
import { hasSharedData, sharedPath } from './shared-data.ts';

/** The time at which tests ask: in the night after the demo's last run. */
export const DEMO_NOW = new Date('2026-05-20T01:00:00Z');

/** Someone in the demo's project. */
export const demoViewer: Viewer = {
  id: 'local',
  name: 'local',
  projectId: 'demo',
  role: 'owner',
  isOperator: true,
};

/** Address of the demo database of a run, filled by whoever asks first, which takes about six seconds. None may write into it. */
export const demoMongo = () => ensureSharedMongo('demo', fillWithDemo);

/** Services over the demo data. */
export type DemoDatabase = { readonly services: CalibrationServices; readonly close: () => Promise<void> };

/** Services over it. */
export async function openDemoDatabase(): Promise<DemoDatabase> {
  const { uri, dbName } = await demoMongo();
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

async function fillWithDemo(db: Db): Promise<void> {
  const writer = await openCalibrationWriter(db);
  await writeDemo(writer, DEMO_NOW);
  if (!hasSharedData) return;
  const paths = ['props', 'conf'].map((part) => sharedPath(`data/ibm-backends/${part}_brisbane.json`));
  await importIbmFiles(writer, { paths, chipId: null, project: 'demo', print: () => {} });
}
