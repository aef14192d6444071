/** How experts, presets and what they need of the configuration are opened; `app.ts` puts them together with the rest. */
import { join } from 'node:path';
import type { ModelCatalog } from '../agent/models/catalog.ts';
import { CONFIG_FOLDER } from '../config/config-folder.ts';
import type { Config } from '../config/config.ts';
import { readConfigPresets } from '../experts/config-presets.ts';
import { openExpertCatalog } from '../experts/expert-catalog.ts';
import type { ToolSetup } from '../experts/tool-categories.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import type { ExpertServices } from '../services/experts/expert-services.ts';
import { createExpertsService } from '../services/experts/experts.ts';
import { groupModels } from '../services/experts/model-groups.ts';
import { viewToolCategories } from '../services/experts/tool-categories.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';

/** Opens the shipped experts, whose files are watched except in production; `opening` closes them. */
export async function openExperts(
  parts: {
    readonly config: Config;
    readonly database: OpenDatabase;
    readonly models: ModelCatalog;
    readonly log: Logger;
  },
  resources: ResourceStack,
): Promise<ExpertServices> {
  const { config, database, models, log } = parts;
  const catalog = await openExpertCatalog(
    { folder: join(CONFIG_FOLDER, 'experts'), watched: !config.production, log },
    resources,
  );
  const setup = toolSetup(config);
  return {
    experts: createExpertsService({ db: database.db, catalog }),
    configPresets: await readConfigPresets(join(CONFIG_FOLDER, 'presets.yaml')),
    modelGroups: () => groupModels(models.options()),
    toolCategories: (tools) => viewToolCategories(tools, setup),
  };
}

/** What this server has for tools. Datasources are named by jobs, so the server promises none. */
export const toolSetup = ({ tavilyApiKey, liveSourceUrl }: Config): ToolSetup => ({
  hasWebSearch: tavilyApiKey !== null,
  hasLiveSource: liveSourceUrl !== null,
  datasources: new Set(),
});
