import type { ProviderDefinition } from '../provider.ts';

/** OpenAI, or a server that speaks one of its APIs. */
export const openai: ProviderDefinition<'openai'> = {
  family: /^(gpt-\d|o\d|chatgpt-|codex)/,
  builderModel: 'gpt-4o-mini',
  open: async (config, limit) => (await import('./provider.ts')).createOpenAiProvider(config, limit),
};
