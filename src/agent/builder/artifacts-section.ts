/** The artifacts in the prompt of a builder: writes them, and reads them back for the offline builder. */
import { z } from 'zod';
import { marked } from '../prompt/data-marks.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { NO_ARTIFACTS } from '../../domain/conversation/builder-session.ts';

const HEADS = {
  instructions: 'The instructions as they stand now',
  config: 'The settings as they stand now',
  description: 'The description as it stands now',
} as const;

/** The text of the section; `mark` is unknown to whoever wrote the artifacts. */
export function artifactsText({ instructions, config, description }: Artifacts, mark: string): string {
  const lines = instructions === null ? 0 : instructions.split('\n').length;
  return [
    instructions === null || instructions === ''
      ? 'The instructions are empty.'
      : `${HEADS.instructions}, ${lines} lines:\n${marked(mark, instructions)}`,
    config === null
      ? 'The settings are empty: those of the expert and the defaults hold.'
      : `${HEADS.config}:\n${marked(mark, JSON.stringify(config, null, 2))}`,
    description === null
      ? 'The description is empty.'
      : `${HEADS.description}:\n${marked(mark, description)}`,
  ].join('\n\n');
}

const settings = z.record(z.string(), z.json());

/** Reads the artifacts from a whole prompt; null for empty ones, and for all where there is no such section. */
export function artifactsIn(prompt: string): Artifacts {
  const mark = /\n<(data-[0-9a-f]+)>\n/u.exec(prompt)?.[1];
  if (mark === undefined) return NO_ARTIFACTS;
  const read = (head: string): string | null => {
    const pattern = new RegExp(`^${head}[^\\n]*:\\n<${mark}>\\n([\\s\\S]*?)\\n</${mark}>$`, 'mu');
    return pattern.exec(prompt)?.[1] ?? null;
  };
  const config = read(HEADS.config);
  return {
    instructions: read(HEADS.instructions),
    config: config === null ? null : settings.parse(JSON.parse(config)),
    description: read(HEADS.description),
  };
}
