import { expect, test } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What Node 24 has and Node 22, on which QPilot runs too, does not. Type checking lets all of it through. */
const MISSING: Readonly<Record<string, RegExp>> = {
  'a `using` declaration': /^\s*(?:await )?using \w+ =/m,
  'a DisposableStack': /\b(?:Async)?DisposableStack\b/,
  'a modifier in a regular expression': /\(\?(?:[ims]+|[ims]*-[ims]+):/,
  'import.meta.main': /\bimport\.meta\.main\b/,
  'RegExp.escape': /\bRegExp\.escape\(/,
  'Promise.try': /\bPromise\.try\(/,
  'Error.isError': /\bError\.isError\(/,
  URLPattern: /\bnew URLPattern\(/,
  'base64 or hex of Uint8Array': /\bUint8Array\.from(?:Base64|Hex)\(/,
};

async function sources(): Promise<string[]> {
  const files: string[] = [];
  for (const folder of ['src', 'packages', 'schema', 'test', 'bench', 'client/terminal']) {
    for await (const file of glob(`${folder}/**/*.{ts,js}`, { cwd: ROOT })) files.push(join(ROOT, file));
  }
  return files.filter((file) => file !== import.meta.filename);
}

test('nothing is written in a way that Node 22 does not understand', async () => {
  const files = await sources();
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    for (const [name, pattern] of Object.entries(MISSING)) {
      if (pattern.test(text)) found.push(`${relative(ROOT, file)}: ${name}`);
    }
  }
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
