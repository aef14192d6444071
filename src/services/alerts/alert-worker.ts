/** Runs the work of alerts again and again until it is closed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/log.ts';

export type AlertWorker = {
  /** Waits for the step in progress. */
  close(): Promise<void>;
};

/** A step returns how much it did; after a step that did something the next one follows at once. */
export type AlertStep = { readonly what: string; readonly run: (signal: AbortSignal) => Promise<number> };

/** Each step in a loop of its own, so that a slow receiver does not hold up evaluations. */
export function startAlertWorker(steps: readonly AlertStep[], pauseMs: number, log: Logger): AlertWorker {
  const closing = new AbortController();
  const { signal } = closing;
  const loops = steps.map(async ({ what, run }) => {
    while (!signal.aborted) {
      let done = 0;
      try {
        done = await run(signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, `${what} failed; it is tried again`);
      }
      if (done === 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  });
  return {
    close: async () => {
      closing.abort();
      await Promise.all(loops);
    },
  };
}
