import type { ProviderConfig } from '../../../config/providers.ts';
import { createChatCompletionsModel } from '../chat/completions.ts';
import { LIST_REQUEST, readModelList } from '../shared/model-list.ts';
import { createOpenAiClient, openAiFault } from '../chat/openai-client.ts';
import { createOpenAiResponsesModel } from './responses.ts';
import type { ModelProvider, OutputLimit } from '../provider.ts';
import type { ProviderSite } from '../shared/provider-errors.ts';

/** OpenAI, or a server that speaks one of its APIs. */
export function createOpenAiProvider(
  { apiKey, baseUrl, api }: NonNullable<ProviderConfig['openai']>,
  { maxOutputTokens }: OutputLimit,
): ModelProvider {
  const client = createOpenAiClient({ apiKey, baseUrl });
  const title = baseUrl === null ? 'OpenAI' : 'the server at OPENAI_BASE_URL';
  const site: ProviderSite = {
    keyVariable: 'OPENAI_API_KEY',
    addressVariable: 'OPENAI_BASE_URL',
    addressHint: 'it ends in /v1',
    secrets: apiKey === null ? [] : [apiKey],
  };
  return {
    id: 'openai',
    title,
    servesAnyName: baseUrl !== null,
    defaultModel: () => 'gpt-4.1',
    listed: () => [],
    list: (signal) =>
      readModelList(
        client.models.list({ ...LIST_REQUEST, signal }),
        { title, site, faultOf: openAiFault },
        signal,
      ),
    createModel(name, supportsImages) {
      const model = { client, name, supportsImages, site, maxOutputTokens };
      return api === 'responses'
        ? createOpenAiResponsesModel(model)
        : createChatCompletionsModel({ ...model, server: 'openai', honoursToolChoice: true });
    },
  };
}
