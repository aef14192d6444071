import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const PAGE_BYTES = 4096;

/**
 * Resident memory in bytes of the process that does the work: the child of `pid` where `pid` is `unshare`, else `pid`
 * itself. 0 where there is no such process or the system does not tell (Windows).
 */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') return await residentOnLinux(childrenOf(pid)[0] ?? pid);
    if (process.platform === 'win32') return 0;
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}

/** SIGKILL for the children of `pid`, where the system tells which they are. `unshare` would do it too, a little later. */
export function killChildren(pid: number): void {
  for (const child of childrenOf(pid)) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has gone by itself.
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

async function residentOnLinux(pid: number): Promise<number> {
  const [, resident] = (await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ');
  return Number(resident) * PAGE_BYTES;
}
