/** Files of the data folder and of the experts as parts of a backup. */
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FilledPart } from './container.ts';

/** Folders of a restore in progress, inside the data folder: it may be a mount, which cannot be renamed. */
export const RESTORING = '.restoring';
export const REPLACED = '.replaced';

/** What is not copied: the stores, which have parts of their own, and what is made again at each start. */
const NOT_COPIED = new Set(['postgres', 'mongo', 'run', 'sandbox', RESTORING, REPLACED]);

/** Every other file of the data folder: uploads, workspaces, the secret that signs cookies. */
export async function* readDataFiles(dataDir: string): AsyncGenerator<FilledPart> {
  for (const name of await readdir(dataDir)) {
    if (!NOT_COPIED.has(name)) yield* readFiles('data-file', dataDir, join(dataDir, name));
  }
}

/** Every file below `folder`. Those that are deleted meanwhile are left out. */
export async function* readFiles(
  kind: 'data-file' | 'expert-file',
  root: string,
  path: string,
): AsyncGenerator<FilledPart> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (entries === null) {
    const body = await unlessGone(path);
    if (body !== null) yield { part: { kind, path: relative(root, path).split(sep).join('/') }, body };
    return;
  }
  for (const entry of entries) {
    if (entry.isDirectory() || entry.isFile()) yield* readFiles(kind, root, join(path, entry.name));
  }
}

async function unlessGone(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Writes a file below `root`, for its user only. @throws for a path that leads out of it */
export async function restoreFile(root: string, path: string, body: Buffer): Promise<void> {
  const file = join(root, path);
  if (relative(root, file).startsWith('..')) throw new Error(`${path} leads out of the folder`);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, body, { mode: 0o600 });
}
