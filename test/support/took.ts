/**
 * Clocks of tests. Other work on the machine is not ours: what waits is judged by its fastest try, what computes by
 * CPU.
 */

/** How often a promised time may go into something comparable on a machine on which that takes long. */
const TIMES_THE_CONTROL = 5;

/** Milliseconds until `work` is done. */
export async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds of CPU that `work` takes on this thread, however many others want it. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * What a promise of `promisedMs` comes to on this machine: itself, or on a slow or busy one some times the fastest
 * control, something that makes the same kind of steps in the same test.
 */
export const promiseHereMs = (promisedMs: number, controlsMs: readonly number[]): number =>
  Math.max(promisedMs, TIMES_THE_CONTROL * Math.min(...controlsMs));

/** CPU of the work below on an idle core, in milliseconds. */
const USUAL_MS = 5;
const WORDS = 'The T1 of Q12 is 59.5 μs, measured at 12:30; Q13 has 63.1 μs. '.repeat(500);

function readWords(): void {
  for (let time = 0; time < 4; time += 1) {
    const words = WORDS.match(/[\p{L}\d.]+/gu) ?? [];
    new Map(words.map((word, at) => [`${word}${at}`, { word, at }]));
  }
}

/** How many times as much CPU as usual everything takes here at the moment, 1 or more: cores share what they have. */
export const slowness = (): number =>
  Math.max(1, Math.min(...Array.from({ length: 5 }, () => cpuMs(readWords))) / USUAL_MS);
