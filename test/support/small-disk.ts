import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of its own, which can be filled. */
export type SmallDisk = {
  readonly folder: string;
  resize(kilobytes: number): Promise<void>;
  remove(): Promise<void>;
};

/** Null where only root may mount one; the run then says what was skipped. */
export async function mountSmallDisk(kilobytes: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-small-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    process.stderr.write('skipped: mounting a small disk needs root; run the tests as root to include it\n');
    return null;
  }
  return {
    folder,
    async resize(size) {
      await run('mount', ['-o', `remount,size=${size}k`, folder]);
    },
    async remove() {
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true });
    },
  };
}
