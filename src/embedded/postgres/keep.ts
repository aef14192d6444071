import { startPostgres } from './start.ts';
import type { EmbeddedPostgres, PostgresOptions } from './start.ts';

const MAX_RESTARTS = 3;
const WITHIN_MS = 60_000;

/** Options of {@link keepPostgres}. */
export type KeepOptions = PostgresOptions & {
  /** Called once if Postgres ended by itself and cannot be started again, or not for long. */
  readonly onFailure: (error: Error) => void;
};

/**
 * A Postgres that is started again, on the same socket, whenever it ends by itself: killed for want of memory, for
 * example. Pools of clients come back by themselves, statements under way have failed. The fourth end within a minute is
 * given up.
 */
export async function keepPostgres(options: KeepOptions): Promise<Pick<EmbeddedPostgres, 'url' | 'stop'>> {
  const stopping = new AbortController();
  const first = await startPostgres(options);
  let current = first;

  const watch = async (): Promise<void> => {
    const ends: number[] = [];
    for (;;) {
      const error = await current.exited;
      if (!error) return;
      ends.push(performance.now());
      options.log?.error({ err: error }, 'the embedded Postgres ended');
      if (ends.length > MAX_RESTARTS && performance.now() - (ends.at(-1 - MAX_RESTARTS) ?? 0) < WITHIN_MS)
        throw error;
      current = await startPostgres({ ...options, signal: stopping.signal });
      options.log?.info({ pid: current.pid }, 'the embedded Postgres runs again');
      // It may have come up just when stop() looked at the one before.
      if (stopping.signal.aborted) await current.stop();
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (!stopping.signal.aborted)
      options.onFailure(error instanceof Error ? error : new Error(String(error)));
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await current.stop();
    await watching;
  };
  return { url: first.url, stop };
}
