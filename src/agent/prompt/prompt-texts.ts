/** The fixed texts of prompts: `config/prompts/*.md`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FOLDER } from '../../config/config-folder.ts';
import { StartupError } from '../../base/errors.ts';

/** File names without their ending. */
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
  'builder',
  'job',
] as const;

export type PromptTexts = Readonly<Record<(typeof PROMPT_FILES)[number], string>>;

const FOLDER = join(CONFIG_FOLDER, 'prompts');

/** @throws StartupError naming every file that cannot be read or is empty. */
export async function readPromptTexts(folder = FOLDER): Promise<PromptTexts> {
  const problems: string[] = [];
  const texts = await Promise.all(
    PROMPT_FILES.map(async (name) => {
      const file = join(folder, `${name}.md`);
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        problems.push(`${file} cannot be read: ${String(error)}`);
        return null;
      });
      if (text?.trim() === '') problems.push(`${file} is empty: it must hold instructions for the model`);
      return [name, text?.trim() ?? ''] as const;
    }),
  );
  if (problems.length > 0) {
    throw new StartupError(
      `prompts cannot be used:\n${problems
        .toSorted()
        .map((each) => `  ${each}`)
        .join('\n')}`,
    );
  }
  return Object.fromEntries(texts) as PromptTexts;
}

/** Ids of the rules in a text, in order: each rule is a list item that begins with its id in bold. */
export const ruleIdsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^- \*\*([a-z0-9-]+)\*\*/gmu)].map(([, id]) => id ?? '');
