/** Builds the web client: the types of its operations (codegen), then its files (Vite), which are also stored compressed. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { compressFiles, type BuildPlan } from '../build-folder.ts';

/** Parts of a build's folder. */
export const BUILD_PARTS = {
  /** What browsers may request. */
  files: 'files',
  /** The clients' operations by the hash that clients send. */
  documents: 'persisted-documents.json',
  /** Paths of the bundled source files, one per line. */
  modules: 'modules.txt',
} as const;

/** The web client from its sources, those of its packages, the schema, and the versions of its libraries. */
export const CLIENT: BuildPlan = {
  folder: 'client/dist',
  sources: [
    'client/**/*.*',
    'packages/client/src/**/*.*',
    'schema/schema.graphql',
    'codegen.ts',
    'tsconfig.json',
    'package-lock.json',
  ],
  outputs: ['client/dist/**', 'client/gql/**', 'packages/*/src/gql/**'],
  make: async (root, draft) => {
    await generateTypes(root);
    await bundle(root, draft);
    await compressFiles(join(draft, BUILD_PARTS.files));
    await writeFile(
      join(draft, BUILD_PARTS.documents),
      await readFile(join(root, 'client/gql/persisted-documents.json')),
    );
  },
};

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
  const packages = new Set<string>();
  const files = join(draft, BUILD_PARTS.files);
  await build({
    configFile: join(root, 'client/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: files, emptyOutDir: true, reportCompressedSize: false },
    plugins: [
      {
        name: 'list-modules',
        generateBundle(_options, chunks) {
          // Styles are in no chunk.
          for (const id of this.getModuleIds()) {
            const folder = PACKAGE.exec(id.replaceAll('\\', '/'))?.[0];
            if (folder !== undefined) packages.add(folder);
          }
          for (const chunk of Object.values(chunks)) {
            if (chunk.type === 'chunk')
              for (const id of chunk.moduleIds) if (id.startsWith(root)) modules.add(relative(root, id));
          }
        },
      },
    ],
  });
  await writeFile(join(draft, BUILD_PARTS.modules), `${[...modules].toSorted().join('\n')}\n`);
  const notices = (await Promise.all([...packages].map(noticeOf))).toSorted();
  await writeFile(join(files, NOTICES), `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/** The name, version and licence text of every package in the client, which their licences ask for. */
const NOTICES = 'third-party-notices.txt';

/** The folder of the package that a module belongs to. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u;

const packageFile = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('no licence named'),
});

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = packageFile.parse(
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
  );
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice|copying)/iu.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version}, ${license}`, ...texts.map((text) => text.trim())].join('\n\n');
}
