import type { z } from 'zod';
import type { DataSource } from '../../../domain/values/freshness.ts';
import { defineTool, type Tool, type ToolResult } from '../../tool.ts';

/** A tool on the workspace of a job: calls of all of these run in call order. */
export const workspaceTool = <Args extends z.ZodObject>(tool: Omit<Tool<Args>, 'conflictKey'>): Tool<Args> =>
  defineTool({ ...tool, conflictKey: () => 'workspace' });

const PREVIEW_CHARACTERS = 160;

/** A result without visuals and without an age: one sentence, and what the model reads in addition. */
export const sentenceResult = (summary: string, data: object, source: DataSource = 'CONFIG'): ToolResult => ({
  data,
  formattedSummary: summary,
  preview: summary.replaceAll(/\s+/gu, ' ').slice(0, PREVIEW_CHARACTERS),
  freshness: null,
  source,
  visuals: [],
});
