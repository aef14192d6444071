/**
 * Opens the stores of the folder given as the first argument and prints what it got as JSON; holds them until it
 * is killed. SIGUSR2 ends the thread of its MongoDB, as a crash would.
 */
import type { Worker } from 'node:worker_threads';
import { openStores } from '../src/stores.ts';
import { silentLog } from './silent-log.ts';

let thread: Worker | undefined;
process.on('worker', (worker) => void (thread = worker));
process.on('SIGUSR2', () => void thread?.terminate());

const { postgresUrl, mongoUri, owned } = await openStores({
  dataDir: process.argv[2] ?? '',
  log: silentLog,
});
process.stdout.write(`${JSON.stringify({ postgresUrl, mongoUri, owned })}\n`);
setInterval(() => {}, 60_000);
