/** Imports of files into the database of this server, if it is QPilot's own. */
import type { Db } from 'mongodb';
import { ImportEndedError } from '../base/errors.ts';
import { runInThread, ThreadEndedError } from '../base/thread-job.ts';
import type { Config } from '../config/config.ts';
import type { FileImporter, FileImportReport, ImportProgress } from '../domain/imports/file-import.ts';
import type { MetricCatalog } from '../domain/values/metric.ts';
import type { ImportJob } from './import-thread.ts';
import { isOwnDatabase } from '../import/ownership.ts';
import { createImports, type Imports } from '../services/imports/imports.ts';
import { reportingOutages } from '../stores/mongo/outages.ts';

type Deps = {
  readonly config: Pick<Config, 'calibrationWrites' | 'mongodbDb'>;
  readonly mongo: Db;
  readonly mongoUri: string;
  readonly metrics: MetricCatalog;
  readonly now: () => Date;
};

/**
 * A table of a million rows needs 250 MB. What importers take is bounded so that nothing needs this much: a thread that allocates fast
 * beyond its limit can take the process with it.
 */
const THREAD = {
  entry: new URL('./import-thread.ts', import.meta.url),
  name: 'import',
  memoryMb: 1_500,
};

export const openImports = (deps: Deps): Imports => createImports(reportingOutages(fileImporter(deps)));

function fileImporter({ config, mongo, mongoUri, metrics, now }: Deps): FileImporter {
  return {
    async refusal() {
      if (!config.calibrationWrites) {
        return 'nothing can be imported here: this server reads the database that MONGODB_URI names, and never changes it. New data comes from what fills that database, such as QDash; a server without MONGODB_URI, or with CALIBRATION_WRITES=1 and a database of its own, takes files';
      }
      const names = (await mongo.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
      if (isOwnDatabase(names) || names.every((name) => name.startsWith('system.'))) return null;
      return `nothing can be imported here: the database ${JSON.stringify(config.mongodbDb)} holds data that QPilot did not write, such as that of a QDash, and stays as it is`;
    },
    async run(request, signal, onProgress) {
      const database = { uri: mongoUri, name: config.mongodbDb };
      const job: ImportJob = { request, database, metrics: metrics.metrics, now: now() };
      try {
        return await runInThread<FileImportReport, ImportProgress>(THREAD, job, signal, onProgress);
      } catch (error) {
        throw error instanceof ThreadEndedError ? endedBy(error, request.preview) : error;
      }
    },
  };
}

function endedBy(error: ThreadEndedError, isPreview: boolean): ImportEndedError {
  const why = error.isOutOfMemory
    ? `the files need more than ${THREAD.memoryMb} MB of memory: send a part of them at a time`
    : 'the import ended before it was done; the log of the server says why';
  const rest = isPreview ? '' : '. What it had written stays, and the same files again add the rest';
  return new ImportEndedError(`${why}${rest}`, { cause: error });
}
