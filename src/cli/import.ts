/** `npm run import -- ibm …` and `npm run import -- demo`: brings calibration data into QPilot's own database. */
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { readConfig, type Config } from '../config.ts';
import { openStores } from '../embedded/stores.ts';
import { StartupError } from '../errors.ts';
import { openCalibrationWriter, type CalibrationWriter } from '../import/calibration-writer.ts';
import { writeDemo } from '../import/demo.ts';
import { importIbmFiles } from '../import/import-ibm-files.ts';
import { createLogger } from '../log.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = `Usage:
  npm run import -- ibm props_<device>.json conf_<device>.json [more pairs] [--chip-id ID] [--project PROJECT]
  npm run import -- demo`;

type Work = (writer: CalibrationWriter, signal: AbortSignal) => Promise<void>;

/** Each source of data: what its arguments ask for. */
const SOURCES: Readonly<Record<string, (args: string[], config: Config) => Work>> = {
  ibm(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'chip-id': { type: 'string' }, project: { type: 'string' } },
    });
    const request = {
      paths: positionals,
      chipId: values['chip-id'] ?? null,
      project: values.project ?? config.project,
      print,
    };
    return (writer, signal) => importIbmFiles(writer, request, signal);
  },

  demo(args) {
    parseArgs({ args });
    return async (writer) => {
      const { added } = await writeDemo(writer, new Date());
      print(`demo-64: 64 qubits with 60 days of history, ${added} task results, into project demo`);
    };
  },
};

/** Connects to the database of the configuration; embedded stores are shared with a running server. */
async function withWriter(config: Config, work: Work, signal: AbortSignal): Promise<void> {
  if (!config.calibrationWrites) {
    throw new StartupError(
      'calibration data may not be written to the database of MONGODB_URI: set CALIBRATION_WRITES=1 if that database is meant for QPilot alone, or leave MONGODB_URI out',
    );
  }
  await using stack = new AsyncDisposableStack();
  let uri = config.mongodbUri;
  if (uri === null) {
    const { dataDir, databaseUrl } = config;
    const stores = await openStores({ dataDir, databaseUrl, log: createLogger('warn'), signal });
    stack.defer(() => stores.stop());
    uri = stores.mongoUri;
  }
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  stack.defer(() => client.close());
  await client.connect();
  await work(await openCalibrationWriter(client.db(config.mongodbDb)), signal);
}

async function run([name = '', ...args]: readonly string[], signal: AbortSignal): Promise<void> {
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (source === undefined) throw new UsageError(name === '' ? '' : `there is no source ${name}`);
  const config = readConfig(process.env);
  await withWriter(config, source(args, config), signal);
}

await runCommand({ usage: USAGE, run });
