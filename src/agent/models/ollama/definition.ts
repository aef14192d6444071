import type { ProviderDefinition } from '../provider.ts';

/** A local Ollama. */
export const ollama: ProviderDefinition<'ollama'> = {
  builderModel: null,
  open: async (config, limit, resources) =>
    (await import('./provider.ts')).openOllamaProvider(config, limit, resources),
};
