import type { z } from 'zod';
import type { ProviderConfig } from '../../../config/providers.ts';
import type { ResourceStack } from '../../../base/resource-stack.ts';
import { ModelError, type Model } from '../../model.ts';
import type { Facts } from '../capabilities.ts';
import { hostOf } from '../shared/host.ts';
import { httpFault } from '../shared/http.ts';
import { keepModelList, readList } from '../shared/model-list.ts';
import type { KnownModel, ModelProvider, OutputLimit } from '../provider.ts';
import type { ProviderSite } from '../shared/provider-errors.ts';
import { ANY_OLLAMA_MODEL } from './any-model.ts';
import { createOllamaModel } from './chat.ts';
import { createOllamaClient, shown, tags, type OllamaClient } from './client.ts';
import { whileLoading } from './loading.ts';
import { factsOfShown, UNDESCRIBED } from './model-facts.ts';

const TITLE = 'Ollama';

/** An Ollama, up or not: its models are read again and again until `resources` closes it. Never rejects. */
export async function openOllamaProvider(
  { baseUrl, apiKey }: NonNullable<ProviderConfig['ollama']>,
  { maxOutputTokens }: OutputLimit,
  resources: ResourceStack,
): Promise<ModelProvider> {
  const client = createOllamaClient({ baseUrl, apiKey });
  const site: ProviderSite = {
    keyVariable: apiKey === null ? null : 'OLLAMA_API_KEY',
    addressVariable: 'OLLAMA_BASE_URL',
    secrets: apiKey === null ? [] : [apiKey],
  };
  const facts = createFactReader(client);
  const list: ModelProvider['list'] = (signal) =>
    readList(
      async () => {
        const { models } = tags.parse(await client.get('tags', signal));
        await facts.read(models, signal);
        return models.map(({ name }) => name);
      },
      { title: TITLE, site, faultOf: httpFault },
      signal,
    );
  const createModel = (known: KnownModel): Model =>
    whileLoading(createOllamaModel({ client, ...known, site, maxOutputTokens }), (signal) =>
      client.get('version', signal),
    );
  const listed = await keepModelList(list, resources);
  return {
    id: 'ollama',
    title: TITLE,
    servesAnyName: true,
    defaultModel: () => listed()[0] ?? ANY_OLLAMA_MODEL,
    listed,
    list,
    factsOf: (name) => facts.of(name === ANY_OLLAMA_MODEL ? (listed()[0] ?? name) : name) ?? UNDESCRIBED,
    host: hostOf(baseUrl),
    createModel: (known) =>
      known.name === ANY_OLLAMA_MODEL ? firstListed(list, known, createModel) : createModel(known),
  };
}

/** Facts of the models that a server has; each version of a model is asked for once. */
function createFactReader(client: OllamaClient) {
  const known = new Map<string, { readonly digest: string | null; readonly facts: Facts }>();
  return {
    async read(models: z.infer<typeof tags>['models'], signal: AbortSignal): Promise<void> {
      const unread = models.filter(({ name, digest = null }) => known.get(name)?.digest !== digest);
      for (const { name, digest = null } of unread) {
        const answer = await client.post('show', { model: name }, signal).catch(() => null);
        signal.throwIfAborted();
        const read = shown.safeParse(answer);
        if (read.success) known.set(name, { digest, facts: factsOfShown(read.data) });
      }
    },
    of: (name: string): Facts | null => (known.get(name) ?? known.get(`${name}:latest`))?.facts ?? null,
  };
}

/**
 * Looks the first model up when it is asked, so that a server that comes up later needs no restart here. From then on
 * it keeps that model's name.
 */
function firstListed(
  list: ModelProvider['list'],
  known: KnownModel,
  createModel: (known: KnownModel) => Model,
): Model {
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
      if (found?.name !== first) found = createModel(known.named(first));
      yield* found.stream(request, signal);
    },
  };
}
