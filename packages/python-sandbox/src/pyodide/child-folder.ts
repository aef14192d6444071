/**
 * The only folder that contained processes may read, with copies of everything they load: our program, Pyodide,
 * wheels and the snapshot. A single folder, since some Node 22 releases let the root folder be listed when several
 * folders are readable.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { useFolder, type FolderUse } from './folder-use.ts';
import { PYODIDE_FOLDER, pyodideVersion } from './pyodide-package.ts';
import type { RealmAssets } from './realm.ts';
import type { Wheels } from './wheels.ts';
import { writeWhole } from './whole-file.ts';

/** Paths of the files that contained processes load. */
export type ChildFolder = {
  readonly path: string;
  readonly assets: RealmAssets;
  readonly snapshotPath: string;
  /** Protects the folder from removal until released. */
  readonly use: FolderUse;
};

/** Our own files that contained processes load, relative to `src`; the snapshot depends on them. */
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

/** File contents by path in the folder. */
type Contents = ReadonlyMap<string, Buffer>;

/**
 * Creates or repairs the folder below `cacheDir`, which must be a real path. Its name depends on its contents and on
 * `snapshotDependsOn`, so that versions coexist. Every file that differs from its original is copied again, so nothing
 * planted there is loaded.
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

/** The same wheels, read from copies in the folder. */
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
