/**
 * The instructions of a builder's model: its role, what jobs can use (from the tables that jobs run by, so that both
 * agree), and the current artifacts, said again in each turn in which they are others than the last ones said.
 */
import { z } from 'zod';
import { thresholdsText } from '../prompt/chat-sections.ts';
import { dataRule, marked } from '../prompt/data-marks.ts';
import { knowledgeIndex } from '../prompt/knowledge-section.ts';
import { always, sometimes, type PromptSection } from '../prompt/prompt-section.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { diffConfig } from '../../domain/artifacts/config-diff.ts';
import { changedLines } from '../../domain/artifacts/text-diff.ts';
import { NO_ARTIFACTS, type BuilderMode } from '../../domain/conversation/builder-session.ts';
import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';
import type { Metric } from '../../domain/values/metric.ts';
import {
  TOOL_CATEGORIES,
  categoryAvailability,
  toolAvailability,
  type ToolSetup,
} from '../../experts/tool-categories.ts';

export type BuilderPromptContext = BuilderMode & {
  /** The role of the builder; the same text in every turn. */
  readonly persona: string;
  readonly setup: ToolSetup;
  readonly metrics: readonly Metric[];
  readonly knownTasks: readonly TaskKnowledge[];
  readonly expertId: string | null;
  readonly artifacts: Artifacts;
  /** As they were at the end of the model's last turn; null in its first one. */
  readonly seen: Artifacts | null;
  /** Encloses text of users and models; the same in all turns of a session. */
  readonly dataMark: string;
};

/** The artifacts come last, next to the conversation. */
export function builderPrompt(context: BuilderPromptContext): readonly PromptSection[] {
  const { persona, setup, metrics, knownTasks, dataMark, artifacts } = context;
  return [
    { id: 'role', text: persona },
    { id: 'job-tools', text: jobToolsText(setup) },
    { id: 'thresholds', text: thresholdsText(metrics) },
    ...(knownTasks.length > 0 ? [{ id: 'known-tasks', text: knowledgeIndex(knownTasks) }] : []),
    ...[
      { id: 'mode', text: modeText(context) },
      { id: 'data-rule', text: dataRule(dataMark) },
      { id: 'artifacts', text: artifactsText(artifacts, dataMark) },
    ].map(sometimes),
    ...changesSection(context).map(always),
  ];
}

function jobToolsText(setup: ToolSetup): string {
  const lines = TOOL_CATEGORIES.map((category) => {
    const { name, purpose, locked, tools } = category;
    const whole = categoryAvailability(category, setup);
    if (!whole.available) return `- ${name}: not available here (${whole.reason}). ${purpose}`;
    const names = tools.map((tool) => {
      const here = toolAvailability(category, tool, setup);
      return here.available ? tool.name : `${tool.name} (not here: ${here.reason})`;
    });
    return `- ${name}${locked ? ' (part of every job)' : ''}: ${purpose} ${names.join(', ')}`;
  });
  return ['Tool categories of jobs:', ...lines].join('\n');
}

function modeText({ strict, review, expertId }: BuilderPromptContext): string {
  const lines = [
    expertId === null ? 'The job is based on no expert.' : `The job is based on the expert ${expertId}.`,
    strict
      ? 'An edit whose old_text occurs more than once is refused as AMBIGUOUS: send enough around it.'
      : 'An edit whose old_text occurs more than once changes the first place only.',
    ...(review ? ['Your changes are proposals: the user accepts or rejects them part by part.'] : []),
  ];
  return lines.join('\n');
}

/** Lists the user's own changes, so that the model does not undo them by mistake. */
function changesSection({ seen, artifacts }: BuilderPromptContext): readonly PromptSection[] {
  if (seen === null) return [];
  const lines = changedLines(seen.instructions, artifacts.instructions);
  const settings = diffConfig(seen.config, artifacts.config).map(({ path }) => path.join('.'));
  const changes = [
    ...(lines === null ? [] : [`the instructions (${lines})`]),
    ...(settings.length === 0 ? [] : [`the settings (${settings.join(', ')})`]),
    ...(seen.description === artifacts.description ? [] : ['the description']),
  ];
  if (changes.length === 0) return [];
  return [{ id: 'changes', text: `Since your last turn the user changed ${changes.join(', ')} by hand.` }];
}

const HEADS = {
  instructions: 'The instructions as they stand now',
  config: 'The settings as they stand now',
  description: 'The description as it stands now',
} as const;

/** The text of the section; `mark` is unknown to the author of the artifacts. */
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

const configSchema = z.record(z.string(), z.json());

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
    config: config === null ? null : configSchema.parse(JSON.parse(config)),
    description: read(HEADS.description),
  };
}
