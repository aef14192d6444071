/**
 * Which of the folders of contained processes are in use, across processes and versions of the program: whoever needs one
 * holds a lock that others may hold, too, and whoever removes one must be its only holder. As Node has no locks on files,
 * these are transactions of empty SQLite files; the operating system drops them with their process.
 */
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A folder that nobody removes until `release`, or the end of the process. */
export type FolderUse = { release(): void };

const LOCK = '.lock';
/** For whoever removes it just now; one folder takes a fraction of a second. */
const WAIT_MS = 10_000;
/** Folders of versions and settings that change places come back soon, and are costly to make. */
const UNUSED_MS = 7 * 24 * 3600 * 1000;

/** Takes the folder `path`, which need not be there yet, into use. */
export async function useFolder(path: string): Promise<FolderUse> {
  const lock = new DatabaseSync(`${path}${LOCK}`, { timeout: WAIT_MS });
  try {
    lock.exec('BEGIN; SELECT count(*) FROM sqlite_master');
    const now = new Date();
    await utimes(`${path}${LOCK}`, now, now);
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    release: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

/**
 * Removes the folders below `cacheDir` that no process uses and none has begun to use for a week. Their empty lock files
 * stay: one that is made anew would be another one than that of a process which waits for it.
 */
export async function removeUnusedFolders(cacheDir: string): Promise<void> {
  const names = await readdir(cacheDir);
  for (const name of names.filter((each) => each.endsWith(LOCK))) {
    const folder = join(cacheDir, name.slice(0, -LOCK.length));
    const { mtimeMs } = await stat(join(cacheDir, name));
    if (!names.includes(name.slice(0, -LOCK.length)) || Date.now() - mtimeMs < UNUSED_MS) continue;
    await removeUnlessUsed(folder);
  }
}

async function removeUnlessUsed(folder: string): Promise<void> {
  const lock = new DatabaseSync(`${folder}${LOCK}`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    await rm(folder, { recursive: true, force: true });
  } catch {
    // It is in use, or may not be removed: it costs room on the disk and nothing else, and the next start tries again.
  } finally {
    lock.close();
  }
}
