import type { ProviderConfig } from '../../../config/providers.ts';
import type { ResourceStack } from '../../../base/resource-stack.ts';
import { ModelError, type Model } from '../../model.ts';
import { createChatCompletionsModel } from '../chat/completions.ts';
import { keepModelList, LIST_REQUEST, readModelList } from '../shared/model-list.ts';
import { createOpenAiClient, openAiFault } from '../chat/openai-client.ts';
import { ANY_OLLAMA_MODEL } from './any-model.ts';
import type { ModelProvider, OutputLimit } from '../provider.ts';
import type { ProviderSite } from '../shared/provider-errors.ts';

const TITLE = 'Ollama';
/** Ollama answers nothing while it loads a model; asking again would load it again. */
const LOADING_TIMEOUT_MS = 280_000;

/** An Ollama, up or not: its models are read again and again until `opening` closes it. Never rejects. */
export async function openOllamaProvider(
  { baseUrl }: NonNullable<ProviderConfig['ollama']>,
  { maxOutputTokens }: OutputLimit,
  resources: ResourceStack,
): Promise<ModelProvider> {
  const client = createOpenAiClient({
    apiKey: null,
    baseUrl: compatibleAddress(baseUrl),
    headersTimeoutMs: LOADING_TIMEOUT_MS,
  });
  const site: ProviderSite = { keyVariable: null, addressVariable: 'OLLAMA_BASE_URL', secrets: [] };
  const list = (signal: AbortSignal) =>
    readModelList(
      client.models.list({ ...LIST_REQUEST, signal }),
      { title: TITLE, site, faultOf: openAiFault },
      signal,
    );
  const createModel = (name: string, supportsImages: boolean): Model =>
    createChatCompletionsModel({
      client,
      server: 'ollama',
      honoursToolChoice: false,
      name,
      supportsImages,
      site,
      maxOutputTokens,
    });
  const listed = await keepModelList(list, resources);
  return {
    id: 'ollama',
    title: TITLE,
    servesAnyName: true,
    defaultModel: () => listed()[0] ?? ANY_OLLAMA_MODEL,
    listed,
    list,
    createModel: (name, supportsImages) =>
      name === ANY_OLLAMA_MODEL ? firstListed(list, createModel) : createModel(name, supportsImages),
  };
}

/** The address of Ollama's OpenAI-like API, whichever of its addresses is given. */
function compatibleAddress(baseUrl: string): string {
  const address = baseUrl.replace(/\/+$/, '');
  return address.endsWith('/v1') ? address : `${address}/v1`;
}

/**
 * Looks the first model up when it is asked, so that a server that comes up later needs no restart here. From then on
 * it keeps that model's name.
 */
function firstListed(list: ModelProvider['list'], createModel: ModelProvider['createModel']): Model {
  let found: Model | null = null;
  return {
    get name() {
      return found?.name ?? ANY_OLLAMA_MODEL;
    },
    get provider() {
      return found?.provider ?? ANY_OLLAMA_MODEL;
    },
    async *stream(request, signal) {
      const [first] = (await list(signal)) ?? [];
      if (first === undefined) {
        const message = `${TITLE} has no model yet; get one, for example with: ollama pull qwen3`;
        throw new ModelError('UNAVAILABLE', message, { retryable: true });
      }
      if (found?.name !== first) found = createModel(first, false);
      yield* found.stream(request, signal);
    },
  };
}
