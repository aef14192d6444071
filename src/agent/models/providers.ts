import type { ResourceStack } from '../../base/resource-stack.ts';
import { PROVIDER_IDS, type ProviderConfig, type ProviderId } from '../../config/providers.ts';
import { anthropic } from './anthropic/definition.ts';
import { ollama } from './ollama/definition.ts';
import { openai } from './openai/definition.ts';
import type { ModelProvider, OutputLimit, ProviderDefinition } from './provider.ts';

/** All providers that QPilot can ask. */
export const PROVIDER_DEFINITIONS: { readonly [Id in ProviderId]: ProviderDefinition<Id> } = {
  openai,
  anthropic,
  ollama,
};

/**
 * Opens the configured providers, in the order in which they give the default; `resources` closes them. Never
 * rejects.
 */
export async function openProviders(
  configs: ProviderConfig,
  limit: OutputLimit,
  resources: ResourceStack,
): Promise<readonly ModelProvider[]> {
  const providers: ModelProvider[] = [];
  for (const id of PROVIDER_IDS) {
    const provider = await openProvider(id, configs, limit, resources);
    if (provider !== null) providers.push(provider);
  }
  return providers;
}

async function openProvider<Id extends ProviderId>(
  id: Id,
  configs: ProviderConfig,
  limit: OutputLimit,
  resources: ResourceStack,
): Promise<ModelProvider | null> {
  const config = configs[id];
  return config === null ? null : PROVIDER_DEFINITIONS[id].open(config, limit, resources);
}

/**
 * The likely provider of a model that the settings do not list: the maker of a known family, or a gateway at
 * OPENAI_BASE_URL; any other name is looked for at a server that serves any, Ollama first.
 */
export function providerOfName(
  name: string,
  configured: readonly Pick<ModelProvider, 'id' | 'servesAnyName'>[],
): ProviderId {
  const find = (id: ProviderId) => configured.find((provider) => provider.id === id);
  const maker = PROVIDER_IDS.find((id) => PROVIDER_DEFINITIONS[id].family?.test(name));
  if (maker === undefined) return (find('ollama') ?? find('openai'))?.id ?? 'openai';
  return find(maker) === undefined && find('openai')?.servesAnyName === true ? 'openai' : maker;
}
