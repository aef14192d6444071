/** The five tools that change artifacts: names, arguments, and descriptions for the model. */
import { z } from 'zod';

/** Reasoning levels; `none` leaves the parameter out of the request to the model. */
export const REASONING_LEVELS = ['none', 'low', 'medium', 'high'] as const;

const TEMPERATURE = 'must be a number from 0 to 2';

const llm = z.strictObject({
  model: z.string().trim().min(1).nullable().describe('null leaves it as it is'),
  temperature: z
    .number(TEMPERATURE)
    .min(0, TEMPERATURE)
    .max(2, TEMPERATURE)
    .nullable()
    .describe('0 to 2; null leaves it as it is'),
  reasoning_level: z.enum(REASONING_LEVELS).nullable().describe('null leaves it as it is'),
});

const category = z.strictObject({
  category: z.string().describe('Name of a tool category'),
  tools: z
    .array(z.string())
    .describe('All tools of the category that the job may use; empty switches it off'),
});

/**
 * Arguments by tool name. Every property is required; null means unchanged, since strict mode has no optional
 * properties.
 */
export const ARTIFACT_TOOL_ARGS = {
  update_instructions: z.strictObject({ content: z.string().describe('The whole new text, Markdown') }),
  edit_instructions: z.strictObject({
    old_text: z.string().describe('The present text, exactly, with enough around it to be unique'),
    new_text: z.string().describe('The text that replaces it; empty deletes'),
  }),
  insert_instructions: z.strictObject({
    content: z.string().describe('Text to insert, Markdown'),
    line: z.number().nullable().describe('1-based line to insert before; null appends at the end'),
  }),
  update_config: z.strictObject({
    llm: llm.nullable().describe('null leaves all of it as it is'),
    tools: z
      .array(category)
      .nullable()
      .describe('Only the categories that change; null leaves all as they are'),
    clear: z
      .array(z.string())
      .nullable()
      .describe('Settings to take away, such as llm.temperature; null for none'),
  }),
  update_description: z.strictObject({
    content: z.string().describe('One line that names the job in lists'),
  }),
} as const;

/** Name of a tool that changes artifacts. */
export type ArtifactToolName = keyof typeof ARTIFACT_TOOL_ARGS;

/** Arguments of one of the tools. */
export type ArtifactToolArgs<Name extends ArtifactToolName> = z.infer<(typeof ARTIFACT_TOOL_ARGS)[Name]>;

/** Names in the order in which a model sees them. */
export const ARTIFACT_TOOL_NAMES = Object.keys(ARTIFACT_TOOL_ARGS) as readonly ArtifactToolName[];
