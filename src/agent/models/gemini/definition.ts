import type { ProviderDefinition } from '../provider.ts';

/** Google's Gemini, or a gateway before it. */
export const gemini: ProviderDefinition<'gemini'> = {
  builderModel: 'gemini-3.1-flash-lite',
  open: async (config, limit, resources) =>
    (await import('./provider.ts')).openGeminiProvider(config, limit, resources),
};
