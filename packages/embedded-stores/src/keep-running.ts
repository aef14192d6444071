import type { StoresLog } from './log.ts';

const MAX_RESTARTS = 3;
const WITHIN_MS = 60_000;

/** A server that may end by itself. */
export type EndingServer = {
  /** Settles once it is gone: with `undefined` after `stop()`, else with an error that says how it ended. */
  readonly exited: Promise<Error | undefined>;
  readonly stop: () => Promise<void>;
};

/** Options of {@link keepRunning}. */
export type KeepOptions = {
  /** For the log: `the embedded Postgres`. */
  readonly what: string;
  readonly log?: StoresLog | undefined;
  /** Called once if the server ended by itself and cannot be started again, or not for long. */
  readonly onFailure: (error: Error) => void;
};

/**
 * Starts a server and starts it again whenever it ends by itself: killed for want of memory, for example. Its address is
 * `start`'s to keep. Clients come back by themselves, requests under way have failed. The fourth end within a minute is
 * given up.
 * @param start is given a signal only when it starts again
 * @returns the first server, and how to stop the one that runs by then
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
      // It may have come up just when stop() looked at the one before.
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
