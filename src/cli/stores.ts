/** `npm run stores`: runs the embedded stores alone, for several processes to share, until SIGTERM or SIGINT. */
import { readConfig } from '../config.ts';
import { openStores } from '../embedded/stores.ts';
import { StartupError } from '../errors.ts';
import { createLogger } from '../log.ts';

async function run(): Promise<void> {
  const { dataDir, logLevel } = readConfig(process.env);
  const ended = Promise.withResolvers<Error | undefined>();
  const abort = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      abort.abort();
      ended.resolve(undefined);
    });
  }
  const stores = await openStores({
    dataDir,
    log: createLogger(logLevel),
    mode: 'own',
    onFailure: ended.resolve,
    signal: abort.signal,
  });
  process.stdout.write(`DATABASE_URL=${stores.postgresUrl}\nMONGODB_URI=${stores.mongoUri}\n`);
  const failure = await ended.promise;
  await stores.stop();
  if (failure) process.exitCode = 1;
}

try {
  await run();
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
