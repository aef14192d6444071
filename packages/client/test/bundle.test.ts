/** What a page loads with this package. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { build } from 'vite';

const ALL = 'virtual:all';

/** Size of modules with all that they need, compressed. */
async function bytesOf(...paths: readonly string[]): Promise<number> {
  const sources = paths.map((path) => join(import.meta.dirname, '../src', path));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'all',
        resolveId: (id) => (id === ALL ? ALL : null),
        load: (id) => (id === ALL ? sources.map((path) => `export * from '${path}';`).join('\n') : null),
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: ALL, preserveEntrySignatures: 'strict' },
    },
  });
  if (!('output' in built)) throw new Error('one build was asked for');
  expect(built.output).toHaveLength(1);
  const [{ code, imports }] = built.output;
  expect(imports).toEqual([]);
  return gzipSync(code).length;
}

test('all of it with its libraries is less than 8.2 kB compressed, and needs nothing of Node', async () => {
  const bytes = await bytesOf('index.ts');
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(8_200);
});

test('what turns events into an answer is less than 4 kB more', async () => {
  const more = (await bytesOf('index.ts', 'view/index.ts')) - (await bytesOf('index.ts'));
  expect(more).toBeGreaterThan(1_000);
  expect(more).toBeLessThan(4_000);
});
