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
import { ToolCategoryRef } from './tool-category.ts';

const ReasoningLevelEnum = enumOf<Uppercase<ReasoningLevel>>(
  'ReasoningLevel',
  'How much a model is asked to think before it answers.',
  {
    NONE: 'Nothing is said about it; the model does what it does by itself.',
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

/** Where instructions come from; a job may have the first two, an expert has one of the others. */
export const InstructionsSourceEnum = enumOf<'INLINE' | 'UPLOAD' | ExpertInstructionsSource>(
  'InstructionsSource',
  'Where instructions come from, the strongest first.',
  {
    INLINE: 'Sent with the job.',
    UPLOAD: 'An uploaded file.',
    EXPERT: "The expert's own.",
    TEMPLATE: 'The template that all experts share.',
    GENERATED: 'Made from the tools that may be used, for want of any other.',
  },
);

const LlmSettings = builder.objectRef<ConfigResolution['config']['llm']>('LlmSettings').implement({
  description: 'What a model is asked with.',
  fields: (t) => ({
    model: t.string({
      description: 'Name of the model; the default of this server where none is set.',
      resolve: ({ model }, _args, { services }) => model ?? services.copilotConfig.defaultModel,
    }),
    temperature: t.exposeFloat('temperature', { description: '0 (always the most likely word) to 2.' }),
    reasoningLevel: t.field({
      type: ReasoningLevelEnum,
      description: 'How much it is asked to think.',
      resolve: ({ reasoning_level: level }) => LEVELS[level],
    }),
  }),
});

const ConfigSourceRef = builder.objectRef<DomainConfigSource>('ConfigSource').implement({
  description: 'Where a setting comes from.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The setting, for example `llm.temperature`.' }),
    layer: t.exposeString('layer', {
      description: 'Id of the expert that sets it, `defaults`, or `built-in` where none does.',
    }),
  }),
});

const ExpertConfig = builder.objectRef<ConfigResolution['config']>('ExpertConfig').implement({
  description: 'Settings with every value in place.',
  fields: (t) => ({
    llm: t.field({ type: LlmSettings, description: 'The model.', resolve: ({ llm }) => llm }),
    tools: t.field({
      type: [ToolCategoryRef],
      description: 'All categories of tools, with those tools that are switched on.',
      resolve: ({ tools }, _args, { services }) => services.toolCategories(tools),
    }),
    json: t.field({
      type: 'JSON',
      description: 'The same with the names of the YAML files: what an override is computed against.',
      resolve: (config) => config,
    }),
  }),
});

builder.node(Expert, {
  description:
    'A way to carry out jobs: instructions, a model and tools. Shipped with QPilot, or saved in the project.',
  id: { resolve: ({ expertId }) => expertId },
  loadWithoutCache: (id, { loaders }) => loaders.expert.load(id),
  fields: (t) => ({
    expertId: t.exposeString('expertId', {
      description: 'Its id for people and programs, such as `researcher`.',
    }),
    displayName: t.exposeString('displayName', { description: 'Its name.' }),
    description: t.exposeString('description', { description: 'What it is good for, in a sentence.' }),
    icon: t.exposeString('icon', { description: 'Name of an icon, such as `chart-line`.' }),
    color: t.exposeString('color', { description: 'A colour as `#rrggbb`.' }),
    tags: t.stringList({ description: 'Words to find it by.', resolve: ({ tags }) => [...tags] }),
    isBuiltIn: t.exposeBoolean('isBuiltIn', {
      description: 'True for shipped ones, which cannot be changed or deleted.',
    }),
    loadError: t.exposeString('loadError', {
      nullable: true,
      description: 'Why its files cannot be used; no job can be made with it then.',
    }),
    version: t.int({
      nullable: true,
      description: 'Of a saved one, from 1; name it to save over it. Null for shipped ones.',
      resolve: ({ saved }) => saved?.version ?? null,
    }),
    author: t.string({
      nullable: true,
      description: 'Id of the user who saved this version; null for shipped ones.',
      resolve: ({ saved }) => saved?.authorId ?? null,
    }),
    savedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When this version was saved; null for shipped ones.',
      resolve: ({ saved }) => saved?.savedAt ?? null,
    }),
    instructions: t.string({
      description: 'What it is told, Markdown; the section Task at the end is for the user to fill in.',
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
      description: 'Where each setting comes from, by path.',
      resolve: async (expert, _args, { loaders }) => [...(await whole(loaders, expert)).resolution.sources],
    }),
    warnings: t.stringList({
      description: 'What to know about the settings, for example tools that do not exist here.',
      resolve: async (expert, _args, { loaders }) => [...(await whole(loaders, expert)).resolution.warnings],
    }),
  }),
});

const whole = ({ expertDetails }: GraphQLContext['loaders'], expert: ListedExpert): Promise<WholeExpert> =>
  existing(expertDetails.load(expert), 'expert');

builder.queryFields((t) => ({
  experts: t.field({
    type: [Expert],
    description: 'Shipped experts and those of the project, by name. Broken ones are listed with the reason.',
    args: {
      search: t.arg.string({ required: false, description: 'Looked for in id, name, description and tags.' }),
      tag: t.arg.string({ required: false, description: 'Only experts with this tag.' }),
    },
    resolve: async (_root, { search = null, tag = null }, { services, viewer }) => [
      ...(await services.experts.list(viewer, { search, tag })),
    ],
  }),
  expert: t.field({
    type: Expert,
    nullable: true,
    description: 'The expert of an id; null where there is none.',
    args: { expertId: t.arg.string({ description: 'For example `researcher`.' }) },
    resolve: (_root, { expertId }, { loaders }) => loaders.expert.load(expertId),
  }),
}));
