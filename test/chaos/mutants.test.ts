/** The list of planted defects fits the code; `npm run chaos -- mutants` plants them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT, ROUND, planted, readMutants } from './mutants.ts';

test('every planted defect fits the code once, gives a program, and names tests that exist', async () => {
  const mutants = await readMutants();
  const problems: string[] = [];
  for (const mutant of mutants) {
    await planted(mutant).catch((error: unknown) => problems.push(String(error)));
    for (const file of mutant.killedBy)
      if (!file.startsWith(ROUND) && !existsSync(join(ROOT, file)))
        problems.push(`mutant ${mutant.name}: there is no ${file}`);
  }
  expect(problems).toEqual([]);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThanOrEqual(30);
});

test('an entry whose text has gone says so', async () => {
  const [first] = await readMutants();
  await expect(planted({ ...first!, find: 'no such text' })).rejects.toThrow(/occurs 0 times/u);
});
