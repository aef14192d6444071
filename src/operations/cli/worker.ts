/** `npm run worker`: a process that only works on jobs, beside the server, until SIGTERM or SIGINT. */
import { parseArgs } from 'node:util';
import { startWorkerProcess } from '../../app/worker.ts';
import { readConfig } from '../../config/config.ts';
import { createLogger } from '../../base/log.ts';
import { print, runCommand } from './run-command.ts';

const USAGE = `Usage: npm run worker
Works on up to JOBS_AT_ONCE jobs at a time. Needs the databases and the DATA_DIR of the server.`;

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  parseArgs({ args: [...args] });
  const config = readConfig(process.env);
  const ended = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => ended.resolve(undefined));
  const worker = await startWorkerProcess(config, {
    log: createLogger(config.logLevel),
    signal,
  });
  print(`Working on up to ${config.jobsAtOnce} jobs at once.`);
  await ended.promise;
  await worker.stop();
}

await runCommand({ usage: USAGE, run });
