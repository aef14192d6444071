import { computeOverride, mergeConfig } from '../domain/artifacts/config-merge.ts';
import type { JsonObject } from '../domain/visuals.ts';
import type { ResolvedConfig } from './expert.ts';
import { TOOL_CATEGORIES } from './tool-categories.ts';

/**
 * What has to be laid over an expert's configuration to get settings as they were edited. A whole view, which names every
 * tool category, says by what it leaves out that this is gone. Single settings, from a session that began without any,
 * say nothing of the others: there the expert's hold.
 */
export function overrideOfEdited(base: ResolvedConfig, edited: JsonObject): JsonObject {
  return computeOverride(base, isWholeView(edited) ? edited : mergeConfig(base, edited));
}

function isWholeView({ tools }: JsonObject): boolean {
  if (typeof tools !== 'object' || tools === null) return false;
  return TOOL_CATEGORIES.every(({ name }) => Object.hasOwn(tools, name));
}
