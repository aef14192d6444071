/**
 * File access confined to one folder, whatever links it contains: every folder on a path is checked without following
 * links, and opening a link fails. Writes are atomic.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidInputError } from '../base/errors.ts';
import { systemCode } from './system-code.ts';

/** A file on disk; `path` is relative to the folder, separated by `/`. */
export type FileEntry = { readonly path: string; readonly sizeBytes: number; readonly modifiedAt: Date };

/** A folder that accesses cannot leave. Paths come from `workspacePath`. */
export type ConfinedFolder = {
  /** All regular files, sorted by path, without links and special files. */
  list(): Promise<readonly FileEntry[]>;
  /**
   * Null if the file does not exist.
   * @throws InvalidInputError for a link, a special file, or a file larger than `maxBytes`.
   */
  read(path: string, maxBytes: number): Promise<Buffer | null>;
  /**
   * Replaces the file atomically and creates missing folders.
   * @throws InvalidInputError if a folder, link or file is in the way.
   */
  write(path: string, body: Buffer): Promise<void>;
  /** Removes partial files of killed writers. */
  removeUnfinished(): Promise<void>;
};

const UNFINISHED = '.unfinished-';
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_CREAT, O_EXCL, O_WRONLY } = constants;

/** Opens the folder, or creates it with access for its owner only. */
export async function openConfinedFolder(folder: string): Promise<ConfinedFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return within(await realpath(folder));
}

/** Opens the folder if it exists. */
export async function findConfinedFolder(folder: string): Promise<ConfinedFolder | null> {
  return (await statOf(folder))?.isDirectory() === true ? within(await realpath(folder)) : null;
}

function within(root: string): ConfinedFolder {
  return {
    list: async () => (await walk(root, '')).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    read: (path, maxBytes) => readFile(root, path, maxBytes),
    write: (path, body) => writeFile(root, path, body),
    removeUnfinished: () => removeUnfinished(root),
  };
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeUnfinished(path);
    else if (entry.name.startsWith(UNFINISHED)) await rm(path, { force: true });
  }
}

async function walk(root: string, below: string): Promise<readonly FileEntry[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly FileEntry[]> => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith(UNFINISHED)) return [];
      if (entry.isDirectory()) return walk(root, path);
      if (!entry.isFile()) return [];
      const stats = await statOf(join(root, path));
      return stats === null ? [] : [{ path, sizeBytes: stats.size, modifiedAt: new Date(stats.mtimeMs) }];
    }),
  );
  return found.flat();
}

async function readFile(root: string, path: string, maxBytes: number): Promise<Buffer | null> {
  const parent = await parentOf(root, path, false);
  if (parent === null) return null;
  const handle = await openPlain(join(parent, lastOf(path)), path);
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw inTheWay(path, 'is not a file');
    if (stats.size > maxBytes) {
      throw inTheWay(path, `has ${stats.size} bytes, of which at most ${maxBytes} are read`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Opens without following links and without blocking on pipes. */
async function openPlain(file: string, path: string): Promise<FileHandle | null> {
  try {
    return await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (['ELOOP', 'EMLINK', 'ENXIO'].includes(systemCode(error)))
      throw inTheWay(path, 'is a link or no file');
    throw error;
  }
}

async function writeFile(root: string, path: string, body: Buffer): Promise<void> {
  const parent = await parentOf(root, path, true);
  if (parent === null) throw inTheWay(path, 'lies in a folder that was just removed');
  const target = join(parent, lastOf(path));
  const before = await statOf(target);
  if (before !== null && !before.isFile()) throw inTheWay(path, 'is a folder or a link, not a file');
  const unfinished = join(parent, `${UNFINISHED}${randomUUID()}`);
  try {
    const handle = await open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await handle.writeFile(body);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The real parent folder of a path; null if one is missing and `make` is false. */
async function parentOf(root: string, path: string, make: boolean): Promise<string | null> {
  let folder = root;
  for (const segment of path.split('/').slice(0, -1)) {
    folder = join(folder, segment);
    const stats = await statOf(folder);
    if (stats === null) {
      if (!make) return null;
      await mkdir(folder, { mode: 0o700 });
    } else if (!stats.isDirectory()) {
      throw inTheWay(path, `lies below ${segment}, which is no folder`);
    }
  }
  return folder;
}

async function statOf(file: string): Promise<Stats | null> {
  try {
    return await lstat(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const inTheWay = (path: string, why: string): InvalidInputError =>
  new InvalidInputError([{ path: ['path'], message: `${path} ${why}; choose another name` }]);
