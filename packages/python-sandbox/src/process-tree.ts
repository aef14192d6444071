import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const PAGE_BYTES = 4096;

/**
 * Resident memory in bytes of `pid` and of everything it started, launchers included. 0 where there is no such process
 * or the system does not tell (Windows).
 */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') {
      const sizes = await Promise.all(
        [...descendants(pid)].map(async (each) => (await statm(each)).resident),
      );
      return sizes.reduce((sum, bytes) => sum + bytes, 0);
    }
    if (process.platform === 'win32') return 0;
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}

/** Address space in bytes of the process that does the work, the last in the line of launchers below `pid`; else 0. */
export async function addressSpaceBytes(pid: number): Promise<number> {
  try {
    return (await statm([...descendants(pid)].at(-1) ?? pid)).virtual;
  } catch {
    return 0;
  }
}

/** SIGKILL for the children of `pid`, where the system tells which they are. Launchers would do it too, a little later. */
export function killChildren(pid: number): void {
  for (const child of childrenOf(pid)) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has gone by itself.
    }
  }
}

/** `pid`, its children, and theirs. */
function* descendants(pid: number): Generator<number> {
  yield pid;
  for (const child of childrenOf(pid)) yield* descendants(child);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

/** A process that has just gone takes no memory. */
async function statm(pid: number): Promise<{ readonly virtual: number; readonly resident: number }> {
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '0 0');
  const [virtual = 0, resident = 0] = text.split(' ').map((pages) => Number(pages) * PAGE_BYTES);
  return { virtual, resident };
}
