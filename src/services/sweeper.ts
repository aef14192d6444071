import type { Logger } from '../base/log.ts';

/** Regularly removes data that are of no more use. Whoever started it closes it. */
export type Sweeper = {
  /** Waits for the batch in progress. */
  close(): Promise<void>;
};

/** A kind of data to remove; `removeSome` removes a batch and returns its size, 0 when nothing is left. */
export type Swept = {
  readonly what: string;
  readonly removeSome: () => Promise<number>;
  /** What is done with them, if they are not removed. */
  readonly done?: 'indexed';
};

const HOUR_MS = 3600 * 1000;
/** Of one kind in one sweep; the next one continues. */
const MAX_BATCHES = 1_000;

/**
 * Sweeps at once, then every hour: one kind after the other, one batch after the other, so that a sweep takes one
 * connection. A failed removal is logged and tried again.
 */
export function startSweeper(kinds: readonly Swept[], log: Logger): Sweeper {
  const closing = new AbortController();
  let sweeping = sweepOnce(kinds, log, closing.signal);
  const timer = setInterval(() => {
    sweeping = sweeping.then(() => sweepOnce(kinds, log, closing.signal));
  }, HOUR_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      closing.abort();
      await sweeping;
    },
  };
}

/** One sweep, which ends after the batch in progress when `signal` fires. */
export async function sweepOnce(kinds: readonly Swept[], log: Logger, signal: AbortSignal): Promise<void> {
  for (const { what, removeSome, done = 'removed' } of kinds) {
    let removed = 0;
    try {
      for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1) {
        const some = await removeSome();
        if (some === 0) break;
        removed += some;
      }
    } catch (error) {
      log.warn({ err: error }, `${what} could not be ${done}`);
    }
    if (removed > 0) log.info({ [done]: removed }, `${done} ${what}`);
  }
}
