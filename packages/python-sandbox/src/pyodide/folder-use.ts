/**
 * Tracks which folders of contained processes are in use, across processes and program versions: users of a folder
 * hold a shared lock, and removing it takes an exclusive one. Node has no file locks, so these are transactions on
 * empty SQLite files, which the operating system releases when their process exits.
 */
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Protects a folder from removal until `release` or process exit. */
export type FolderUse = { release(): void };

const LOCK = '.lock';
/** Long enough for a removal in progress, which takes a fraction of a second. */
const WAIT_MS = 10_000;
/** Folders are costly to create, and alternating versions or settings come back soon. */
const UNUSED_MS = 7 * 24 * 3600 * 1000;

/** Marks the folder `path`, which need not exist yet, as in use. */
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
 * Removes the folders below `cacheDir` that are not in use and were last opened more than a week ago. Their lock files
 * stay: a recreated one would not be the file that another process is waiting on.
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
    // In use, or not removable: it only costs disk space, and the next start tries again.
  } finally {
    lock.close();
  }
}
