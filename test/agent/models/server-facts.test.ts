/** What servers say of their own models, in the forms in which they say it; as their documentation shows them. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ResourceStack } from '../../../src/base/resource-stack.ts';
import { readProviders } from '../../../src/config/providers.ts';
import { factsInList } from '../../../src/agent/models/chat/server-facts.ts';
import { openProviders } from '../../../src/agent/models/providers.ts';
import { refusesImages, windowIn } from '../../../src/agent/models/shared/learned.ts';
import { knownModel } from '../../support/known-models.ts';
import { adapterModel, collect, plainRequest } from '../../support/adapters.ts';
import { startModelServer } from '../../support/model-server.ts';
import { bodyOf } from '../../support/wire-bodies.ts';

let resources: ResourceStack;
beforeEach(() => {
  resources = new ResourceStack();
});
const servers: Server[] = [];
afterEach(async () => {
  await resources.closeAll();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A server that answers GET with JSON by path, and everything else with `body`. */
async function serverOf(lists: Readonly<Record<string, object>>, body = '') {
  const asked: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers });
    request.resume();
    const [path = ''] = (request.url ?? '').split('?');
    const list = lists[path];
    response.setHeader('content-type', list === undefined ? 'text/event-stream' : 'application/json');
    response.end(list === undefined ? body : JSON.stringify(list));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function providerOf(env: Readonly<Record<string, string>>) {
  const [provider] = await openProviders(readProviders(env), { maxOutputTokens: 100 }, resources);
  return provider!;
}

describe('A compatible server', () => {
  test.each<[string, object, object]>([
    [
      'OpenRouter',
      {
        id: 'm',
        context_length: 200_000,
        architecture: { input_modalities: ['text', 'image'] },
        pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
        top_provider: { max_completion_tokens: 64_000 },
        supported_parameters: ['tools', 'reasoning', 'include_reasoning', 'structured_outputs'],
      },
      {
        contextTokens: 200_000,
        outputTokens: 64_000,
        price: { input: 3, cachedInput: 0.3, output: 15 },
        images: true,
        tools: true,
        temperature: false,
        reasons: true,
      },
    ],
    ['vLLM', { id: 'm', max_model_len: 40_960 }, { contextTokens: 40_960 }],
    ['llama.cpp', { id: 'm', meta: { n_ctx: 8192, n_ctx_train: 131_072 } }, { contextTokens: 8192 }],
    ['Groq', { id: 'm', context_window: 131_072, max_completion_tokens: 32_768 }, { contextTokens: 131_072 }],
    [
      'Mistral',
      { id: 'm', max_context_length: 32_768, capabilities: { vision: true, function_calling: false } },
      { contextTokens: 32_768, images: true, tools: false },
    ],
    [
      'LM Studio',
      {
        id: 'm',
        type: 'vlm',
        loaded_context_length: 4096,
        max_context_length: 131_072,
        capabilities: ['tool_use'],
      },
      { contextTokens: 4096, images: true, tools: true },
    ],
    ['one that says nothing', { id: 'm', object: 'model' }, {}],
    ['one that says nonsense', { id: 'm', context_length: 'large', pricing: 7, capabilities: 3 }, {}],
  ])('%s says', (_name, listed, facts) => {
    const read = factsInList([listed, 'no model']).get('m') ?? {};
    const known = Object.fromEntries(Object.entries(read).filter(([, value]) => value != null));
    expect(known).toMatchObject(facts);
    expect(Object.keys(facts).length > 0 || Object.keys(known).length === 0).toBe(true);
  });

  test('is asked with the query of its address', async () => {
    const { url, asked } = await serverOf(
      { '/openai/v1/models': { data: [] } },
      bodyOf('chat', [{ text: 'Fine.' }]),
    );
    const env = { OPENAI_BASE_URL: `${url}/openai/v1?api-version=2026-01-01`, OPENAI_API_KEY: 'a-key' };
    const provider = await providerOf(env);
    expect((await collect(provider.createModel(knownModel('deployment')))).text).toBe('Fine.');
    expect(asked.at(-1)?.url).toBe('/openai/v1/chat/completions?api-version=2026-01-01');
  });
});

