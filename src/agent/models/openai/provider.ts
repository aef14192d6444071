import type { ResourceStack } from '../../../base/resource-stack.ts';
import type { ProviderConfig } from '../../../config/providers.ts';
import type { Facts } from '../capabilities.ts';
import { createChatCompletionsModel } from '../chat/completions.ts';
import { factsInList } from '../chat/server-facts.ts';
import { keepFacts, LIST_REQUEST, readList } from '../shared/model-list.ts';
import { createOpenAiClient, openAiFault } from '../chat/openai-client.ts';
import { createOpenAiResponsesModel } from './responses.ts';
import { hostOf } from '../shared/host.ts';
import type { ModelProvider, OutputLimit } from '../provider.ts';
import type { ProviderSite } from '../shared/provider-errors.ts';

/** OpenAI, or a server that speaks one of its APIs. */
export function createOpenAiProvider(
  { apiKey, baseUrl, api }: NonNullable<ProviderConfig['openai']>,
  { maxOutputTokens }: OutputLimit,
  resources: ResourceStack,
): ModelProvider {
  const client = createOpenAiClient({ apiKey, baseUrl });
  const title = baseUrl === null ? 'OpenAI' : 'the server at OPENAI_BASE_URL';
  const site: ProviderSite = {
    keyVariable: 'OPENAI_API_KEY',
    addressVariable: 'OPENAI_BASE_URL',
    addressHint: 'it ends in /v1',
    secrets: apiKey === null ? [] : [apiKey],
  };
  let facts: ReadonlyMap<string, Facts> = new Map();
  const list: ModelProvider['list'] = (signal) =>
    readList(
      async () => {
        const { data } = await client.models.list({ ...LIST_REQUEST, signal });
        facts = factsInList(data);
        return data.map(({ id }) => id);
      },
      { title, site, faultOf: openAiFault },
      signal,
    );
  // OpenAI itself lists names only.
  if (baseUrl !== null) keepFacts(list, resources);
  return {
    id: 'openai',
    title,
    servesAnyName: baseUrl !== null,
    defaultModel: () => 'gpt-4.1',
    listed: () => [],
    list,
    factsOf: (name) => facts.get(name) ?? null,
    host: hostOf(baseUrl),
    createModel(known) {
      const model = { client, ...known, site, maxOutputTokens };
      return api === 'responses'
        ? createOpenAiResponsesModel(model)
        : createChatCompletionsModel({ ...model, server: 'openai' });
    },
  };
}
