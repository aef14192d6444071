import type { ExpertInstructionsSource, ResolvedConfig } from './expert.ts';
import { TOOL_CATEGORIES } from './tool-categories.ts';

/** Instructions and their origin. */
export type SourcedInstructions = {
  readonly instructions: string;
  readonly instructionsSource: ExpertInstructionsSource;
};

/**
 * The expert's own instructions, else the common template, else generated ones. Blank texts count as missing.
 */
export function instructionsOf(
  own: string | null,
  template: string | null,
  expert: { readonly displayName: string; readonly description: string; readonly config: ResolvedConfig },
): SourcedInstructions {
  if (own !== null && own.trim() !== '') return { instructions: own, instructionsSource: 'EXPERT' };
  if (template !== null && template.trim() !== '') {
    return { instructions: template, instructionsSource: 'TEMPLATE' };
  }
  return { instructions: generate(expert), instructionsSource: 'GENERATED' };
}

function generate({
  displayName,
  description,
  config,
}: {
  readonly displayName: string;
  readonly description: string;
  readonly config: ResolvedConfig;
}): string {
  const used = TOOL_CATEGORIES.flatMap(({ name, title, purpose, tools: known }) => {
    const names = config.tools[name].filter((tool) => known.some((each) => each.name === tool));
    return names.length === 0 ? [] : [`- ${title}: ${purpose} (${names.join(', ')})`];
  });
  return [
    `# ${displayName}`,
    description,
    '## Tools',
    used.join('\n'),
    '## How to work',
    'Plan each phase as to-dos, work them off, and write what you find to files.',
    'State only what a tool returned, with unit and time. Finish with a report.',
    '## Task',
    'Describe here what this job should find out or produce.',
    '',
  ].join('\n\n');
}
