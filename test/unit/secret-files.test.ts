import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const linesOf = (path: string): readonly string[] =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim());

/** `.env.example` says to make `.env`, which then holds keys. */
test.each([
  ['.gitignore', ''],
  ['deploy/Containerfile.dockerignore', '**/'],
])('%s leaves out the file of the environment, wherever it lies, and keeps its example', (path, anywhere) => {
  const lines = linesOf(path);
  const at = (pattern: string): number => lines.indexOf(pattern);
  expect(at(`${anywhere}.env`)).toBeGreaterThanOrEqual(0);
  expect(at(`${anywhere}.env.*`)).toBeGreaterThanOrEqual(0);
  // The last pattern that matches decides.
  expect(at('!.env.example')).toBeGreaterThan(at(`${anywhere}.env.*`));
  expect(lines.slice(at('!.env.example') + 1).filter((line) => line.startsWith('!'))).toEqual([]);
});
