import type { DataSource } from '../../../domain/values/data-source.ts';
import type { ToolResult } from '../../tool.ts';

/** Calls that change the workspace run in call order. */
export const WORKSPACE_KEY = 'workspace';

const PREVIEW_CHARACTERS = 160;

/** The result of a tool that has no rows with an age: one sentence, and what the model reads beside it. */
export const said = (summary: string, data: object, source: DataSource = 'CONFIG'): ToolResult => ({
  data,
  formattedSummary: summary,
  preview: summary.replaceAll(/\s+/gu, ' ').slice(0, PREVIEW_CHARACTERS),
  freshness: null,
  source,
  visuals: [],
});
