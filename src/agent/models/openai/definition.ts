import type { ProviderDefinition } from '../provider.ts';

/** OpenAI, or a server that speaks one of its APIs. */
export const openai: ProviderDefinition<'openai'> = {
  builderModel: 'gpt-4o-mini',
  open: async (config, limit, resources) =>
    (await import('./provider.ts')).createOpenAiProvider(config, limit, resources),
};
