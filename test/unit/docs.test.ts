import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const PATH = /`((?:src|schema|client|packages|test|bench|config|scripts|docs)\/[\w./-]+)`/g;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;
const SCRIPT = /npm run ([a-z][\w:-]*)/g;

async function pages(): Promise<{ file: string; text: string }[]> {
  const found: { file: string; text: string }[] = [];
  for (const pattern of ['*.md', 'docs/**/*.md', 'packages/*/*.md', 'client/**/*.md']) {
    for await (const file of glob(pattern, { cwd: ROOT })) {
      found.push({ file, text: await readFile(join(ROOT, file), 'utf8') });
    }
  }
  return found;
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, match]) => match ?? '');

test('documents name only files and commands that exist', async () => {
  const all = await pages();
  const wrong = all.flatMap(({ file, text }) => [
    ...matches(text, PATH)
      .filter((path) => ![ROOT, join(ROOT, dirname(file))].some((base) => existsSync(join(base, path))))
      .map((path) => `${file}: ${path}`),
    ...matches(text, LINK)
      .filter((link) => !existsSync(join(ROOT, dirname(file), link)))
      .map((link) => `${file}: ${relative(ROOT, join(ROOT, dirname(file), link))}`),
    ...matches(text, SCRIPT)
      .filter((script) => !(script in manifest.scripts))
      .map((script) => `${file}: npm run ${script}`),
  ]);
  expect(all.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});
