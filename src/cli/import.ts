/** `npm run import -- ibm …` and `npm run import -- demo`: brings calibration data into QPilot's own database. */
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { readConfig, type Config } from '../config.ts';
import { openStores } from '../embedded/stores.ts';
import { StartupError, UserError } from '../errors.ts';
import { openCalibrationWriter, type CalibrationWriter } from '../import/calibration-writer.ts';
import { writeDemo } from '../import/demo.ts';
import { importIbmFiles } from '../import/import-ibm-files.ts';
import { createLogger } from '../log.ts';

const USAGE = `Usage:
  npm run import -- ibm props_<device>.json conf_<device>.json [more pairs] [--chip-id ID] [--project PROJECT]
  npm run import -- demo`;

// A reader such as `head` may leave before the end; the import goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

type Command = (writer: CalibrationWriter) => Promise<void>;

/** The work that the arguments ask for, null if they ask for none that exists. */
function commandOf(args: readonly string[], config: Config): Command | null {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'chip-id': { type: 'string' }, project: { type: 'string' } },
  });
  const [source = '', ...paths] = positionals;
  switch (source) {
    case 'ibm':
      return (writer) =>
        importIbmFiles(writer, {
          paths,
          chipId: values['chip-id'] ?? null,
          project: values.project ?? config.project,
          print,
        });
    case 'demo':
      return async (writer) => {
        const { added } = await writeDemo(writer, new Date());
        print(`demo-64: 64 qubits with 60 days of history, ${added} task results, into project demo`);
      };
    default:
      return null;
  }
}

/** Connects to the database of the configuration; embedded stores are shared with a running server. */
async function withWriter(config: Config, work: Command): Promise<void> {
  if (!config.calibrationWrites) {
    throw new StartupError(
      'calibration data may not be written to the database of MONGODB_URI: set CALIBRATION_WRITES=1 if that database is meant for QPilot alone, or leave MONGODB_URI out',
    );
  }
  await using stack = new AsyncDisposableStack();
  let uri = config.mongodbUri;
  if (uri === null) {
    const stores = await openStores({
      dataDir: config.dataDir,
      databaseUrl: config.databaseUrl,
      log: createLogger('warn'),
      mode: 'share',
    });
    stack.defer(() => stores.stop());
    uri = stores.mongoUri;
  }
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  stack.defer(() => client.close());
  await client.connect();
  await work(await openCalibrationWriter(client.db(config.mongodbDb)));
}

/** Mistakes of the caller are told in one line; everything else keeps its stack. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const config = readConfig(process.env);
    const command = commandOf(args, config);
    if (command === null) {
      process.stderr.write(`${USAGE}\n`);
      return 2;
    }
    await withWriter(config, command);
    return 0;
  } catch (error) {
    const isUsage =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (!isUsage && !(error instanceof UserError) && !(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n${isUsage ? `${USAGE}\n` : ''}`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
