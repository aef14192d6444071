/**
 * The embedded MongoDB: a small, strict, single-node server that speaks MongoDB's wire protocol to the official
 * driver. It stores raw BSON in one SQLite file, listens on a private unix socket and supports exactly what
 * `allow-list.ts` names, with MongoDB's results and error codes. It is for laptops and tests; production uses a
 * real MongoDB.
 */
import { Worker } from 'node:worker_threads';
import { StoresError } from '../stores-error.ts';
import { type Log } from './log.ts';
import { claimSocketPath } from './socket-path.ts';
import { type FromWorker } from './worker-messages.ts';

/** Where and how to run. */
export type MongoOptions = {
  /** SQLite file, locked while the server runs; `:memory:` for none. */
  readonly file: string;
  /** At most 107 bytes; its folder is created with mode 0700 if missing. */
  readonly socketPath: string;
  readonly log?: Log;
  /** Test mode: runs every query a second time without indexes, and fails it if the results differ. */
  readonly checkQueries?: boolean;
  /**
   * Test mode: what a query leaves open, the order of unsorted documents and of ties, is different each time. Not together
   * with `checkQueries`, whose runs could then differ.
   */
  readonly shuffleSeed?: number | undefined;
};

/** A running server. */
export type RunningMongo = {
  /** Connection string for the official driver. */
  readonly uri: string;
  /**
   * Resolves once the server is gone: with `undefined` after `stop()`, else with an error that describes how it
   * ended.
   */
  readonly exited: Promise<Error | undefined>;
  /** Ends all connections and closes the file. Acknowledged writes are on disk in any case. Idempotent. */
  readonly stop: () => Promise<void>;
};

/** Starts the server in a worker thread; throws StoresError if the file or the socket is in use or cannot be used. */
export async function startMongo(options: MongoOptions): Promise<RunningMongo> {
  const { file, socketPath, log = () => undefined, checkQueries = false, shuffleSeed } = options;
  await claimSocketPath(socketPath);
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { file, socketPath, checkQueries, shuffleSeed },
  });
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', (cause: unknown) =>
      resolve(new Error(`the embedded MongoDB crashed: ${String(cause)}`, { cause })),
    );
    worker.once('exit', (code) => resolve(new Error(`the embedded MongoDB crashed (exit code ${code})`)));
  });
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  const started = await firstReport(worker, ended, log);
  if (started.kind === 'refused') {
    await worker.terminate();
    throw new StoresError(started.message);
  }
  let stopping = false;
  const exited = gone.then(async () => (stopping ? undefined : ended));
  return {
    uri: `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true`,
    exited,
    stop: async () => {
      stopping = true;
      worker.postMessage('stop');
      await exited;
    },
  };
}

/** The worker's first message: whether it runs. Rejects if the worker ended instead. */
function firstReport(
  worker: Worker,
  ended: Promise<Error>,
  log: Log,
): Promise<Exclude<FromWorker, { kind: 'log' }>> {
  return new Promise((resolve, reject) => {
    void ended.then(reject);
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'log') log(message.level, message.message);
      else resolve(message);
    });
  });
}
