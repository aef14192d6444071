import { readFileSync, readdirSync } from 'node:fs';
import { residentBytes } from '../../src/process-tree.ts';
import type { EngineName } from '../../src/walls.ts';
import { until } from '@qpilot/test-support';

/**
 * Processes started by one thread of this process, or of another. Read from `/proc`, so on Linux alone, as all of
 * this.
 */
export const childrenOfThread = (thread: string, pid = process.pid): number[] =>
  readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').map(Number).filter(Boolean);

/** Those of all its threads but the main one. */
export const childrenOfWorkers = (pid = process.pid): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .filter((thread) => thread !== String(pid))
    .flatMap((thread) => childrenOfThread(thread, pid));

/** Code that is told apart from waiting processes by its memory, and is never ready. */
export const BIG_LOOP = 'memory = bytearray(190_000_000)\nwhile True: pass';
const BIG_BYTES = { pyodide: 330_000_000, native: 192_000_000 };

/** It runs what the engine started: a child that was just forked still shows the command, and the memory, of its parent. */
export const isContained = (pid: number): boolean => {
  try {
    return /job-process\.ts|bwrap/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
  } catch {
    return false;
  }
};

/** The process, as the worker started it, that runs {@link BIG_LOOP}. */
export async function busyProcess(engine: EngineName): Promise<number> {
  return await until(
    async () => {
      for (const pid of childrenOfWorkers().filter(isContained))
        if ((await residentBytes(pid)) > BIG_BYTES[engine]) return pid;
      return undefined;
    },
    { what: 'a process that runs the loop' },
  );
}

/** A killed process whose new parent has not noticed yet is no longer alive. */
export const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
};

/** A worker of this process has seen its end. */
export const hasGone = (pid: number): boolean => !childrenOfWorkers().includes(pid);
