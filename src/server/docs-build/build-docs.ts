/** Builds the documentation site with VitePress; `docs/.vitepress/config.ts` says what its pages are. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { once } from 'node:events';
import { compressFiles, type BuildPlan } from '../build-folder.ts';

/** The site from its pages, the files that they link to, and the version of VitePress. */
export const DOCS: BuildPlan = {
  folder: 'docs/.vitepress/dist',
  sources: [
    '*.md',
    'docs/**/*.*',
    'docs/operations/*',
    'docs/.vitepress/*.ts',
    'docs/.vitepress/theme/*',
    'examples/**/*',
    'deploy/**/*',
    'packages/**/*.{md,ipynb}',
    'schema/schema.graphql',
    'package-lock.json',
  ],
  outputs: ['docs/.vitepress/{dist,cache,.temp}/**', '**/node_modules/**', 'deploy/secrets/**'],
  make: async (root, draft) => {
    const command = join(root, 'node_modules/vitepress/bin/vitepress.js');
    const child = spawn(process.execPath, [command, 'build', 'docs', '--outDir', draft], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const stop = (): void => void child.kill();
    process.once('SIGTERM', stop);
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    process.off('SIGTERM', stop);
    if (code !== 0) throw new Error(`VitePress ended with ${code ?? signal}`);
    await compressFiles(draft);
  },
};
