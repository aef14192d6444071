import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { StoresError } from './stores-error.ts';

/** A held lock. It ends with `release()` or with the process, however that ends. Releasing twice is harmless. */
export type FileLock = { release(): void };

const SQLITE_BUSY = 5;
const sqliteErrorSchema = z.object({ code: z.literal('ERR_SQLITE_ERROR'), errcode: z.int() });

/**
 * Takes an exclusive lock on `path` (made if missing), or returns `undefined` if anybody, this process included, holds it.
 *
 * Node has no `flock`, so the lock is an open transaction of an empty SQLite file: the operating system drops it when
 * the holder dies, kill -9 included, and no file has to be cleaned up. The file itself means nothing and must not be
 * opened by anything else: POSIX drops a process's locks when it closes *any* descriptor of the file.
 * @throws StoresError if the file cannot be made or written
 */
export function tryFileLock(path: string): FileLock | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const database = open(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    // The low byte is the primary code; the rest says which kind of busy.
    const known = sqliteErrorSchema.safeParse(error);
    if (known.success && (known.data.errcode & 0xff) === SQLITE_BUSY) return undefined;
    throw cannotLock(path, error);
  }
  return {
    release: () => {
      if (database.isOpen) database.close();
    },
  };
}

function open(path: string): DatabaseSync {
  try {
    // Two that try in the same instant must not both give up, so each waits a moment for the other.
    return new DatabaseSync(path, { timeout: 50 });
  } catch (error) {
    throw cannotLock(path, error);
  }
}

function cannotLock(path: string, cause: unknown): StoresError {
  return new StoresError(`${path} cannot be locked; DATA_DIR must be a folder that this user may write to`, {
    cause,
  });
}
