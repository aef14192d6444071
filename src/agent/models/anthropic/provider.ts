import type { ProviderConfig } from '../../../config/providers.ts';
import { anthropicFault, createAnthropicClient } from './client.ts';
import { createAnthropicModel } from './messages.ts';
import { LIST_REQUEST, readModelList } from '../shared/model-list.ts';
import type { ModelProvider, OutputLimit } from '../provider.ts';
import type { ProviderSite } from '../shared/provider-errors.ts';

/** Anthropic, or a gateway before it. */
export function createAnthropicProvider(
  { apiKey, baseUrl }: NonNullable<ProviderConfig['anthropic']>,
  { maxOutputTokens }: OutputLimit,
): ModelProvider {
  const client = createAnthropicClient({ apiKey, baseUrl });
  const title = baseUrl === null ? 'Anthropic' : 'the server at ANTHROPIC_BASE_URL';
  const site: ProviderSite = {
    keyVariable: 'ANTHROPIC_API_KEY',
    addressVariable: 'ANTHROPIC_BASE_URL',
    secrets: [apiKey],
  };
  return {
    id: 'anthropic',
    title,
    servesAnyName: false,
    defaultModel: () => 'claude-haiku-4-5-20251001',
    listed: () => [],
    list: (signal) =>
      readModelList(
        client.models.list({ limit: 100 }, { ...LIST_REQUEST, signal }),
        { title, site, faultOf: anthropicFault },
        signal,
      ),
    createModel: (name, supportsImages) =>
      createAnthropicModel({ client, name, supportsImages, site, maxOutputTokens }),
  };
}