test('Gemini says windows, and which models think', async () => {
  const models = [
    {
      name: 'models/gemini-9',
      inputTokenLimit: 2_000_000,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent'],
      thinking: true,
    },
    { name: 'models/embedding-1', supportedGenerationMethods: ['embedContent'] },
  ];
  const { url, asked } = await serverOf({ '/v1beta/models': { models } });
  const provider = await providerOf({ GEMINI_API_KEY: 'key-of-gemini', GEMINI_BASE_URL: url });
  expect(await provider.list(new AbortController().signal)).toEqual(['gemini-9']);
  expect(provider.factsOf('gemini-9')).toEqual({
    contextTokens: 2_000_000,
    outputTokens: 65_536,
    reasons: true,
  });
  expect(asked[0]?.headers['x-goog-api-key']).toBe('key-of-gemini');
});

test('Anthropic says windows, pictures, efforts and how it thinks', async () => {
  const yes = { supported: true };
  const effort = { ...yes, low: yes, medium: yes, high: yes, max: { supported: false }, xhigh: null };
  const capabilities = {
    effort,
    image_input: yes,
    structured_outputs: yes,
    thinking: { ...yes, types: { adaptive: yes, enabled: { supported: false } } },
  };
  const model = { id: 'claude-opus-9', max_input_tokens: 2_000_000, max_tokens: 128_000, capabilities };
  const { url } = await serverOf({ '/v1/models': { data: [model, { id: 'bare' }], has_more: false } });
  const provider = await providerOf({ ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: url });
  await provider.list(new AbortController().signal);
  expect(provider.factsOf('claude-opus-9')).toEqual({
    contextTokens: 2_000_000,
    outputTokens: 128_000,
    images: true,
    strict: true,
    reasons: true,
    efforts: ['low', 'medium', 'high'],
    thinking: 'adaptive',
  });
  expect(provider.factsOf('bare')?.contextTokens).toBeUndefined();
});

test.each([
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    8192,
  ],
  ['the request exceeds the available context size (4096 tokens), try increasing it', 4096],
  ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
  ['The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
  [
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    32_768,
  ],
  ['Your input exceeds the context window of this model.', null],
])('the window in "%s" is %s', (detail, tokens) => {
  expect(windowIn(detail)).toBe(tokens);
});

test.each([
  ['image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', true],
  ['m is not a multimodal model', true],
  ['No endpoints found that support image input', true],
  ['Failed to deserialize: unknown variant `image_url`, expected `text`', true],
  ['Invalid image: the file is damaged', false],
  ["Unsupported parameter: 'temperature'", false],
])('"%s" refuses pictures: %s', (detail, isRefusal) => {
  expect(refusesImages(detail)).toBe(isRefusal);
});

test.each(['responses', 'chat'] as const)(
  'a schema that strict mode of %s refuses is sent without strict, then and later',
  async (kind) => {
    const message = "Invalid schema for function 'add': 'minItems' is not permitted.";
    const fine = { body: bodyOf(kind, [{ text: 'Fine.' }]) };
    const server = await startModelServer((at) => (at === 0 ? { status: 400, error: { message } } : fine));
    resources.defer(() => server.close());
    const tools = [
      {
        name: 'add',
        description: 'add',
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      },
    ];
    const model = adapterModel(kind, server);
    for (let times = 0; times < 2; times += 1) {
      expect((await collect(model, { ...plainRequest, tools })).text).toBe('Fine.');
    }
    const strict = server.requests.map((request) => JSON.stringify(request).includes('"strict":true'));
    expect(strict).toEqual([true, false, false]);
  },
);
