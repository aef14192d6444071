import type { Logger } from '../base/log.ts';

/** Regularly removes unused data. Whoever started it closes it. */
export type Sweeper = {
  /** Waits for removals in progress. */
  close(): Promise<void>;
};

/** A kind of data to remove; `removeUnused` returns how many it removed. */
export type Swept = { readonly what: string; readonly removeUnused: () => Promise<number> };

const HOUR_MS = 3600 * 1000;

/** Sweeps at once, then every hour. A failed removal is logged and tried again. */
export function startSweeper(kinds: readonly Swept[], log: Logger): Sweeper {
  const sweep = async ({ what, removeUnused }: Swept): Promise<void> => {
    try {
      const removed = await removeUnused();
      if (removed > 0) log.info({ removed }, `removed ${what}`);
    } catch (error) {
      log.warn({ err: error }, `${what} could not be removed`);
    }
  };
  const sweepAll = async (): Promise<void> => void (await Promise.all(kinds.map(sweep)));
  let sweeping = sweepAll();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweepAll);
  }, HOUR_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}
