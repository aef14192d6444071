/** How busy or slow this machine is, for tests that bound the processor time of something. */

/** Of the work below on two idle cores of a server of 2024. */
const USUAL_MS = 5;
const WORDS = 'The T1 of Q12 is 59.5 μs, measured at 12:30; Q13 has 63.1 μs. '.repeat(500);

function work(): number {
  let length = 0;
  for (let time = 0; time < 4; time += 1) {
    const words = WORDS.match(/[\p{L}\d.]+/gu) ?? [];
    length += new Map(words.map((word, at) => [`${word}${at}`, { word, at }])).size;
  }
  return length;
}

/** Milliseconds of processor time of this process. */
export function processorMs(read: () => unknown): number {
  const before = process.cpuUsage();
  read();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** How many times as long as usual everything takes at the moment: 1 or more. */
export const slowness = (): number =>
  Math.max(1, Math.min(...Array.from({ length: 5 }, () => processorMs(work))) / USUAL_MS);
