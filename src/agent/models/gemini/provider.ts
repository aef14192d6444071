import type { ProviderConfig } from '../../../config/providers.ts';
import type { ResourceStack } from '../../../base/resource-stack.ts';
import type { Facts } from '../capabilities.ts';
import type { ModelProvider, OutputLimit } from '../provider.ts';
import { hostOf } from '../shared/host.ts';
import { keepFacts, readList } from '../shared/model-list.ts';
import type { ProviderSite } from '../shared/provider-errors.ts';
import { createGeminiClient, geminiFault, geminiModels } from './client.ts';
import { createGeminiModel } from './generate.ts';

/** Google's Gemini, or a gateway before it. Never rejects. */
export async function openGeminiProvider(
  { apiKey, baseUrl }: NonNullable<ProviderConfig['gemini']>,
  { maxOutputTokens }: OutputLimit,
  resources: ResourceStack,
): Promise<ModelProvider> {
  const client = createGeminiClient({ apiKey, baseUrl });
  const title = baseUrl === null ? 'Gemini' : 'the server at GEMINI_BASE_URL';
  const site: ProviderSite = {
    keyVariable: 'GEMINI_API_KEY',
    addressVariable: 'GEMINI_BASE_URL',
    secrets: [apiKey],
  };
  const facts = new Map<string, Facts>();
  const list: ModelProvider['list'] = (signal) =>
    readList(
      async () => {
        const { models } = geminiModels.parse(await client.list(signal));
        const chat = models.filter(({ supportedGenerationMethods: methods }) =>
          (methods ?? ['generateContent']).includes('generateContent'),
        );
        for (const { name, inputTokenLimit, outputTokenLimit, thinking } of chat) {
          facts.set(plain(name), {
            contextTokens: inputTokenLimit,
            outputTokens: outputTokenLimit,
            reasons: thinking,
          });
        }
        return chat.map(({ name }) => plain(name));
      },
      { title, site, faultOf: geminiFault },
      signal,
    );
  keepFacts(list, resources);
  return {
    id: 'gemini',
    title,
    servesAnyName: false,
    defaultModel: () => 'gemini-3.8-flash',
    listed: () => [],
    list,
    factsOf: (name) => facts.get(plain(name)) ?? null,
    host: hostOf(baseUrl),
    createModel: (known) => createGeminiModel({ client, ...known, site, maxOutputTokens }),
  };
}

const plain = (name: string): string => name.replace(/^models\//, '');
