import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openProviders } from '../../../src/agent/models/providers.ts';
import { readProviders } from '../../../src/config/providers.ts';
import { ResourceStack } from '../../../src/base/resource-stack.ts';
import { collect } from '../../support/adapters.ts';
import { knownModel } from '../../support/known-models.ts';
import type { ModelServer } from '../../support/model-server.ts';
import { bodyOf } from '../../support/wire-bodies.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';

const fine = bodyOf('ollama', [{ text: 'Fine.' }]);
const startServer = ownModelServers();
let resources: ResourceStack;

beforeEach(() => {
  resources = new ResourceStack();
});
afterEach(() => resources.closeAll());

async function ollamaServer(names: readonly string[], port = 0): Promise<ModelServer> {
  const server = await startServer(() => ({ body: fine }), { models: () => names, port });
  return server;
}

/** The provider of that address, closed after the test. */
async function openOllama(baseUrl: string) {
  const config = readProviders({ OLLAMA_BASE_URL: baseUrl });
  const [provider] = await openProviders(config, { maxOutputTokens: 100 }, resources);
  return provider!;
}

describe('Ollama', () => {
  test.each(['', '/', '/v1', '/v1/'])(
    'is found by its address with %j behind it, and gives the default',
    async (path) => {
      const { baseUrl, requests } = await ollamaServer(['qwen3:8b', 'llama3']);
      const ollama = await openOllama(baseUrl.replace('/v1', path));
      expect(ollama.listed()).toEqual(['qwen3:8b', 'llama3']);
      expect(ollama.defaultModel()).toBe('qwen3:8b');
      expect((await collect(ollama.createModel(knownModel(ollama.defaultModel())))).text).toBe('Fine.');
      expect(requests[0]).toMatchObject({ model: 'qwen3:8b' });
    },
  );

  test('that is down is no failure to start, says so when asked, and answers once it is up', async () => {
    const down = await ollamaServer([]);
    const { baseUrl } = down;
    await down.close();
    const ollama = await openOllama(baseUrl);
    expect(ollama.listed()).toEqual([]);
    const model = ollama.createModel(knownModel(ollama.defaultModel()));
    expect((await collect(model)).error).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Ollama could not be reached; check that it runs, OLLAMA_BASE_URL and the network',
    });
    const up = await ollamaServer(['qwen3:8b'], Number(new URL(baseUrl).port));
    expect((await collect(model)).text).toBe('Fine.');
    expect(up.requests[0]).toMatchObject({ model: 'qwen3:8b' });
    expect(model.name).toBe('qwen3:8b');
  });

  test('without a model says how to get one', async () => {
    const { baseUrl } = await ollamaServer([]);
    const ollama = await openOllama(baseUrl);
    const { error } = await collect(ollama.createModel(knownModel('ollama')));
    expect(error?.message).toBe('Ollama has no model yet; get one, for example with: ollama pull qwen3');
  });
});
