/**
 * The embedded MongoDB: a small, strict single-node server of MongoDB's wire protocol for machines without a mongod.
 * It stores raw BSON in one SQLite file, listens on a private unix socket and answers exactly what `allow-list.ts`
 * names, with MongoDB's results and error codes; the official driver is its only client. It must not know anything of
 * calibration. It is for laptops and tests; production uses a real MongoDB.
 */
import { Worker } from 'node:worker_threads';
import { StoresError } from '../stores-error.ts';
import { type Log } from './log.ts';
import { claimSocketPath } from './socket-path.ts';
import { type FromWorker } from './worker-messages.ts';

/** Where and how to run. */
export type MongoOptions = {
  /** SQLite file, locked for as long as the server runs; `:memory:` keeps nothing. */
  readonly file: string;
  /** Socket in a folder of mode 0700, which is created if missing; at most 107 bytes long. */
  readonly socketPath: string;
  readonly log?: Log;
  /** Test mode: answers every query also without indexes and fails it if the answers differ. */
  readonly checkQueries?: boolean;
};

/** A running server. */
export type RunningMongo = {
  /** For the official driver, as it is. */
  readonly uri: string;
  /** Settles once the server is gone: with `undefined` after `stop()`, else with an error that says how it ended. */
  readonly exited: Promise<Error | undefined>;
  /** Ends all connections and closes the file. What was acknowledged is on disk in any case. May be called again. */
  readonly stop: () => Promise<void>;
};

/** Starts the server in a worker thread; throws StoresError if the file or the socket is in use or cannot be used. */
export async function startMongo(options: MongoOptions): Promise<RunningMongo> {
  const { file, socketPath, log = () => undefined, checkQueries = false } = options;
  await claimSocketPath(socketPath);
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { file, socketPath, checkQueries },
  });
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', (cause: unknown) =>
      resolve(new Error(`the embedded MongoDB ended by itself: ${String(cause)}`, { cause })),
    );
    worker.once('exit', (code) =>
      resolve(new Error(`the embedded MongoDB ended by itself (exit code ${code})`)),
    );
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

/** The worker tells first whether it runs; rejects if it ended instead. */
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
