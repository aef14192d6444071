import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as lists from '../src/mongo/allow-list.ts';

test('the README lists everything that the MongoDB subset understands', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const missing = Object.values(lists)
    .flat()
    .filter((name) => !readme.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});
