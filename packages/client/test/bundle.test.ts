/** What a page loads with this package. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { build } from 'vite';

const MOST_BYTES = 8_000;

test('all of it with its libraries is less than 8 kB compressed, and needs nothing of Node', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(import.meta.dirname, '../src/index.ts'),
        preserveEntrySignatures: 'strict',
      },
    },
  });
  if (!('output' in built)) throw new Error('one build was asked for');
  expect(built.output).toHaveLength(1);
  const [{ code, imports }] = built.output;
  expect(imports).toEqual([]);
  const bytes = gzipSync(code).length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
