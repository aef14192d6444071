import { inLanguage } from '../../src/domain/text/language.ts';
import type {
  CopilotConfig as Config,
  Suggestion as Question,
} from '../../src/services/copilot/copilot-config.ts';
import { builder } from '../builder.ts';
import { ModelOption } from '../refs.ts';

const Suggestion = builder.objectRef<Question>('Suggestion').implement({
  description: 'A question to start with.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'Short text for a button.' }),
    prompt: t.exposeString('prompt', { description: 'The whole question.' }),
  }),
});

ModelOption.implement({
  description: 'A model that can be selected.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Send this as `model`.' }),
    provider: t.exposeString('provider', { description: 'The provider that serves it.' }),
    available: t.exposeBoolean('available', {
      description: 'False if its provider is not configured here.',
    }),
    supportsImages: t.exposeBoolean('supportsImages', { description: 'Whether it can look at images.' }),
    contextTokens: t.int({
      nullable: true,
      description: 'Size of its context window in tokens; null for the offline analyst.',
      resolve: ({ capabilities }) => capabilities?.contextTokens ?? null,
    }),
    isAssumed: t.boolean({
      description: 'Whether its context window is assumed, because nobody knows the model.',
      resolve: ({ capabilities: known }) => known?.source === 'newer' || known?.source === 'assumed',
    }),
    outputTokens: t.int({
      nullable: true,
      description: 'Most tokens of one response; null if unknown.',
      resolve: ({ capabilities }) => capabilities?.outputTokens ?? null,
    }),
    supportsTools: t.boolean({
      nullable: true,
      description: 'Whether it can call tools; null if unknown.',
      resolve: ({ capabilities }) => capabilities?.tools ?? null,
    }),
    thinks: t.boolean({
      nullable: true,
      description: 'Whether it thinks before it answers; null if unknown.',
      resolve: ({ capabilities }) => capabilities?.reasons ?? null,
    }),
    efforts: t.stringList({
      nullable: true,
      description: 'Reasoning efforts that it accepts, as its provider names them; null if unknown.',
      resolve: ({ capabilities }) => (capabilities?.efforts ? [...capabilities.efforts] : null),
    }),
    inputPriceUsd: t.float({
      nullable: true,
      description: 'List price of a million input tokens in US dollars; null if unknown.',
      resolve: ({ capabilities }) => capabilities?.price?.input ?? null,
    }),
    outputPriceUsd: t.float({
      nullable: true,
      description: 'List price of a million output tokens in US dollars; null if unknown.',
      resolve: ({ capabilities }) => capabilities?.price?.output ?? null,
    }),
  }),
});

/** The language for texts from the settings. */
const languageArg = () =>
  builder.args((arg) => ({
    language: arg.string({
      required: false,
      description: 'Language of the reader, for example `ja`; English if the settings have no such text.',
    }),
  }));

const CopilotConfig = builder.objectRef<Config>('CopilotConfig').implement({
  description: 'What a client needs before the first message.',
  fields: (t) => ({
    greeting: t.string({
      description: 'Greeting for an empty conversation.',
      args: languageArg(),
      resolve: ({ greeting }, { language }) => inLanguage(greeting, language),
    }),
    suggestions: t.field({
      type: [Suggestion],
      description: 'Questions to start with.',
      args: languageArg(),
      resolve: ({ suggestions }, { language }) => [...inLanguage(suggestions, language)],
    }),
    models: t.field({
      type: [ModelOption],
      description: 'Models in display order.',
      resolve: ({ models }) => [...models],
    }),
    defaultModel: t.exposeString('defaultModel', {
      description: 'The model used unless a message names one.',
    }),
    builderModel: t.field({
      type: ModelOption,
      description: 'The model that answers messages to the builder unless one names another.',
      resolve: ({ builderModel }) => builderModel,
    }),
    maxMessageLength: t.exposeInt('maxMessageLength', { description: 'Most characters of a message.' }),
    maxImages: t.exposeInt('maxImages', {
      description: 'Most images of a message; 0 if none may be attached.',
    }),
    maxImageBytes: t.exposeInt('maxImageBytes', { description: 'Largest image in bytes.' }),
    sandboxPackages: t.stringList({
      description: 'Python modules available to analyses.',
      resolve: ({ sandboxPackages }) => [...sandboxPackages],
    }),
  }),
});

builder.queryField('copilotConfig', (t) =>
  t.field({
    rule: 'viewer: project',
    type: CopilotConfig,
    description: 'What a client needs before the first message. Never contains keys or addresses.',
    resolve: (_root, _args, { services }) => services.copilotConfig,
  }),
);
