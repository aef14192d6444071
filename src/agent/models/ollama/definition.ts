import type { ProviderDefinition } from '../provider.ts';

/** Stands for whichever model Ollama lists first, while that is not known. */
export const ANY_OLLAMA_MODEL = 'ollama';

/** A local Ollama. */
export const ollama: ProviderDefinition<'ollama'> = {
  family: null,
  builderModel: null,
  open: async (config, limit, resources) =>
    (await import('./provider.ts')).openOllamaProvider(config, limit, resources),
};
