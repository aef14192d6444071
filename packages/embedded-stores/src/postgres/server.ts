import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { StoresError } from '../stores-error.ts';
import type { Cluster } from './cluster.ts';
import { programEnvironment } from './environment.ts';
import { launchAs } from './identity.ts';

const SHUTDOWN_GRACE_MS = 10_000;
const LAST_WORDS_MS = 200;
const KEPT_LOG_LINES = 20;

/** Another Postgres runs on the cluster; the process that started it may be dead. */
export class ClusterInUseError extends StoresError {}

/** A running postmaster. */
export type Server = {
  readonly pid: number;
  /** The folder that it serves. */
  readonly cluster: string;
  /**
   * Resolves once the process is gone: with `undefined` after {@link Server.stop}, else with an error that quotes
   * its last log lines.
   */
  readonly exited: Promise<Error | undefined>;
  /** Fast shutdown: open transactions are rolled back. Resolves when the process is gone. Idempotent. */
  stop(): Promise<void>;
};

/** What {@link runServer} starts. */
export type ServerOptions = {
  readonly postgres: string;
  readonly cluster: Cluster;
  readonly settings: Readonly<Record<string, string>>;
  /** Gets each line of the server's log. */
  readonly onLog: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Starts `postgres` on a cluster and resolves when it accepts connections.
 * @throws ClusterInUseError if another Postgres runs on the cluster
 */
export async function runServer(options: ServerOptions): Promise<Server> {
  options.signal?.throwIfAborted();
  const child = spawnServer(options);
  const { lastLines, ready } = readLog(child, options.onLog);
  const gone = Promise.withResolvers<string>();
  child.on('error', (error) => gone.resolve(error.message));
  child.on('exit', (code, signal) => {
    // A backend in the middle of a query outlives a killed postmaster and keeps the log open: do not wait long for
    // its end.
    const closed = once(child, 'close', { signal: AbortSignal.timeout(LAST_WORDS_MS) }).catch(
      () => undefined,
    );
    void closed.then(() => {
      child.stderr?.destroy();
      gone.resolve(signal ?? `exit code ${code}`);
    });
  });
  const server = supervise(child, options.cluster.folder, gone.promise, lastLines);
  const abort = (): void => void server.stop();
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([ready, gone.promise.then(() => failStart(lastLines, options))]);
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
  return server;
}

function spawnServer({ postgres, cluster, settings }: ServerOptions): ChildProcess {
  const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = launchAs(cluster.identity, postgres, [
    '-D',
    cluster.folder,
    ...settingArgs,
  ]);
  return spawn(file, args, {
    ...options,
    cwd: cluster.folder,
    env: programEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Outside the terminal's process group: on Ctrl-C our own process shuts down first, then stops Postgres.
    detached: process.platform !== 'win32',
  });
}

/** Forwards the log line by line and keeps its end; `ready` resolves when clients may connect. */
function readLog(
  child: ChildProcess,
  onLine: (line: string) => void,
): { lastLines: readonly string[]; ready: Promise<void> } {
  const lastLines: string[] = [];
  const ready = Promise.withResolvers<void>();
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      onLine(line);
      lastLines.push(line);
      if (lastLines.length > KEPT_LOG_LINES) lastLines.shift();
      if (line.includes('database system is ready to accept connections')) ready.resolve();
    });
  }
  return { lastLines, ready: ready.promise };
}

function failStart(lastLines: readonly string[], { signal, cluster }: ServerOptions): never {
  signal?.throwIfAborted();
  const text = lastLines.join('\n');
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(text)) {
    throw new ClusterInUseError(`Another Postgres runs on ${cluster.folder}:\n${text}`);
  }
  if (/No space left on device|Disk quota exceeded/.test(text)) {
    throw new StoresError(
      `The disk of ${cluster.folder} is full, so the embedded Postgres cannot start; make room on it.`,
    );
  }
  throw new StoresError(
    `The embedded Postgres did not start on ${cluster.folder}; set DATABASE_URL to use another server. Its log ends:\n${text}`,
  );
}

function supervise(
  child: ChildProcess,
  cluster: string,
  gone: Promise<string>,
  lastLines: readonly string[],
): Server {
  let stopped: Promise<void> | undefined;
  const stopWithUs = (): void => void child.kill('SIGINT');
  process.once('exit', stopWithUs);

  const exited = gone.then((how) => {
    process.off('exit', stopWithUs);
    return stopped
      ? undefined
      : new Error(`The embedded Postgres ended by itself (${how}). Its log ends:\n${lastLines.join('\n')}`);
  });
  const stop = async (): Promise<void> => {
    // Windows has no signals: there the process ends at once, and the next start recovers as after a crash.
    child.kill('SIGINT');
    const lastResort = setTimeout(() => child.kill('SIGQUIT'), SHUTDOWN_GRACE_MS);
    await gone;
    clearTimeout(lastResort);
  };
  return { pid: child.pid ?? 0, cluster, exited, stop: () => (stopped ??= stop()) };
}
