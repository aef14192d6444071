/** `npm run stores`: runs only the embedded stores, shared by other processes, until SIGTERM or SIGINT. */
import { parseArgs } from 'node:util';
import { readConfig } from '../../config/config.ts';
import { openStores } from '../../app/stores.ts';
import { createLogger } from '../../base/log.ts';
import { print, runCommand } from './run-command.ts';

const USAGE = 'Usage: npm run stores';

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  parseArgs({ args: [...args] });
  const { dataDir, logLevel } = readConfig(process.env);
  const ended = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => ended.resolve(undefined));
  const stores = await openStores({
    dataDir,
    log: createLogger(logLevel),
    mode: 'own',
    signal,
  });
  print(`DATABASE_URL=${stores.postgresUrl}`);
  print(`MONGODB_URI=${stores.mongoUri}`);
  await ended.promise;
  await stores.stop();
}

await runCommand({ usage: USAGE, run });
