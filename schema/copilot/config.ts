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
    label: t.exposeString('label', { description: 'A few words for a button.' }),
    prompt: t.exposeString('prompt', { description: 'The whole question.' }),
  }),
});

ModelOption.implement({
  description: 'A model that may be named.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Give this as `model`.' }),
    provider: t.exposeString('provider', { description: 'Who serves it.' }),
    available: t.exposeBoolean('available', {
      description: 'False when its provider is not configured here.',
    }),
    supportsImages: t.exposeBoolean('supportsImages', { description: 'Whether it can look at images.' }),
  }),
});

/** In whose language words of the settings are wanted. */
const languageArg = () =>
  builder.args((arg) => ({
    language: arg.string({
      required: false,
      description: 'Language of the reader, for example `ja`; English where the lab wrote nothing in it.',
    }),
  }));

const CopilotConfig = builder.objectRef<Config>('CopilotConfig').implement({
  description: 'What a client needs to know before the first message.',
  fields: (t) => ({
    greeting: t.string({
      description: 'First words of an empty conversation.',
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
      description: 'Models in the order in which to offer them.',
      resolve: ({ models }) => [...models],
    }),
    defaultModel: t.exposeString('defaultModel', {
      description: 'The model that answers when none is named.',
    }),
    maxMessageLength: t.exposeInt('maxMessageLength', { description: 'Characters of one message.' }),
    maxImages: t.exposeInt('maxImages', {
      description: 'Images of one message; 0 where none may be attached.',
    }),
    maxImageBytes: t.exposeInt('maxImageBytes', { description: 'Size of one image in bytes.' }),
    sandboxPackages: t.stringList({
      description: 'Python modules that analyses may import.',
      resolve: ({ sandboxPackages }) => [...sandboxPackages],
    }),
  }),
});

builder.queryField('copilotConfig', (t) =>
  t.field({
    type: CopilotConfig,
    description: 'What a client needs to know before the first message. Never holds keys or addresses.',
    resolve: (_root, _args, { services }) => services.copilotConfig,
  }),
);
