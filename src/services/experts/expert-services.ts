import type { ConfigPreset } from '../../experts/config-presets.ts';
import type { ResolvedConfig } from '../../experts/expert.ts';
import type { ExpertsService } from './experts.ts';
import type { ModelGroup } from './model-groups.ts';
import type { ToolCategoryView } from './tool-categories.ts';

/** Everything that a form needs to set a job up. */
export type ExpertServices = {
  readonly experts: ExpertsService;
  readonly configPresets: readonly ConfigPreset[];
  /** Models as of now. */
  modelGroups(): readonly ModelGroup[];
  /** All categories with what `tools` switches on, and what this server lacks for them. */
  toolCategories(tools: ResolvedConfig['tools']): readonly ToolCategoryView[];
};
