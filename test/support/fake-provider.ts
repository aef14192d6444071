import type { Model } from '../../src/agent/model.ts';
import type { ModelProvider } from '../../src/agent/models/provider.ts';
import { PROVIDER_DEFINITIONS } from '../../src/agent/models/providers.ts';
import type { ProviderSite } from '../../src/agent/models/shared/provider-errors.ts';
import type { ProviderId } from '../../src/config/providers.ts';
import { createScriptedModel } from './scripted-model.ts';

/** A site whose variables stand in error messages. */
export const testSite: ProviderSite = {
  keyVariable: 'OPENAI_API_KEY',
  addressVariable: 'OPENAI_BASE_URL',
  addressHint: 'it ends in /v1',
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
    defaultModel: () => (id === 'openai' ? 'gpt-4.1' : (PROVIDER_DEFINITIONS[id].builderModel ?? id)),
    listed: () => [],
    list: () => Promise.resolve(null),
    factsOf: () => null,
    host: null,
    createModel: ({ name }) => model ?? createScriptedModel([], name),
    ...rest,
  };
}
