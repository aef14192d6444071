/**
 * `npm run build -- [client|docs]`: builds the web client, which otherwise happens on the first start, and the documentation
 * site, which otherwise happens at its first visit; by default both.
 */
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tryFileLock } from '@qpilot/embedded-stores';
import { build } from '../../server/build-folder.ts';
import { CLIENT } from '../../server/client-build/build-client.ts';
import { DOCS } from '../../server/docs-build/build-docs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const PLANS = { client: CLIENT, docs: DOCS };
const [what] = process.argv.slice(2);
if (what !== undefined && what !== 'client' && what !== 'docs') {
  process.stderr.write(`build what? ${what} is neither client nor docs\n`);
  process.exit(1);
}
// Any other value makes Vite build React for development, and the variable is inherited from tests and servers.
process.env['NODE_ENV'] = 'production';
const names: readonly (keyof typeof PLANS)[] = what === undefined ? ['client', 'docs'] : [what];
for (const name of names) {
  const plan = PLANS[name];
  const lock = name === 'docs' ? await onlyOne(plan.folder) : null;
  process.stdout.write(`built ${name}: ${relative(root, await build(root, plan))}\n`);
  lock?.release();
}
// Vite's native parts hold handles that keep the process alive.
process.exit(0);

/** VitePress always uses the same folder for what is not finished: one after the other. */
async function onlyOne(folder: string): Promise<{ release(): void }> {
  await mkdir(join(root, folder), { recursive: true });
  for (;;) {
    const lock = tryFileLock(join(root, folder, '.lock'));
    if (lock !== undefined) return lock;
    await delay(200);
  }
}
