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
    type: CopilotConfig,
    description: 'What a client needs before the first message. Never contains keys or addresses.',
    resolve: (_root, _args, { services }) => services.copilotConfig,
  }),
);
