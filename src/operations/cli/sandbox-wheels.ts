/** `npm run sandbox-wheels`: fetches numpy, pandas and scipy for the Pyodide engine. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchWheels, WheelsError } from '@qpilot/python-sandbox';
import { readConfig } from '../../config/config.ts';
import { StartupError } from '../../base/errors.ts';
import { UsageError, print, runCommand } from './run-command.ts';

const USAGE = `Usage: npm run sandbox-wheels -- [--from URL] [FOLDER]

Downloads the Pyodide wheels of numpy, pandas and scipy into FOLDER (default: PYODIDE_WHEELS_DIR), from Pyodide's
distribution or the mirror at URL. Every file is checked against the SHA-256 in Pyodide's lock file; files that are
already present are kept.`;

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { from: { type: 'string' } },
    allowPositionals: true,
  });
  const folder = positionals[0] ?? readConfig(process.env).sandbox.wheelsDir;
  if (folder === null || positionals.length > 1) {
    throw new UsageError('name exactly one folder, or set PYODIDE_WHEELS_DIR');
  }
  const onFile = (file: string, wasFetched: boolean) =>
    print(`${wasFetched ? 'fetched' : 'kept   '}  ${file}`);
  await fetchWheels({ folder, from: values.from, onFile }, signal).catch((error: unknown) => {
    throw error instanceof WheelsError ? new StartupError(error.message, { cause: error }) : error;
  });
  print(`All wheels are in ${resolve(folder)}. Start QPilot with PYODIDE_WHEELS_DIR=${resolve(folder)}.`);
}

await runCommand({ usage: USAGE, run });
