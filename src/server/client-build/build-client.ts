/**
 * Builds the web client: types of its operations (codegen), then its files (Vite), each also compressed, in a folder named
 * by the hash of all sources. Whole builds only: a folder gets its name when everything is in it, so that several
 * processes may build at once and a reader never meets half of one. It knows nothing of the server.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { z } from 'zod';
import { listFiles } from './list-files.ts';
import { sourceHash } from './source-hash.ts';

/** Parts of a build's folder. */
export const BUILD_PARTS = {
  /** What browsers may ask for. */
  files: 'files',
  /** Every operation of the clients by the hash that they send with it. */
  documents: 'persisted-documents.json',
  /** The files that went into it, a path a line. */
  modules: 'modules.txt',
} as const;

const COMPRESSED = /\.(js|css|svg|json)$/;
const BROTLI_QUALITY = 9;
/** Builds of other sources are removed when they are older: a server of theirs may just be starting. */
const KEEP_MS = 24 * 3600 * 1000;

/** Folder of the builds of a checkout. */
export const buildsFolder = (root: string): string => join(root, 'client/dist');

/** Folder of the build of the sources as they are now, and whether it is there. */
export async function findBuild(
  root: string,
): Promise<{ readonly folder: string; readonly exists: boolean }> {
  const folder = join(buildsFolder(root), await sourceHash(root));
  return { folder, exists: await exists(folder) };
}

/**
 * Makes the build of the sources unless it is there, and removes old ones.
 * @returns its folder
 * @throws what codegen and Vite say of sources that cannot be built
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

/** Writes what changed of `client/gql`, each file at once, so that another build never reads half of one. */
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

/** Gives a draft its name. Whoever comes second finds the same build there, and drops its own. */
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
