import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { StoresError } from './stores-error.ts';

/**
 * A held lock. It ends with `release()` or with the process, even when that is killed. Releasing twice is
 * harmless.
 */
export type FileLock = { release(): void };

const SQLITE_BUSY = 5;
const sqliteErrorSchema = z.object({ code: z.literal('ERR_SQLITE_ERROR'), errcode: z.int() });

/**
 * Takes an exclusive lock on `path` (created if missing); `undefined` if any process, including this one, holds
 * it.
 *
 * Node has no `flock`, so the lock is an open transaction on an empty SQLite file: the operating system releases
 * it when the holder dies, even by kill -9, and leaves nothing to clean up. Nothing else may open the file: POSIX
 * releases a process's locks when it closes *any* descriptor of the file.
 * @throws StoresError if the file cannot be created or written
 */
export function tryFileLock(path: string): FileLock | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const database = open(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    // The low byte is the primary code; the rest refines it.
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
    // Of two processes that try at the same instant one must succeed, so each waits briefly for the other.
    return new DatabaseSync(path, { timeout: 50 });
  } catch (error) {
    throw cannotLock(path, error);
  }
}

const SQLITE_FULL = 13;

function cannotLock(path: string, cause: unknown): StoresError {
  const known = sqliteErrorSchema.safeParse(cause);
  if (known.success && (known.data.errcode & 0xff) === SQLITE_FULL) {
    return new StoresError(`the disk of ${path} is full; make room on it`, { cause });
  }
  return new StoresError(`${path} cannot be locked; DATA_DIR must be a folder that this user may write to`, {
    cause,
  });
}
