import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createKnownModels } from '../../../src/agent/models/known-models.ts';
import { openProviders } from '../../../src/agent/models/providers.ts';
import { watchedModel } from '../../../src/agent/watch/model-watch.ts';
import { readProviders } from '../../../src/config/providers.ts';
import { ResourceStack } from '../../../src/base/resource-stack.ts';
import { collect } from '../../support/adapters.ts';
import { knownModel, shippedModelTable } from '../../support/known-models.ts';
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

const ollamaServer = (names: readonly string[], port = 0, show = () => ({})): Promise<ModelServer> =>
  startServer(() => ({ body: fine }), { models: () => names, port, show });

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

  test('that comes up later is asked for the window of its own model, under that name', async () => {
    const down = await ollamaServer([]);
    const { baseUrl } = down;
    await down.close();
    const ollama = await openOllama(baseUrl);
    const known = createKnownModels({
      models: [],
      table: shippedModelTable,
      providers: [ollama],
      unknownContextTokens: 128_000,
    });
    const any = known.of('ollama', ollama.defaultModel());
    expect(any.capabilities().contextTokens).toBe(32_768);
    const model = watchedModel(ollama.createModel(any), [() => ({ event: () => {}, end: () => {} })]);
    const show = () => ({ parameters: 'num_ctx 12288', capabilities: ['completion', 'tools'] });
    const up = await ollamaServer(['qwen3:8b'], Number(new URL(baseUrl).port), show);
    expect((await collect(model)).text).toBe('Fine.');
    expect(up.requests[0]).toMatchObject({ model: 'qwen3:8b', options: { num_ctx: 12_288 } });
    expect([model.name, model.provider]).toEqual(['qwen3:8b', 'ollama/qwen3:8b']);
  });

  test('is not asked for a window that nobody has named', async () => {
    const { baseUrl, requests } = await ollamaServer(['qwen3:8b']);
    const ollama = await openOllama(baseUrl);
    const known = createKnownModels({
      models: [],
      table: shippedModelTable,
      providers: [ollama],
      unknownContextTokens: 128_000,
    });
    await collect(ollama.createModel(known.of('ollama', 'not-listed')));
    expect(requests[0]).toMatchObject({ options: { num_ctx: 32_768 } });
  });

  test('without a model says how to get one', async () => {
    const { baseUrl } = await ollamaServer([]);
    const ollama = await openOllama(baseUrl);
    const { error } = await collect(ollama.createModel(knownModel('ollama')));
    expect(error?.message).toBe('Ollama has no model yet; get one, for example with: ollama pull qwen3');
  });
});
