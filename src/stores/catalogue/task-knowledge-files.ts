/**
 * Task knowledge as files: `config/task-knowledge/<Task>.md`. A file that cannot be used does not take the others
 * with it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';
import { StartupError } from '../../base/errors.ts';
import { parseTaskKnowledge, type ParsedKnowledge } from './task-knowledge-markdown.ts';

/** The task knowledge in a folder, and each unusable file with its problems. */
export type KnowledgeFolder = {
  readonly knowledge: readonly TaskKnowledge[];
  readonly broken: readonly { readonly file: string; readonly problems: readonly string[] }[];
};

/**
 * Reads a folder in the order of file names.
 * @throws StartupError when the folder itself cannot be read.
 */
export async function readTaskKnowledge(folder: string): Promise<KnowledgeFolder> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new StartupError(`the task knowledge in ${folder} cannot be read`, { cause: error });
  });
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.md'))
      .toSorted()
      .map(async (name) => ({ file: join(folder, name), parsed: await readOne(folder, name) })),
  );
  return {
    knowledge: files.flatMap(({ parsed }) => ('knowledge' in parsed ? [parsed.knowledge] : [])),
    broken: files.flatMap(({ file, parsed }) =>
      'problems' in parsed ? [{ file, problems: parsed.problems }] : [],
    ),
  };
}

async function readOne(folder: string, name: string): Promise<ParsedKnowledge> {
  let text: string;
  try {
    text = await readFile(join(folder, name), 'utf8');
  } catch (error) {
    return { problems: [`cannot be read: ${error instanceof Error ? error.message : String(error)}`] };
  }
  const parsed = parseTaskKnowledge(text);
  if ('problems' in parsed || `${parsed.knowledge.taskName}.md` === name) return parsed;
  const { taskName } = parsed.knowledge;
  return { problems: [`line 1, top: is about ${taskName}; a file about it is named ${taskName}.md`] };
}
