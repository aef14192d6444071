import type { ResolvedConfig } from '../../experts/expert.ts';
import {
  categoryAvailability,
  TOOL_CATEGORIES,
  toolAvailability,
  type ToolAvailability,
  type ToolCategory,
  type ToolSetup,
} from '../../experts/tool-categories.ts';

/** A tool as a form shows it. */
export type ToolView = {
  readonly name: string;
  readonly label: string;
  readonly enabled: boolean;
  readonly unavailableReason: string | null;
};

/** A category as a form shows it. */
export type ToolCategoryView = Pick<ToolCategory, 'name' | 'title' | 'purpose' | 'locked'> & {
  /** Names of enabled tools, including unknown ones. */
  readonly enabled: readonly string[];
  readonly tools: readonly ToolView[];
  readonly unavailableReason: string | null;
};

/** All categories with their enabled tools, and what this server lacks for them. */
export function viewToolCategories(tools: ResolvedConfig['tools'], setup: ToolSetup): ToolCategoryView[] {
  return TOOL_CATEGORIES.map((category) => {
    const { name, title, purpose, locked } = category;
    const enabled = tools[name];
    return {
      name,
      title,
      purpose,
      locked,
      enabled,
      tools: category.tools.map((tool) => ({
        name: tool.name,
        label: tool.label,
        enabled: enabled.includes(tool.name),
        unavailableReason: reasonOf(toolAvailability(category, tool, setup)),
      })),
      unavailableReason: reasonOf(categoryAvailability(category, setup)),
    };
  });
}

const reasonOf = (availability: ToolAvailability): string | null =>
  availability.available ? null : availability.reason;
