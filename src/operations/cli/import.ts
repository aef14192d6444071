/** `npm run import`: loads calibration data of a source (`ibm`, `csv`, …) into QPilot's own database. */
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { z } from 'zod';
import { readConfig, type Config } from '../../config/config.ts';
import { openStores } from '../../app/stores.ts';
import { StartupError } from '../../base/errors.ts';
import { requireChipId } from '../../import/chip-id.ts';
import { openCalibrationWriter, type CalibrationWriter } from '../../import/calibration-writer.ts';
import { writeDemo } from '../../import/demo.ts';
import type { Dialogue } from '../../import/confirm.ts';
import { createTimeReader } from '../../import/csv/times.ts';
import { importCirqFiles } from '../../import/import-cirq.ts';
import { importQibolab } from '../../import/import-qibolab.ts';
import { importCsvFile } from '../../import/import-csv-file.ts';
import { importIbmFiles } from '../../import/import-ibm-files.ts';
import { createLogger } from '../../base/log.ts';
import type { ShowProgress } from '../../domain/imports/file-import.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import { readMetricCatalog } from '../../stores/catalogue/metrics-file.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = `Usage:
  npm run import -- ibm props_<device>.json conf_<device>.json [more files] [--chip-id ID] [--project PROJECT]
  npm run import -- csv table.csv --chip ID [--project PROJECT] [--time-zone Europe/Berlin] [--skip-bad]
      [--create | --size QUBITS] [--time "2026-05-20 14:30"]
      [--parameter "readout error"] [--unit us] [--names grid|pairs] [--yes]
  npm run import -- qibolab <calibration.json> [more versions] | <folder of a platform in its git repository>
      [--chip-id ID] [--project PROJECT] [--time "2026-05-20 14:30"] [--yes]
  npm run import -- cirq <calibration.json> [more files] [--chip-id ID] [--project PROJECT] [--time "2026-05-20 14:30"]
  npm run import -- demo`;

const METRICS_FILE = join(import.meta.dirname, '../../../config/metrics.yaml');

const CSV_OPTIONS = {
  chip: { type: 'string' },
  project: { type: 'string' },
  'time-zone': { type: 'string' },
  time: { type: 'string' },
  create: { type: 'boolean' },
  size: { type: 'string' },
  'skip-bad': { type: 'boolean' },
  parameter: { type: 'string' },
  unit: { type: 'string' },
  names: { type: 'string' },
  yes: { type: 'boolean' },
} as const;

/** Guards against a size with a digit too many. */
const MAX_SIZE = 10_000;

const csvOptions = z.object({
  chip: z.string({ error: 'name the chip that the table belongs to: --chip ID' }),
  project: z.string().min(1).optional(),
  'time-zone': z.string().default('UTC'),
  time: z.string().optional(),
  create: z.boolean().default(false),
  size: z.coerce.number().int().min(1).max(MAX_SIZE).optional(),
  'skip-bad': z.boolean().default(false),
  parameter: z.string().min(1).optional(),
  unit: z.string().optional(),
  names: z
    .enum(['grid', 'pairs'], { error: '--names is grid (0_6 is a qubit) or pairs (0_6 is a coupling)' })
    .optional(),
  yes: z.boolean().default(false),
});

function checkOptions(values: Readonly<Record<string, unknown>>): z.output<typeof csvOptions> {
  const checked = csvOptions.safeParse(values);
  if (!checked.success) throw new UsageError(z.prettifyError(checked.error));
  return checked.data;
}

const namingOf = (names: 'grid' | 'pairs' | undefined): 'grid' | 'numbers' | null =>
  names === undefined ? null : names === 'grid' ? 'grid' : 'numbers';

/** Asks at a terminal; a script is never asked. */
function dialogue(yes: boolean, signal: AbortSignal): Dialogue {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  return { print, yes, ask: isTerminal ? (question) => askPerson(question, signal) : null };
}

/** Rows between two lines of progress where nothing can be written over. */
const ROWS_A_LINE = 100_000;

/** Shows on the error stream how far an import is: in one line at a terminal, else in few. */
function progressLine(): ShowProgress {
  const words = {
    waiting: 'waiting',
    reading: 'rows read',
    checking: 'rows checked',
    writing: 'results stored',
  };
  const { isTTY } = process.stderr;
  return ({ step, done, total }) => {
    if (done === 0 || (!isTTY && done % ROWS_A_LINE !== 0)) return;
    const of = total === null ? '' : ` of ${total.toLocaleString('en')}`;
    const text = `  ${words[step]}: ${done.toLocaleString('en')}${of}`;
    const isOver = done === total;
    process.stderr.write(isTTY ? `\r${text.padEnd(60)}${isOver ? '\r\u001B[K' : ''}` : `${text}\n`);
  };
}

