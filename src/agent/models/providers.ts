import type { ProviderConfig } from '../../config/config.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import type { ModelProvider, OutputLimit, ProviderId } from './provider.ts';

/**
 * Opens the configured providers, in the order in which they give the default; `opening` closes them. Never rejects. Only
 * those are loaded: the SDKs of all are a sixth of the modules that a start would read.
 */
export async function openProviders(
  { openai, anthropic, ollama }: ProviderConfig,
  limit: OutputLimit,
  resources: ResourceStack,
): Promise<readonly ModelProvider[]> {
  const providers: ModelProvider[] = [];
  if (openai !== null) {
    const { createOpenAiProvider } = await import('./openai-provider.ts');
    providers.push(createOpenAiProvider(openai, limit));
  }
  if (anthropic !== null) {
    const { createAnthropicProvider } = await import('./anthropic-provider.ts');
    providers.push(createAnthropicProvider(anthropic, limit));
  }
  if (ollama !== null) {
    const { openOllamaProvider } = await import('./ollama-provider.ts');
    providers.push(await openOllamaProvider(ollama, limit, resources));
  }
  return providers;
}

/** What an operator sets to use a provider. */
export const PROVIDER_VARIABLES: Readonly<Record<ProviderId, string>> = {
  openai: 'OPENAI_API_KEY or OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_API_KEY',
  ollama: 'OLLAMA_BASE_URL',
};

const FAMILIES: readonly { readonly id: ProviderId; readonly pattern: RegExp }[] = [
  { id: 'anthropic', pattern: /^claude-/ },
  { id: 'openai', pattern: /^(gpt-\d|o\d|chatgpt-|codex)/ },
];

/**
 * Whose a model seems to be that the settings do not list, by its name: a known family's maker, or a gateway at
 * OPENAI_BASE_URL; any other name is looked for at a server of one's own, Ollama first.
 */
export function providerOfName(
  name: string,
  configured: readonly Pick<ModelProvider, 'id' | 'servesAnyName'>[],
): ProviderId {
  const find = (id: ProviderId) => configured.find((provider) => provider.id === id);
  const family = FAMILIES.find(({ pattern }) => pattern.test(name))?.id ?? null;
  if (family === null) return (find('ollama') ?? find('openai'))?.id ?? 'openai';
  return find(family) === undefined && find('openai')?.servesAnyName === true ? 'openai' : family;
}
