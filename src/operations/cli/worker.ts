/** `npm run worker`: works on jobs beside the server, until SIGTERM or SIGINT. It serves nobody. */
import { parseArgs } from 'node:util';
import { startWorkerProcess } from '../../app/worker.ts';
import { readConfig } from '../../config/config.ts';
import { createLogger } from '../../base/log.ts';
import { print, runCommand } from './run-command.ts';

const USAGE = `Usage: npm run worker
Works on as many jobs at once as JOBS_AT_ONCE says, on the databases of the server and with the same DATA_DIR.`;

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  parseArgs({ args: [...args] });
  const config = readConfig(process.env);
  const ended = Promise.withResolvers<Error | undefined>();
  signal.addEventListener('abort', () => ended.resolve(undefined));
  const worker = await startWorkerProcess(config, {
    log: createLogger(config.logLevel),
    onFailure: ended.resolve,
    signal,
  });
  print(`Works on up to ${config.jobsAtOnce} jobs at once.`);
  const failure = await ended.promise;
  await worker.stop();
  if (failure) process.exitCode = 1;
}

await runCommand({ usage: USAGE, run });
