import {
  ARTIFACT_TOOL_ARGS,
  ARTIFACT_TOOL_NAMES,
  type ArtifactToolName,
} from '../../domain/artifacts/artifact-calls.ts';
import type { ArtifactChange } from '../../domain/artifacts/artifacts.ts';
import { MAX_PREVIEW_LENGTH } from '../../domain/conversation/event-limits.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import { defineTool, type Tool, type ToolResult } from '../tool.ts';
import type { ArtifactEditor } from './artifact-editor.ts';

type ToolTexts = Pick<Tool, 'label' | 'title' | 'example'> & {
  readonly about: string;
  readonly description: string;
};

const TEXTS: Readonly<Record<ArtifactToolName, ToolTexts>> = {
  update_instructions: {
    label: 'Rewriting the instructions',
    title: { en: 'Rewrite the instructions', ja: '指示の書き直し' },
    example: { content: '# Task\n\nReport the T1 of each qubit.' },
    about: 'all of the instructions',
    description:
      'Replaces the whole text of the instructions. Returns the outcome. Use it for a first draft or a rewrite of everything; for smaller changes use edit_instructions or insert_instructions, which leave the rest untouched.',
  },
  edit_instructions: {
    label: 'Editing the instructions',
    title: { en: 'Edit the instructions', ja: '指示の編集' },
    example: { old_text: 'T1', new_text: 'T2 Echo' },
    about: 'a passage of the instructions',
    description:
      'Replaces one passage of the instructions, matched letter by letter. Returns the outcome: NO_MATCH names the line most like it, APPLIED_FIRST says how often the passage stands there. Use it for every change of text that is there already.',
  },
  insert_instructions: {
    label: 'Adding to the instructions',
    title: { en: 'Add to the instructions', ja: '指示への追加' },
    example: { content: '- Name every source.' },
    about: 'new lines of the instructions',
    description:
      'Inserts text before a line of the instructions, or appends it. Returns the outcome. Use it to add a section or a rule.',
  },
  update_config: {
    label: 'Changing the settings',
    title: { en: 'Change the settings', ja: '設定の変更' },
    example: { llm: { model: null, temperature: 0.2, reasoning_level: null } },
    about: 'settings of the job',
    description:
      'Changes model, temperature, reasoning level and tool categories of the job; what is null stays as it is. Returns the outcome: LOCKED for categories that are part of every job. Use it only for settings the user asked for or the task needs.',
  },
  update_description: {
    label: 'Changing the description',
    title: { en: 'Change the description', ja: '説明の変更' },
    example: { content: 'T1 drift of Q27' },
    about: 'the line that names the job',
    description:
      'Replaces the description, one line that names the job in lists. Returns the outcome. Use it once the purpose of the job is clear or has changed.',
  },
};

/** Calls of these tools run one after another, in call order. */
const CONFLICT_KEY = 'artifacts';

/** The artifact tools of one turn. */
export const artifactTools = (editor: ArtifactEditor): readonly Tool[] =>
  ARTIFACT_TOOL_NAMES.map((name) => artifactTool(name, editor));

function artifactTool(name: ArtifactToolName, editor: ArtifactEditor): Tool {
  const { about, ...words } = TEXTS[name];
  return defineTool({
    name,
    category: null,
    rule: 'editor: own',
    ...words,
    args: ARTIFACT_TOOL_ARGS[name],
    describe: () => about,
    conflictKey: () => CONFLICT_KEY,
    run: async (args, { callId }) => resultOf(about, editor.apply({ callId, tool: name, args })),
  });
}

function resultOf(about: string, change: ArtifactChange & { readonly revision: number }): ToolResult {
  const { outcome, note, revision } = change;
  const sentence = sentenceOf(about, change);
  return {
    data: { outcome, revision, note, sizes: sizesOf(change) },
    formattedSummary: sentence,
    preview: shorten(sentence, MAX_PREVIEW_LENGTH),
    freshness: null,
    source: 'CONFIG',
    visuals: [],
  };
}

const CHANGED = new Set(['APPLIED', 'APPLIED_FIRST', 'APPLIED_CLAMPED']);

/** The outcome in one line, which also represents the call in later turns. */
function sentenceOf(about: string, { outcome, note, artifacts, kind }: ArtifactChange): string {
  const size = kind === 'INSTRUCTIONS' ? ` (${(artifacts.instructions ?? '').length} characters)` : '';
  const what = CHANGED.has(outcome)
    ? `${outcome}: changed ${about}${size}.`
    : `${outcome}: nothing was changed.`;
  return note === null ? what : `${what} ${note}`;
}

const sizesOf = ({ artifacts: { instructions, description } }: ArtifactChange) => ({
  instructionsCharacters: instructions?.length ?? 0,
  instructionsLines: instructions === null ? 0 : instructions.split('\n').length,
  descriptionCharacters: description?.length ?? 0,
});