async function askPerson(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(?:y|yes)$/iu.test((await terminal.question(question, { signal })).trim());
  } finally {
    terminal.close();
  }
}

type Import = (writer: CalibrationWriter, signal: AbortSignal) => Promise<void>;

const DEVICE_OPTIONS = {
  'chip-id': { type: 'string' },
  project: { type: 'string' },
  time: { type: 'string' },
  'time-zone': { type: 'string' },
} as const;

type DeviceValues = { readonly [Name in keyof typeof DEVICE_OPTIONS]?: string | undefined };

/** Options of importers of whole devices; times without an offset are UTC unless a zone is given. */
async function deviceRequest(values: DeviceValues, config: Config) {
  const { time, project, 'chip-id': chipId, 'time-zone': zone = 'UTC' } = values;
  const at = time === undefined ? null : createTimeReader(zone, new Date())(time);
  if (typeof at === 'string') throw new UsageError(`--time: ${at}`);
  return {
    chipId: chipId ?? null,
    project: project ?? config.project,
    time: at,
    metrics: await readMetricCatalog(METRICS_FILE),
  };
}

/** The import for each source, from its arguments. */
const SOURCES: Readonly<Record<string, (args: string[], config: Config) => Import>> = {
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

  csv(args, config) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: CSV_OPTIONS });
    const { chip, size = null, ...options } = checkOptions(values);
    requireChipId(chip);
    const [path, ...others] = positionals;
    if (path === undefined || others.length > 0) throw new UsageError('give exactly one table');
    return async (writer, signal) => {
      const request = {
        path,
        chipId: chip,
        create: options.create,
        size,
        project: options.project ?? config.project,
        timeZone: options['time-zone'],
        time: options.time ?? null,
        skipBad: options['skip-bad'],
        parameter: options.parameter ?? null,
        unit: options.unit ?? null,
        naming: namingOf(options.names),
        metrics: await readMetricCatalog(METRICS_FILE),
        now: new Date(),
        onProgress: progressLine(),
        ...dialogue(options.yes, signal),
      };
      await importCsvFile(writer, request, signal);
    };
  },

  qibolab(args, config) {
    const options = { ...DEVICE_OPTIONS, yes: { type: 'boolean' } } as const;
    const { positionals: paths, values } = parseArgs({ args, allowPositionals: true, options });
    const { yes = false, ...device } = values;
    return async (writer, signal) => {
      const request = { paths, ...(await deviceRequest(device, config)), ...dialogue(yes, signal) };
      await importQibolab(writer, request, signal);
    };
  },

  cirq(args, config) {
    const { positionals: paths, values } = parseArgs({
      args,
      allowPositionals: true,
      options: DEVICE_OPTIONS,
    });
    return async (writer, signal) => {
      await importCirqFiles(writer, { paths, ...(await deviceRequest(values, config)), print }, signal);
    };
  },

  demo(args) {
    parseArgs({ args });
    return async (writer) => {
      const { added } = await writeDemo(writer, new Date());
      print(`Imported demo-64 into project demo: 64 qubits, 60 days of history, ${added} task results.`);
    };
  },
};

/** Connects to the configured database; embedded stores are shared with a running server. */
async function withWriter(
  config: Config,
  load: Import,
  signal: AbortSignal,
  resources: ResourceStack,
): Promise<void> {
  if (!config.calibrationWrites) {
    throw new StartupError(
      'imports into the database of MONGODB_URI are off: set CALIBRATION_WRITES=1 if that database belongs to QPilot alone, or unset MONGODB_URI',
    );
  }
  let uri = config.mongodbUri;
  if (uri === null) {
    const { dataDir, databaseUrl } = config;
    const stores = await openStores({ dataDir, databaseUrl, log: createLogger('warn'), signal });
    resources.defer(() => stores.stop());
    uri = stores.mongoUri;
  }
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  resources.defer(() => client.close());
  await client.connect();
  await load(await openCalibrationWriter(client.db(config.mongodbDb)), signal);
}

async function run(
  [name = '', ...args]: readonly string[],
  signal: AbortSignal,
  resources: ResourceStack,
): Promise<void> {
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (source === undefined) throw new UsageError(name === '' ? '' : `unknown source ${name}`);
  const config = readConfig(process.env);
  await withWriter(config, source(args, config), signal, resources);
}

await runCommand({ usage: USAGE, run });
