import type { StoresLog } from './log.ts';

const MAX_RESTARTS = 3;
const WITHIN_MS = 60_000;

/** A server that may die. */
export type EndingServer = {
  /** Resolves once it is gone: with `undefined` after `stop()`, else with an error that describes how it ended. */
  readonly exited: Promise<Error | undefined>;
  readonly stop: () => Promise<void>;
};

/** Options of {@link keepRunning}. */
export type KeepOptions = {
  /** Name for the log, such as `the embedded Postgres`. */
  readonly what: string;
  readonly log?: StoresLog | undefined;
  /** Called once if the server died and could not be restarted, or died too often. */
  readonly onFailure: (error: Error) => void;
};

/**
 * Starts a server and restarts it whenever it dies, for example when the system runs out of memory. `start` must
 * keep the address, so that clients reconnect; requests in flight fail. Gives up at the fourth death within a
 * minute.
 * @param start gets a signal only for a restart
 * @returns the first server, and a function that stops the current one
 */
export async function keepRunning<Server extends EndingServer>(
  start: (signal?: AbortSignal) => Promise<Server>,
  { what, log, onFailure }: KeepOptions,
): Promise<{ readonly first: Server; readonly stop: () => Promise<void> }> {
  const stopping = new AbortController();
  const first = await start();
  let current = first;

  const watch = async (): Promise<void> => {
    const ends: number[] = [];
    for (;;) {
      const error = await current.exited;
      if (!error) return;
      ends.push(performance.now());
      log?.error({ err: error }, `${what} ended`);
      if (ends.length > MAX_RESTARTS && performance.now() - (ends.at(-1 - MAX_RESTARTS) ?? 0) < WITHIN_MS)
        throw error;
      current = await start(stopping.signal);
      log?.info(`${what} runs again`);
      // stop() may have been called while it started, and stopped the previous one.
      if (stopping.signal.aborted) await current.stop();
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    const cause = error instanceof Error ? error : new Error(String(error));
    log?.error({ err: cause }, `${what} cannot be started again`);
    onFailure(cause);
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await current.stop();
    await watching;
  };
  return { first, stop };
}
