/** Entry of the thread that imports files which were sent to the server, over a connection of its own. */
import { MongoClient } from 'mongodb';
import { workAsThread } from '../base/thread-job.ts';
import type { FileImportReport, FileImportRequest, ImportProgress } from '../domain/imports/file-import.ts';
import { createMetricCatalog, type Metric } from '../domain/values/metric.ts';
import { openCalibrationWriter } from '../import/calibration-writer.ts';
import { importSentFiles } from '../import/sent-files.ts';
import { reportingOutages } from '../stores/mongo/outages.ts';

/** What the thread is started with. */
export type ImportJob = {
  readonly request: FileImportRequest;
  readonly database: { readonly uri: string; readonly name: string };
  readonly metrics: readonly Metric[];
  readonly now: Date;
};

const CONNECT_MS = 5_000;

const run = async (
  { request, database, metrics, now }: ImportJob,
  report: (progress: ImportProgress) => void,
): Promise<FileImportReport> => {
  const client = new MongoClient(database.uri, { serverSelectionTimeoutMS: CONNECT_MS, maxPoolSize: 1 });
  try {
    const writer = await openCalibrationWriter(client.db(database.name));
    return await importSentFiles({ writer, metrics: createMetricCatalog(metrics), now }, request, report);
  } finally {
    await client.close();
  }
};

await workAsThread(reportingOutages({ run }).run);
