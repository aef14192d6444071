import type { Waiting } from '../../src/agent/loop/retry-policy.ts';

/** Waits that pass at once: the clock jumps instead, and each wait is noted in milliseconds. */
export function fakeWaiting(random: () => number = () => 0.5) {
  const waits: number[] = [];
  let jumped = 0;
  const waiting: Waiting = {
    pause: (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      jumped += ms;
      return Promise.resolve();
    },
    random,
  };
  return { waiting, clock: () => performance.now() + jumped, waits };
}
