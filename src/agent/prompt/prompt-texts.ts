/** The words of the prompt that are the same in every turn that has them: `config/prompts/*.md`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../../errors.ts';

/** The files, without their ending. */
export const PROMPT_FILES = [
  'role',
  'tools',
  'evidence',
  'analysis',
  'review',
  'answer',
  'answer-markdown',
  'answer-blocks',
  'dispute',
  'summary',
  'job',
] as const;

/** Text of each file. */
export type PromptTexts = Readonly<Record<(typeof PROMPT_FILES)[number], string>>;

const FOLDER = fileURLToPath(new URL('../../../config/prompts', import.meta.url));

/** @throws StartupError naming a file that cannot be read. */
export async function readPromptTexts(folder = FOLDER): Promise<PromptTexts> {
  const texts = await Promise.all(
    PROMPT_FILES.map(async (name) => {
      const file = join(folder, `${name}.md`);
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        throw new StartupError(`the prompt ${file} cannot be read`, { cause: error });
      });
      return [name, text.trim()] as const;
    }),
  );
  return Object.fromEntries(texts) as PromptTexts;
}

/** Ids of the rules in a text, in its order: each rule is an item that begins with its id in bold. */
export const ruleIdsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^- \*\*([a-z0-9-]+)\*\*/gmu)].map(([, id]) => id ?? '');
