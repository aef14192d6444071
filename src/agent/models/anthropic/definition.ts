import type { ProviderDefinition } from '../provider.ts';

/** Anthropic, or a gateway before it. */
export const anthropic: ProviderDefinition<'anthropic'> = {
  builderModel: 'claude-haiku-4-5-20251001',
  open: async (config, limit, resources) =>
    (await import('./provider.ts')).createAnthropicProvider(config, limit, resources),
};
