/** What a page loads with this package, beside React and the client. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { build } from 'vite';

const MOST_BYTES = 2_000;

test('its own code is less than 2 kB compressed, and needs nothing but React and @qpilot/client', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(import.meta.dirname, '../src/index.ts'),
        external: ['react', '@qpilot/client', '@qpilot/client/view'],
        preserveEntrySignatures: 'strict',
      },
    },
  });
  if (!('output' in built)) throw new Error('one build was asked for');
  const [{ code, imports }] = built.output;
  expect(imports.toSorted()).toEqual(['@qpilot/client', '@qpilot/client/view', 'react']);
  const bytes = gzipSync(code).length;
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
