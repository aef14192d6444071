import type { Model } from '../../src/agent/model.ts';
import type { ModelProvider, ProviderId } from '../../src/agent/models/provider.ts';
import type { ProviderSite } from '../../src/agent/models/provider-errors.ts';
import { createScriptedModel } from '../../src/agent/models/scripted.ts';

/** A site whose variables stand in error messages. */
export const testSite: ProviderSite = {
  keyVariable: 'OPENAI_API_KEY',
  addressVariable: 'OPENAI_BASE_URL',
  secrets: ['sk-test'],
};

/** A provider without a server, all of whose models are `model`, or scripts without a step. */
export function fakeProvider(
  id: ProviderId = 'openai',
  more: Partial<ModelProvider> & { readonly model?: Model } = {},
): ModelProvider {
  const { model, ...rest } = more;
  return {
    id,
    title: id,
    servesAnyName: false,
    defaultModel: () => ({ openai: 'gpt-4.1', anthropic: 'claude-haiku-4-5-20251001', ollama: 'ollama' })[id],
    listed: () => [],
    list: () => Promise.resolve(null),
    createModel: (name) => model ?? createScriptedModel([], name),
    ...rest,
  };
}
