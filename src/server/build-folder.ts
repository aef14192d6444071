/**
 * Folders that are built from sources of a checkout. A build's folder is named by the hash of its sources, and only when it
 * is complete, so several processes may build at once and no reader sees half a build.
 */
import { glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSED = /\.(js|css|svg|json|html)$/;
const BROTLI_QUALITY = 9;
/** Builds of other sources are kept this long: a server that needs one may just be starting. */
const KEEP_MS = 24 * 3600 * 1000;

/** What is built, and from what. */
export type BuildPlan = {
  /** Folder of the builds, from the root of the checkout. */
  readonly folder: string;
  /** Patterns of the inputs of a build, from the root. */
  readonly sources: readonly string[];
  /** Those of them that builds write themselves. */
  readonly outputs: readonly string[];
  /** Writes a build into an empty folder, which is not there yet. */
  make(root: string, draft: string): Promise<void>;
};

/** Folder of the build of the current sources, and whether it exists. */
export async function findBuild(
  root: string,
  plan: BuildPlan,
): Promise<{ readonly folder: string; readonly exists: boolean }> {
  const folder = join(root, plan.folder, await sourceHash(root, plan));
  return { folder, exists: await exists(folder) };
}

/**
 * Builds the current sources unless a build exists, and removes old builds.
 * @returns the folder of the build
 * @throws what `make` throws
 */
export async function build(root: string, plan: BuildPlan): Promise<string> {
  const { folder, exists: isBuilt } = await findBuild(root, plan);
  if (isBuilt) return folder;
  const builds = join(root, plan.folder);
  const draft = join(builds, `.draft-${crypto.randomUUID()}`);
  await mkdir(builds, { recursive: true });
  try {
    await plan.make(root, draft);
    await publish(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOld(builds, folder);
  return folder;
}

/** Writes files of a folder also compressed, beside themselves. */
export async function compressFiles(folder: string): Promise<void> {
  const paths = await listFiles(folder, ['**/*.*']);
  const compressible = paths.filter((path) => COMPRESSED.test(path)).map((path) => join(folder, path));
  await Promise.all(
    compressible.map(async (path) => {
      const body = await readFile(path);
      const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
      await writeFile(`${path}.br`, await promisify(brotliCompress)(body, { params }));
      await writeFile(`${path}.gz`, await promisify(gzip)(body));
    }),
  );
}

/** Gives a draft its final name. If another process was first, its build is identical and this one is dropped. */
async function publish(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!(await exists(folder))) throw error;
  }
}

async function removeOld(builds: string, current: string): Promise<void> {
  for (const name of await readdir(builds)) {
    const folder = join(builds, name);
    if (folder === current) continue;
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > KEEP_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Paths of matching files below `cwd`, sorted. */
export async function listFiles(
  cwd: string,
  patterns: readonly string[],
  exclude: readonly string[] = [],
): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const entry of glob(patterns, { cwd, exclude, withFileTypes: true }))
    if (entry.isFile()) paths.push(relative(cwd, join(entry.parentPath, entry.name)));
  return [...new Set(paths)].toSorted();
}

/** Name of the build of the current sources; equal sources have equal names. */
async function sourceHash(root: string, { sources, outputs }: BuildPlan): Promise<string> {
  const paths = await listFiles(root, sources, outputs);
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = await readFile(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}
