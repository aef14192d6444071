import type { ResourceStack } from '../../../base/resource-stack.ts';
import type { ProviderConfig } from '../../../config/providers.ts';
import type { Facts } from '../capabilities.ts';
import { anthropicFault, createAnthropicClient } from './client.ts';
import { createAnthropicModel } from './messages.ts';
import { keepFacts, LIST_REQUEST, readList } from '../shared/model-list.ts';
import { factsOfModel } from './model-facts.ts';
import { hostOf } from '../shared/host.ts';
import type { ModelProvider, OutputLimit } from '../provider.ts';
import type { ProviderSite } from '../shared/provider-errors.ts';

/** Anthropic, or a gateway before it. */
export function createAnthropicProvider(
  { apiKey, baseUrl }: NonNullable<ProviderConfig['anthropic']>,
  { maxOutputTokens }: OutputLimit,
  resources: ResourceStack,
): ModelProvider {
  const client = createAnthropicClient({ apiKey, baseUrl });
  const title = baseUrl === null ? 'Anthropic' : 'the server at ANTHROPIC_BASE_URL';
  const site: ProviderSite = {
    keyVariable: 'ANTHROPIC_API_KEY',
    addressVariable: 'ANTHROPIC_BASE_URL',
    secrets: [apiKey],
  };
  const facts = new Map<string, Facts>();
  const list: ModelProvider['list'] = (signal) =>
    readList(
      async () => {
        const { data } = await client.models.list({ limit: 100 }, { ...LIST_REQUEST, signal });
        for (const info of data) facts.set(info.id, factsOfModel(info));
        return data.map(({ id }) => id);
      },
      { title, site, faultOf: anthropicFault },
      signal,
    );
  keepFacts(list, resources);
  return {
    id: 'anthropic',
    title,
    servesAnyName: false,
    defaultModel: () => 'claude-haiku-4-5-20251001',
    listed: () => [],
    list,
    factsOf: (name) => facts.get(name) ?? null,
    host: hostOf(baseUrl),
    createModel: (known) => createAnthropicModel({ client, ...known, site, maxOutputTokens }),
  };
}
