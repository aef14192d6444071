/** `npm run backup`: everything that QPilot keeps, in one file. The server may run. */
import { parseArgs } from 'node:util';
import { readConfig } from '../../config/config.ts';
import { createLogger } from '../../base/log.ts';
import { backUp } from '../backup/backup.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = `Usage: npm run backup -- FILE
  Writes conversations, jobs, uploads, workspaces, experts and embedded calibration data into FILE. The server may run. A
  PostgreSQL of DATABASE_URL is read; a MongoDB of MONGODB_URI is not in it. FILE holds everything in the clear: keep it safe.`;

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('name one file');
  const config = readConfig(process.env);
  const { tables, collections, files } = await backUp(config, file, createLogger('warn'), signal);
  const mongo =
    config.mongodbUri === null ? `, ${collections} collections` : '; the MongoDB of MONGODB_URI is not in it';
  print(`${file}: ${tables} tables, ${files} files${mongo}`);
}

await runCommand({ usage: USAGE, run });
