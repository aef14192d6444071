/** What a form offers for the settings of an expert or a job: tools, models and presets. */
import type { ConfigPreset as DomainConfigPreset } from '../../src/experts/config-presets.ts';
import type { ModelGroup as DomainModelGroup } from '../../src/services/experts/model-groups.ts';
import type { ToolCategoryView, ToolView } from '../../src/services/experts/tool-categories.ts';
import { builder } from '../builder.ts';
import { ModelOption } from '../refs.ts';

const CategoryToolRef = builder.objectRef<ToolView>('CategoryTool').implement({
  description: 'A tool of a category.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in settings.' }),
    label: t.exposeString('label', { description: 'What it does, in brief.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether these settings enable it.' }),
    unavailableReason: t.exposeString('unavailableReason', {
      nullable: true,
      description: 'What has to be set up before it can be used; null if it can be used.',
    }),
  }),
});

/** A category of tools in some settings. */
export const ToolCategoryRef = builder.objectRef<ToolCategoryView>('ToolCategory').implement({
  description: 'Tools that belong together, in some settings.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in settings, for example `timeseries`.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    purpose: t.exposeString('purpose', { description: 'What its tools are for.' }),
    locked: t.exposeBoolean('locked', { description: 'Whether it is part of every job.' }),
    tools: t.stringList({
      description: 'Names of enabled tools, known here or not; empty if the category is disabled.',
      resolve: ({ enabled }) => [...enabled],
    }),
    allTools: t.field({
      type: [CategoryToolRef],
      description: 'All tools of the category on this server.',
      resolve: ({ tools }) => [...tools],
    }),
    unavailableReason: t.exposeString('unavailableReason', {
      nullable: true,
      description: 'What has to be set up before any of its tools can be used; null if some can be used.',
    }),
  }),
});

const ModelGroup = builder.objectRef<DomainModelGroup>('ModelGroup').implement({
  description: 'Models of one provider.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'The provider, as in `ModelOption.provider`.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    models: t.field({
      type: [ModelOption],
      description: 'In display order.',
      resolve: ({ models }) => [...models],
    }),
  }),
});

const ConfigPreset = builder.objectRef<DomainConfigPreset>('ConfigPreset').implement({
  rule: 'viewer: project',
  description: 'Named settings for a form to offer.',
  fields: (t) => ({
    presetId: t.exposeString('presetId', { description: 'Its id, such as `fast`.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    description: t.exposeString('description', { description: 'What it changes, in one sentence.' }),
    override: t.field({
      type: 'JSON',
      description: 'Overrides for the settings of an expert.',
      resolve: ({ override }) => override,
    }),
    unavailableReason: t.string({
      nullable: true,
      description: 'Why it cannot be used here, such as a model without a provider; null if it can be used.',
      resolve: ({ model }, _args, { services }) =>
        model === null ||
        services.copilotConfig.models.some(({ name, available }) => available && name === model)
          ? null
          : `the model ${model} has no provider here`,
    }),
  }),
});

builder.queryFields((t) => ({
  modelCatalog: t.field({
    rule: 'viewer: project',
    type: [ModelGroup],
    description:
      'Models to offer for jobs and the builder, by provider. Any other name may be entered as well.',
    resolve: (_root, _args, { services }) => [...services.modelGroups()],
  }),
  configPresets: t.field({
    rule: 'viewer: project',
    type: [ConfigPreset],
    description: 'Presets of settings in display order.',
    resolve: (_root, _args, { services }) => [...services.configPresets],
  }),
}));
