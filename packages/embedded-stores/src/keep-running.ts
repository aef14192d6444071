import { setTimeout as sleep } from 'node:timers/promises';
import type { StoresLog } from './log.ts';

/** Before the first, second, … start within a minute; the last one before all that follow. */
const PAUSES_MS = [0, 0, 0, 1_000, 2_000, 5_000, 10_000];
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
};

/**
 * Starts a server and restarts it whenever it dies, for example when the system runs out of memory or disk: at once the
 * first times, then with pauses, for as long as it takes. `start` must keep the address, so that clients reconnect;
 * requests in flight fail.
 * @param start gets a signal only for a restart
 * @returns the first server, and a function that stops the current one
 */
export async function keepRunning<Server extends EndingServer>(
  start: (signal?: AbortSignal) => Promise<Server>,
  { what, log }: KeepOptions,
): Promise<{ readonly first: Server; readonly stop: () => Promise<void> }> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const first = await start();
  let current = first;
  let starts: readonly number[] = [];

  const startAgain = async (): Promise<Server> => {
    for (;;) {
      const now = performance.now();
      starts = [...starts.filter((at) => now - at < WITHIN_MS), now];
      const pauseMs = PAUSES_MS[starts.length - 1] ?? PAUSES_MS.at(-1);
      try {
        await sleep(pauseMs, undefined, { signal });
        return await start(signal);
      } catch (error) {
        signal.throwIfAborted();
        log?.error({ err: error }, `${what} cannot be started; trying again`);
      }
    }
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      const error = await current.exited;
      if (!error) return;
      log?.error({ err: error }, `${what} ended`);
      current = await startAgain();
      log?.info(`${what} runs again`);
      // stop() may have been called while it started, and stopped the previous one.
      if (signal.aborted) await current.stop();
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await current.stop();
    await watching;
  };
  return { first, stop };
}
