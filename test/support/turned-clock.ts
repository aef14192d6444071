import { setImmediate as nextTurn } from 'node:timers/promises';

type Timer = { at: number; readonly run: () => void };

/**
 * Replaces the timers of this process by those of a clock that stands still until it is turned. They can be refreshed,
 * which those of `node:test` and Jest cannot here. The caller stops it.
 */
export function startTurnedClock() {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const timers = new Set<Timer>();
  let now = 0;
  const set = (run: () => void, ms = 0) => {
    const timer: Timer = { at: now + ms, run };
    timers.add(timer);
    return {
      refresh(): void {
        timer.at = now + ms;
      },
      unref: () => undefined,
      timer,
    };
  };
  const clear = (handle: { readonly timer: Timer } | undefined): void => {
    if (handle !== undefined) timers.delete(handle.timer);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return {
    /** Lets the time pass, then whatever it set going. */
    async turn(ms: number): Promise<void> {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        if (timers.delete(timer)) timer.run();
      }
      await nextTurn();
      await nextTurn();
    },
    stop: (): void => void Object.assign(globalThis, real),
  };
}
