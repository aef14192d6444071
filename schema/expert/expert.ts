import type { ConfigSource as DomainConfigSource } from '../../src/domain/artifacts/config-merge.ts';
import type {
  ConfigResolution,
  Expert as WholeExpert,
  ExpertInstructionsSource,
  ReasoningLevel,
} from '../../src/experts/expert.ts';
import type { ListedExpert } from '../../src/services/experts/experts.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../context.ts';
import { enumOf } from '../enums.ts';
import { existing } from '../existing.ts';
import { Expert } from '../refs.ts';
import { ToolCategoryRef } from './settings.ts';

const ReasoningLevelEnum = enumOf<Uppercase<ReasoningLevel>>(
  'ReasoningLevel',
  'How much a model should reason before it answers.',
  {
    NONE: 'Not requested; the model decides.',
    LOW: 'Little.',
    MEDIUM: 'Some.',
    HIGH: 'Much.',
  },
);

const LEVELS = {
  none: 'NONE',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
} as const satisfies Record<ReasoningLevel, string>;

/** A job may have any of these, an expert only the last three. */
export const InstructionsSourceEnum = enumOf<'INLINE' | 'UPLOAD' | ExpertInstructionsSource>(
  'InstructionsSource',
  'Where instructions come from, by precedence.',
  {
    INLINE: 'Sent with the job.',
    UPLOAD: 'An uploaded file.',
    EXPERT: "The expert's own.",
    TEMPLATE: 'The template that all experts share.',
    GENERATED: 'Generated from the enabled tools, for lack of any other.',
  },
);

const LlmSettings = builder.objectRef<ConfigResolution['config']['llm']>('LlmSettings').implement({
  rule: 'viewer: project',
  description: 'Settings of a model.',
  fields: (t) => ({
    model: t.string({
      description: 'Name of the model; the default of this server if none is set.',
      resolve: ({ model }, _args, { services }) => model ?? services.copilotConfig.defaultModel,
    }),
    temperature: t.exposeFloat('temperature', { description: '0 (always the most likely token) to 2.' }),
    reasoningLevel: t.field({
      type: ReasoningLevelEnum,
      description: 'How much it should reason.',
      resolve: ({ reasoning_level: level }) => LEVELS[level],
    }),
  }),
});

const ConfigSourceRef = builder.objectRef<DomainConfigSource>('ConfigSource').implement({
  description: 'Where a setting comes from.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The setting, for example `llm.temperature`.' }),
    layer: t.exposeString('layer', {
      description: 'Id of the expert that sets it, `defaults`, or `built-in`.',
    }),
  }),
});

const ExpertConfig = builder.objectRef<ConfigResolution['config']>('ExpertConfig').implement({
  rule: 'viewer: project',
  description: 'Complete settings.',
  fields: (t) => ({
    llm: t.field({ type: LlmSettings, description: 'The model.', resolve: ({ llm }) => llm }),
    tools: t.field({
      type: [ToolCategoryRef],
      description: 'All categories of tools, with the enabled tools.',
      resolve: ({ tools }, _args, { services }) => services.toolCategories(tools),
    }),
    json: t.field({
      type: 'JSON',
      description: 'The same with the names used in YAML files, as the base of overrides.',
      resolve: (config) => config,
    }),
  }),
});

builder.node(Expert, {
  rule: 'viewer: project',
  description:
    'A way to carry out jobs: instructions, a model and tools. Either shipped with QPilot or saved in the project.',
  id: { resolve: ({ expertId }) => expertId },
  loadWithoutCache: (id, { loaders }) => loaders.expert.load(id),
  fields: (t) => ({
    expertId: t.exposeString('expertId', {
      description: 'Its readable id, such as `researcher`.',
    }),
    displayName: t.exposeString('displayName', { description: 'Its name.' }),
    description: t.exposeString('description', { description: 'What it is for, in one sentence.' }),
    icon: t.exposeString('icon', { description: 'Name of an icon, such as `chart-line`.' }),
    color: t.exposeString('color', { description: 'A colour as `#rrggbb`.' }),
    tags: t.stringList({ description: 'Keywords.', resolve: ({ tags }) => [...tags] }),
    isBuiltIn: t.exposeBoolean('isBuiltIn', {
      description: 'True for shipped experts, which cannot be changed or deleted.',
    }),
    loadError: t.exposeString('loadError', {
      nullable: true,
      description: 'Why its files, and so the expert, cannot be used; null if they can.',
    }),
    version: t.int({
      nullable: true,
      description:
        'Version of a saved expert, from 1; send it to replace that version. Null for shipped experts.',
      resolve: ({ saved }) => saved?.version ?? null,
    }),
    author: t.string({
      nullable: true,
      description: 'Id of the user who saved this version; null for shipped experts.',
      resolve: ({ saved }) => saved?.authorId ?? null,
    }),
    savedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When this version was saved; null for shipped experts.',
      resolve: ({ saved }) => saved?.savedAt ?? null,
    }),
    instructions: t.string({
      description: 'Its instructions, as Markdown; the user fills in the section Task at the end.',
      resolve: async (expert, _args, { loaders }) => (await whole(loaders, expert)).instructions,
    }),
    instructionsSource: t.field({
      type: InstructionsSourceEnum,
      description: 'Where the instructions come from.',
      resolve: async (expert, _args, { loaders }) => (await whole(loaders, expert)).instructionsSource,
    }),
    config: t.field({
      type: ExpertConfig,
      description: 'Its settings over the defaults.',
      resolve: async (expert, _args, { loaders }) => (await whole(loaders, expert)).resolution.config,
    }),
    configSources: t.field({
      type: [ConfigSourceRef],
      description: 'The source of each setting, by path.',
      resolve: async (expert, _args, { loaders }) => [...(await whole(loaders, expert)).resolution.sources],
    }),
    warnings: t.stringList({
      description: 'Problems of the settings, for example tools that do not exist here.',
      resolve: async (expert, _args, { loaders }) => [...(await whole(loaders, expert)).resolution.warnings],
    }),
  }),
});

const whole = ({ expertDetails }: GraphQLContext['loaders'], expert: ListedExpert): Promise<WholeExpert> =>
  existing(expertDetails.load(expert), 'expert');

builder.queryFields((t) => ({
  experts: t.field({
    rule: 'viewer: project',
    type: [Expert],
    description: 'Shipped experts and those of the project, by name. Broken ones are listed with the reason.',
    args: {
      search: t.arg.string({ required: false, description: 'Text in the id, name, description or tags.' }),
      tag: t.arg.string({ required: false, description: 'Only experts with this tag.' }),
    },
    resolve: async (_root, { search = null, tag = null }, { services, viewer }) => [
      ...(await services.experts.list(viewer, { search, tag })),
    ],
  }),
  expert: t.field({
    rule: 'viewer: project',
    type: Expert,
    nullable: true,
    description: 'An expert by its id; null if it does not exist.',
    args: { expertId: t.arg.string({ description: 'For example `researcher`.' }) },
    resolve: (_root, { expertId }, { loaders }) => loaders.expert.load(expertId),
  }),
}));
