/** The planted defects of `mutants.yaml`, and how each is planted in a copy of the sources. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { parse } from 'yaml';
import { z } from 'zod';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** How a round is named in `killedBy`. */
export const ROUND = 'chaos ';

const mutant = z.strictObject({
  name: z.string().regex(/^[a-z-]+$/u),
  /** What would happen to people, in a sentence. */
  breaks: z.string().min(1),
  file: z.string(),
  /** How often `find` occurs; each is replaced. */
  times: z.int().positive().default(1),
  find: z.string().min(1),
  replace: z.string(),
  /** Files of tests, or `chaos NAME` for a short round of the faults of that name, `chaos in-turn NAME` for one of two servers. */
  killedBy: z.array(z.string()).min(1),
});
export type Mutant = z.infer<typeof mutant>;

export const readMutants = async (): Promise<readonly Mutant[]> =>
  z.array(mutant).parse(parse(await readFile(join(ROOT, 'test/chaos/mutants.yaml'), 'utf8')));

/** The file with the defect. @throws Error where the entry no longer fits the code, or gives no program */
export async function planted({ name, file, times, find, replace }: Mutant): Promise<string> {
  const code = await readFile(join(ROOT, file), 'utf8');
  const parts = code.split(find);
  if (parts.length !== times + 1) {
    throw new Error(
      `mutant ${name}: its text occurs ${parts.length - 1} times in ${file} instead of ${times}; let it follow the code:\n${find}`,
    );
  }
  const changed = parts.join(replace);
  const [error] = parseSync(file, changed).errors;
  if (error) throw new Error(`mutant ${name}: ${file} is no program with it: ${error.message}`);
  return changed;
}
