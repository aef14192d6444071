/** Entry of the worker thread: opens the store, listens, and closes both on request. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { StoresError } from '../stores-error.ts';
import { createCursors } from './cursors.ts';
import { type Log } from './log.ts';
import { listen } from './server.ts';
import { createShuffle } from './shuffle.ts';
import { openSqlite } from './store/sqlite.ts';
import { openStore } from './store/store.ts';
import { type FromWorker, WORKER_DATA } from './worker-messages.ts';

if (!parentPort) throw new Error('worker.ts runs as a worker thread only; startMongo starts it');
const port = parentPort;
const send = (message: FromWorker): void => port.postMessage(message);
const log: Log = (level, message) => send({ kind: 'log', level, message });

try {
  const { file, socketPath, checkQueries, shuffleSeed } = z.parse(WORKER_DATA, workerData);
  const store = openStore(
    openSqlite(file),
    shuffleSeed === undefined ? undefined : createShuffle(shuffleSeed),
  );
  const context = { store, cursors: createCursors(), checkQueries };
  const server = await listen(socketPath, context, log);
  port.once('message', () => {
    void server.close().then(() => {
      store.close();
      port.close();
    });
  });
  send({ kind: 'ready' });
} catch (error) {
  if (!(error instanceof StoresError)) throw error;
  send({ kind: 'refused', message: error.message });
}
