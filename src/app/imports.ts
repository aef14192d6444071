/** Imports of files into the database of this server, if it is QPilot's own. */
import type { Db } from 'mongodb';
import type { Config } from '../config/config.ts';
import type { FileImporter } from '../domain/imports/file-import.ts';
import type { MetricCatalog } from '../domain/values/metric.ts';
import { openCalibrationWriter } from '../import/calibration-writer.ts';
import { isOwnDatabase } from '../import/ownership.ts';
import { importSentFiles } from '../import/sent-files.ts';
import { createImports, type Imports } from '../services/imports/imports.ts';

type Deps = {
  readonly config: Pick<Config, 'calibrationWrites' | 'mongodbDb'>;
  readonly mongo: Db;
  readonly metrics: MetricCatalog;
  readonly now: () => Date;
};

export const openImports = (deps: Deps): Imports => createImports(fileImporter(deps));

function fileImporter({ config, mongo, metrics, now }: Deps): FileImporter {
  return {
    async refusal() {
      if (!config.calibrationWrites) {
        return 'nothing can be imported here: this server reads the database that MONGODB_URI names, and never changes it. New data comes from what fills that database, such as QDash; a server without MONGODB_URI, or with CALIBRATION_WRITES=1 and a database of its own, takes files';
      }
      const names = (await mongo.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
      if (isOwnDatabase(names) || names.every((name) => name.startsWith('system.'))) return null;
      return `nothing can be imported here: the database ${JSON.stringify(config.mongodbDb)} holds data that QPilot did not write, such as that of a QDash, and stays as it is`;
    },
    async run(request, signal) {
      const writer = await openCalibrationWriter(mongo);
      return importSentFiles({ writer, metrics, now: now() }, request, signal);
    },
  };
}
