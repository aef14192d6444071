import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const PAGE_BYTES = 4096;

/**
 * Resident memory in bytes of `pid` and its descendants, launchers included. 0 if there is no such process, or on
 * Windows.
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

/**
 * Address space in bytes of the last process in the chain of launchers below `pid`, which runs the code; 0 if
 * unknown.
 */
export async function addressSpaceBytes(pid: number): Promise<number> {
  try {
    return (await statm([...descendants(pid)].at(-1) ?? pid)).virtual;
  } catch {
    return 0;
  }
}

/** Files and folders in the file system mounted at `folder` of the last process below `pid`; 0 if unknown. */
export async function filesIn(pid: number, folder: string): Promise<number> {
  try {
    const { files, ffree } = await statfs(`/proc/${[...descendants(pid)].at(-1) ?? pid}/root${folder}`);
    return files - ffree;
  } catch {
    return 0;
  }
}

/** SIGKILL for the children of `pid`, if the system lists them. Launchers do the same a little later. */
export function killChildren(pid: number): void {
  for (const child of childrenOf(pid)) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has exited already.
    }
  }
}

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

/** Zero for a process that has just exited. */
async function statm(pid: number): Promise<{ readonly virtual: number; readonly resident: number }> {
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '0 0');
  const [virtual = 0, resident = 0] = text.split(' ').map((pages) => Number(pages) * PAGE_BYTES);
  return { virtual, resident };
}
