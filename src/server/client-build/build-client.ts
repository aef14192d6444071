/**
 * Builds the web client: the types of its operations (codegen), then its files (Vite), which are also stored
 * compressed. A build's folder is named by the hash of its sources, and only when it is complete, so several
 * processes may build at once and no reader sees half a build.
 */
import { glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { z } from 'zod';

/** Parts of a build's folder. */
export const BUILD_PARTS = {
  /** What browsers may request. */
  files: 'files',
  /** The clients' operations by the hash that clients send. */
  documents: 'persisted-documents.json',
  /** Paths of the bundled source files, one per line. */
  modules: 'modules.txt',
} as const;

const COMPRESSED = /\.(js|css|svg|json)$/;
const BROTLI_QUALITY = 9;
/** Builds of other sources are kept this long: a server that needs one may just be starting. */
const KEEP_MS = 24 * 3600 * 1000;

/** Folder of the builds of a checkout. */
export const buildsFolder = (root: string): string => join(root, 'client/dist');

/** Folder of the build of the current sources, and whether it exists. */
export async function findBuild(
  root: string,
): Promise<{ readonly folder: string; readonly exists: boolean }> {
  const folder = join(buildsFolder(root), await sourceHash(root));
  return { folder, exists: await exists(folder) };
}

/**
 * Builds the current sources unless a build exists, and removes old builds.
 * @returns the folder of the build
 * @throws the errors of codegen and Vite
 */
export async function buildClient(root: string): Promise<string> {
  const { folder, exists: isBuilt } = await findBuild(root);
  if (isBuilt) return folder;
  const draft = join(buildsFolder(root), `.draft-${crypto.randomUUID()}`);
  try {
    await generateTypes(root);
    await bundle(root, draft);
    await compressFiles(join(draft, BUILD_PARTS.files));
    await writeFile(
      join(draft, BUILD_PARTS.documents),
      await readFile(join(root, 'client/gql/persisted-documents.json')),
    );
    await publish(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOld(root, folder);
  return folder;
}

const generated = z.array(z.object({ filename: z.string(), content: z.string() }));

/** Writes the changed files of `client/gql` atomically, so that a concurrent build never reads half a file. */
async function generateTypes(root: string): Promise<void> {
  const { generate, loadContext } = await import('@graphql-codegen/cli');
  const context = await loadContext(join(root, 'codegen.ts'));
  context.cwd = root;
  const outputs = generated.parse(await generate(context, false));
  for (const { filename, content } of outputs) {
    const path = join(root, filename);
    const before = await readFile(path, 'utf8').catch(() => null);
    if (before === content) continue;
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.${crypto.randomUUID()}`;
    await writeFile(draft, content);
    await rename(draft, path);
  }
}

async function bundle(root: string, draft: string): Promise<void> {
  const { build } = await import('vite');
  const modules = new Set<string>();
  await build({
    configFile: join(root, 'client/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: join(draft, BUILD_PARTS.files), emptyOutDir: true, reportCompressedSize: false },
    plugins: [
      {
        name: 'list-modules',
        generateBundle(_options, chunks) {
          for (const chunk of Object.values(chunks)) {
            if (chunk.type === 'chunk')
              for (const id of chunk.moduleIds) if (id.startsWith(root)) modules.add(relative(root, id));
          }
        },
      },
    ],
  });
  await writeFile(join(draft, BUILD_PARTS.modules), `${[...modules].toSorted().join('\n')}\n`);
}

async function compressFiles(folder: string): Promise<void> {
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

async function removeOld(root: string, current: string): Promise<void> {
  for (const name of await readdir(buildsFolder(root))) {
    const folder = join(buildsFolder(root), name);
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

/** Matching paths below `cwd`, sorted. */
export async function listFiles(
  cwd: string,
  patterns: readonly string[],
  exclude: readonly string[] = [],
): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const path of glob(patterns, { cwd, exclude })) paths.push(path);
  return paths.toSorted();
}

/** Inputs of a build: the client, the schema, and the versions of its libraries. */
const SOURCES = [
  'client/**/*.*',
  'schema/schema.graphql',
  'codegen.ts',
  'tsconfig.json',
  'package-lock.json',
];
/** Outputs of builds. */
const OUTPUTS = ['client/dist/**', 'client/gql/**'];

/** Name of the build of the current sources; equal sources have equal names. */
async function sourceHash(root: string): Promise<string> {
  const paths = await listFiles(root, SOURCES, OUTPUTS);
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = await readFile(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}
