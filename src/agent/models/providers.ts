import type { ResourceStack } from '../../base/resource-stack.ts';
import type { ModelTable } from '../../config/model-table.ts';
import type { ModelSettings } from '../../config/settings.ts';
import { PROVIDER_IDS, type ProviderConfig, type ProviderId } from '../../config/providers.ts';
import { anthropic } from './anthropic/definition.ts';
import { gemini } from './gemini/definition.ts';
import { inTable } from './capabilities.ts';
import { ollama } from './ollama/definition.ts';
import { openai } from './openai/definition.ts';
import { createCircuitBreaker, type CircuitBreaker } from './shared/circuit-breaker.ts';
import type { ModelProvider, OutputLimit, ProviderDefinition } from './provider.ts';

/** All providers that QPilot can ask. */
export const PROVIDER_DEFINITIONS: { readonly [Id in ProviderId]: ProviderDefinition<Id> } = {
  openai,
  anthropic,
  gemini,
  ollama,
};

/** A provider that is left alone for a while when it keeps failing. */
export type GuardedProvider = ModelProvider & Pick<CircuitBreaker, 'rest'>;

/**
 * Opens the configured providers, in the order in which they give the default; `resources` closes them. Never
 * rejects.
 */
export async function openProviders(
  configs: ProviderConfig,
  limit: OutputLimit,
  resources: ResourceStack,
): Promise<readonly GuardedProvider[]> {
  const providers: GuardedProvider[] = [];
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
): Promise<GuardedProvider | null> {
  const config = configs[id];
  if (config === null) return null;
  const provider = await PROVIDER_DEFINITIONS[id].open(config, limit, resources);
  const { guard, rest } = createCircuitBreaker(provider.title);
  return { ...provider, rest, createModel: (...given) => guard(provider.createModel(...given)) };
}

/**
 * The likely provider of a model that the settings do not list: the one of its maker, or a gateway at OPENAI_BASE_URL;
 * any other name is looked for at a server that serves any, Ollama first.
 */
function providerOfName(
  name: string,
  configured: readonly Pick<ModelProvider, 'id' | 'servesAnyName'>[],
  table: ModelTable,
): ProviderId {
  const find = (id: ProviderId) => configured.find((provider) => provider.id === id);
  const { provider: maker = null, isBare = true } = inTable(table, name) ?? {};
  const hasGateway = find('openai')?.servesAnyName === true;
  // Behind a path or a region (`anthropic/claude-…`) a name is one of a gateway.
  if (hasGateway && !isBare) return 'openai';
  if (maker === null) return (find('ollama') ?? find('openai'))?.id ?? 'openai';
  return find(maker) === undefined && hasGateway ? 'openai' : maker;
}

/** The provider of a name: of the settings, of the server that lists it, else the likely one. */
export const providerOf = (
  name: string,
  {
    models,
    providers,
    table,
  }: {
    readonly table: ModelTable;
    readonly models: readonly Pick<ModelSettings, 'name' | 'provider'>[];
    readonly providers: readonly Pick<ModelProvider, 'id' | 'servesAnyName' | 'listed'>[];
  },
): ProviderId =>
  models.find((model) => model.name === name)?.provider ??
  providers.find(({ listed }) => listed().includes(name))?.id ??
  providerOfName(name, providers, table);
