import type { Logger } from '../base/log.ts';

/** Removes what nobody needs any more, now and then. Whoever started it closes it. */
export type Sweeper = {
  /** Waits for removals that are under way. */
  close(): Promise<void>;
};

/** A kind of things to be removed; `removeUnused` resolves with how many it removed. */
export type Swept = { readonly what: string; readonly removeUnused: () => Promise<number> };

const HOUR_MS = 3600 * 1000;

/** Removes at once what was left behind, then every hour. A removal that fails is logged and tried again. */
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
