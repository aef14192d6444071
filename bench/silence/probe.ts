/**
 * Loaded into a server by `--import`: measures for how long its main thread does nothing else, in processor time, and the memory of
 * the process. A message starts the measurement anew, and is answered by what was measured since the one before.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** What was measured between two messages. */
export type Silence = {
  /** Longest time between two turns of the event loop, in milliseconds of the thread's processor time. */
  readonly longestMs: number;
  /** Processor time of the main thread. */
  readonly mainMs: number;
  /** Of the whole process, its threads included. */
  readonly processMs: number;
  /** Largest resident memory of the process, threads included. */
  readonly peakBytes: number;
  readonly residentBytes: number;
};

const EVERY_MS = 2;

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const processMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The kernel's own mark; 5 sets it back. */
const peakBytes = (): number => {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};
const forgetPeak = (): void => writeFileSync('/proc/self/clear_refs', '5');

let last = threadMs();
let longest = 0;
let since = { main: last, all: processMs() };
const look = (): void => {
  const now = threadMs();
  longest = Math.max(longest, now - last);
  last = now;
};
setInterval(look, EVERY_MS).unref();

process.on('message', () => {
  look();
  const silence: Silence = {
    longestMs: longest,
    mainMs: last - since.main,
    processMs: processMs() - since.all,
    peakBytes: peakBytes(),
    residentBytes: process.memoryUsage.rss(),
  };
  forgetPeak();
  process.send?.(silence);
  last = threadMs();
  longest = 0;
  since = { main: last, all: processMs() };
});
process.channel?.unref();
