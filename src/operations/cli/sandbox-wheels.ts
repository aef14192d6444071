/** `npm run sandbox-wheels`: fetches numpy, pandas and scipy for the Pyodide engine, for `PYODIDE_WHEELS_DIR`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readConfig } from '../../config/config.ts';
import { fetchWheels, WheelsError } from '@qpilot/python-sandbox';
import { StartupError } from '../../base/errors.ts';
import { UsageError, print, runCommand } from './run-command.ts';

const USAGE = `Usage: npm run sandbox-wheels -- [--from URL] [FOLDER]

Fetches what the pinned Pyodide needs for numpy, pandas and scipy into FOLDER (or PYODIDE_WHEELS_DIR), from Pyodide's own
distribution or from a mirror of it. Files that are there already are kept; each must have the SHA-256 of Pyodide's lock file.`;

const readPyodide = (file: string) => readFile(fileURLToPath(import.meta.resolve(`pyodide/${file}`)), 'utf8');

/** Where Pyodide publishes the files of a release. */
async function distribution(): Promise<string> {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readPyodide('package.json')));
  return `https://cdn.jsdelivr.net/pyodide/v${version}/full/`;
}

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { from: { type: 'string' } },
    allowPositionals: true,
  });
  const folder = positionals[0] ?? readConfig(process.env).sandbox.wheelsDir;
  if (folder === null || positionals.length > 1) {
    throw new UsageError('name one folder, or set PYODIDE_WHEELS_DIR');
  }
  const from = values.from ?? (await distribution());
  await fetchWheels(
    {
      from: from.endsWith('/') ? from : `${from}/`,
      folder,
      lockText: await readPyodide('pyodide-lock.json'),
      onFile: (file, wasFetched) => print(`${wasFetched ? 'fetched' : 'kept   '}  ${file}`),
    },
    signal,
  ).catch((error: unknown) => {
    throw error instanceof WheelsError ? new StartupError(error.message, { cause: error }) : error;
  });
  print(`All files are in ${resolve(folder)}; start QPilot with PYODIDE_WHEELS_DIR=${resolve(folder)}`);
}

await runCommand({ usage: USAGE, run });
