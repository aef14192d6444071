import { describe, expect, test } from '@jest/globals';
import { adapterModel, collect, TEST_KEY, type AdapterKind } from '../../support/adapters.ts';
import { toModelError } from '../../../src/agent/models/shared/provider-errors.ts';
import { readProviders, shortKeyWarnings } from '../../../src/config/providers.ts';
import type { ModelServer, Reply } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { until } from '@qpilot/test-support';

const KINDS: readonly AdapterKind[] = ['responses', 'chat', 'ollama', 'gemini', 'anthropic'];
const startServer = ownModelServers();

async function serverOf(reply: Reply): Promise<ModelServer> {
  const server = await startServer(() => reply);
  return server;
}

const SOON = { 'retry-after-ms': '1' };

describe.each(KINDS)('A provider that answers with an error (%s)', (kind) => {
  test.each([
    [400, 'BAD_REQUEST', false, /refused the request: the server said/],
    [401, 'AUTH', false, /refused the key of this server .*; set a valid one/],
    [402, 'QUOTA', false, /no quota left/],
    [403, 'AUTH', false, /may not be used with the key/],
    [404, 'BAD_REQUEST', false, /was not found by its provider; check its name and \w+_BASE_URL/],
    [408, 'UNAVAILABLE', true, /failed: .*; try again later/],
    [413, 'BAD_REQUEST', false, /refused the request/],
    [429, 'RATE_LIMITED', true, /too many requests just now; try again shortly/],
    [500, 'UNAVAILABLE', true, /failed: /],
    [503, 'UNAVAILABLE', true, /failed: /],
    [529, 'OVERLOADED', true, /is overloaded; try again shortly/],
  ])('%i is %s, told once, in words that say what to do', async (status, code, retryable, words) => {
    const message = `the server said that the key ${TEST_KEY} is odd`;
    const server = await serverOf({ status, error: { message }, headers: SOON });
    const { text, error } = await collect(adapterModel(kind, server));
    expect({ text, code: error?.code, retryable: error?.retryable }).toEqual({ text: '', code, retryable });
    expect(error?.message).toMatch(words);
    expect(error?.message).toMatch(new RegExp(`^${kind}-model `));
    expect(error?.message).not.toContain(TEST_KEY);
    expect(error?.message).not.toContain(server.baseUrl);
    expect(server.requests).toHaveLength(1);
    await until(() => server.open() === 0);
  });

  test('a pause that it asks for is reported', async () => {
    const server = await serverOf({
      status: 429,
      error: { message: 'slow down' },
      headers: { 'retry-after': '90' },
    });
    const { error } = await collect(adapterModel(kind, server));
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('try again in 90 s'),
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['text/html; charset=utf-8', '<html><body>Please sign in</body></html>'],
    ['application/json', '{"message":"hello"}'],
  ])('200 with %s is no answer that broke off, but no model API', async (contentType, body) => {
    const server = await serverOf({ body, contentType });
    const { error } = await collect(adapterModel(kind, server));
    expect(error).toMatchObject({ code: 'PROTOCOL', retryable: false });
    expect(error?.message).toMatch(
      /answered with (text\/html|application\/json) instead of a stream; check that \w+_BASE_URL/,
    );
    await until(() => server.open() === 0);
  });

  test('nobody there is reported with what to check', async () => {
    const server = await serverOf({ body: '' });
    await server.close();
    const { error } = await collect(adapterModel(kind, server));
    expect(error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect(error?.message).toMatch(/could not be reached; check that it runs, \w+_BASE_URL and the network$/);
  });

  test('a model that cannot call tools, and more than it can read, are named as such', async () => {
    for (const message of [
      'registry.ollama.ai/library/gemma:2b does not support tools',
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      'tools param requires --jinja flag',
    ]) {
      const one = await collect(adapterModel(kind, await serverOf({ status: 400, error: { message } })));
      expect(one.error?.code).toBe('NO_TOOLS');
      expect(one.error?.message).toMatch(/cannot call tools; choose a model that can$/);
    }
    for (const message of [
      "This model's maximum context length is 8192 tokens.",
      'prompt is too long: 209000 tokens > 200000 maximum',
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ]) {
      const two = await collect(adapterModel(kind, await serverOf({ status: 400, error: { message } })));
      expect(two.error).toMatchObject({ code: 'CONTEXT_TOO_LARGE', retryable: false });
      expect(two.error?.message).toMatch(/sent more than it can read; begin a new session or choose/);
    }
  });
});

describe('A key of this server', () => {
  const told = (secret: string) =>
    toModelError(
      new Error('no'),
      {
        isConnection: false,
        status: 400,
        names: [],
        param: null,
        detail: `extra fields: ${secret}, max_x; the key ${secret} is odd`,
        pauseMs: null,
        failedCall: null,
      },
      {
        model: 'gpt',
        streaming: false,
        provider: { keyVariable: 'OPENAI_API_KEY', addressVariable: 'OPENAI_BASE_URL', secrets: [secret] },
      },
    ).message;

  test('is redacted wherever a provider repeats it', () => {
    expect(told('qp-12345')).toBe(
      'gpt refused the request: extra fields: [redacted], max_x; the key [redacted] is odd',
    );
  });

  test('that is as short as a word leaves the words alone, and is warned of', () => {
    expect(told('x')).toBe('gpt refused the request: extra fields: x, max_x; the key x is odd');
    const warnings = (key: string) => shortKeyWarnings(readProviders({ OPENAI_API_KEY: key }));
    expect(warnings('x')).toEqual([
      'the key of OPENAI_API_KEY or OPENAI_BASE_URL has fewer than 8 characters: messages that repeat it are not redacted',
    ]);
    expect(warnings('qp-12345')).toEqual([]);
  });
});
