/**
 * The one folder that contained processes may read, with copies of all that they load: their own program, Pyodide, the
 * wheels, and the snapshot that is made with them. One, since up to some release of 22 Node's permissions let the root folder
 * be listed when the files that may be read lie in several folders of it.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { useFolder, type FolderUse } from './folder-use.ts';
import type { RealmAssets } from './realm.ts';
import type { Wheels } from './wheels.ts';
import { writeWhole } from './whole-file.ts';

/** Where contained processes find what they load. */
export type ChildFolder = {
  readonly path: string;
  readonly assets: RealmAssets;
  readonly snapshotPath: string;
  /** Until this is released, no process removes it. */
  readonly use: FolderUse;
};

/** Files of ours that contained processes load, from the folder of the sandbox; the snapshot depends on them. */
const PROGRAM_FILES = [
  'pyodide/contained-io.ts',
  'pyodide/glue.ts',
  'pyodide/harden.ts',
  'pyodide/job-process.ts',
  'pyodide/job-realm.ts',
  'pyodide/realm-boot.js',
  'pyodide/realm-prelude.js',
  'pyodide/realm.ts',
  'pyodide/self-test-process.ts',
  'pyodide/sha256.ts',
  'pyodide/snapshot-file.ts',
  'pyodide/snapshot-process.ts',
  'python/modules.ts',
  'python/runner.py',
];
const PYODIDE_FILES = [
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'pyodide.js',
  'pyodide-lock.json',
  'python_stdlib.zip',
];

/** Bytes by path in the folder. */
type Contents = ReadonlyMap<string, Buffer>;

/** Folder of the npm package. */
export const PYODIDE_FOLDER: string = dirname(fileURLToPath(import.meta.resolve('pyodide/pyodide.asm.wasm')));

/**
 * The folder, below `cacheDir`, a real path. Its name changes with what is in it and with `snapshotDependsOn`, so that several
 * versions can be used at once. What is not there, or is not what it was copied from, is copied; so nothing that somebody
 * else left there is loaded.
 */
export async function ensureChildFolder(cacheDir: string, snapshotDependsOn: string): Promise<ChildFolder> {
  const contents = await readContents();
  const path = join(cacheDir, `pyodide-${await pyodideVersion()}-${keyOf(contents, snapshotDependsOn)}`);
  const use = await useFolder(path);
  try {
    for (const [name, bytes] of contents) await ensureCopy(join(path, name), bytes);
  } catch (error) {
    use.release();
    throw error;
  }
  return {
    path,
    use,
    assets: { pyodideFolder: join(path, 'assets'), ownFolder: join(path, 'program/pyodide') },
    snapshotPath: join(path, 'snapshot'),
  };
}

/** The wheels, from copies in the folder. */
export async function ensureWheels({ path }: ChildFolder, wheels: Wheels): Promise<Wheels> {
  const folder = join(path, 'wheels');
  for (const { file_name: file } of Object.values(wheels.packages)) {
    await ensureCopy(join(folder, file), await readFile(join(wheels.folder, file)));
  }
  return { ...wheels, folder };
}

async function readContents(): Promise<Contents> {
  const sandboxFolder = join(import.meta.dirname, '..');
  const from = (folder: string, files: readonly string[], to: string) =>
    files.map(async (file) => [join(to, file), await readFile(join(folder, file))] as const);
  return new Map(
    await Promise.all([
      ...from(sandboxFolder, PROGRAM_FILES, 'program'),
      ...from(PYODIDE_FOLDER, PYODIDE_FILES, 'assets'),
    ]),
  );
}

async function pyodideVersion(): Promise<string> {
  const text = await readFile(join(PYODIDE_FOLDER, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function keyOf(contents: Contents, snapshotDependsOn: string): string {
  const hash = createHash('sha256').update(snapshotDependsOn);
  for (const [name, bytes] of contents) hash.update(`\0${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}

async function ensureCopy(path: string, bytes: Buffer): Promise<void> {
  const found = await readFile(path).catch(() => null);
  if (found?.equals(bytes)) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(path, bytes);
}
