/** Opens the stores of the folder given as the first argument and prints what it got as JSON; holds them until it is killed. */
import { openStores } from '../../src/embedded/stores.ts';
import { createLogger } from '../../src/log.ts';

const { postgresUrl, mongoUri, owned } = await openStores({
  dataDir: process.argv[2] ?? '',
  log: createLogger('silent'),
});
process.stdout.write(`${JSON.stringify({ postgresUrl, mongoUri, owned })}\n`);
setInterval(() => {}, 60_000);
