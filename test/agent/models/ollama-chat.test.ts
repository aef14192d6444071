/** Ollama's own API, in the forms that its documentation shows. */
import { describe, expect, test } from '@jest/globals';
import type { Model, ModelEvent } from '../../../src/agent/model.ts';
import { whileLoading } from '../../../src/agent/models/ollama/loading.ts';
import { factsOfShown } from '../../../src/agent/models/ollama/model-facts.ts';
import { adapterModel, collect, plainRequest } from '../../support/adapters.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { bodyOf } from '../../support/wire-bodies.ts';

const startServer = ownModelServers();
const fine = { body: bodyOf('ollama', [{ text: 'Fine.' }]) };

describe('The context that is asked for', () => {
  const llama = {
    'general.architecture': 'llama',
    'llama.context_length': 131_072,
    'llama.block_count': 32,
    'llama.attention.head_count': 32,
    'llama.attention.head_count_kv': 8,
    'llama.embedding_length': 4096,
  };
  test.each([
    ['of 32,768 tokens fits', llama, '', 32_768],
    ['is what the model reads, where that is less', { ...llama, 'llama.context_length': 8192 }, '', 8192],
    // 80 layers with 64 heads of 128: 2.6 MB a token.
    [
      'is what memory allows',
      { ...llama, 'llama.block_count': 80, 'llama.attention.head_count_kv': 64 },
      '',
      8192,
    ],
    ["is the operator's own", llama, 'temperature 0.7\nnum_ctx                        65536\n', 65_536],
    ['is not known', {}, '', null],
  ] as const)('%s', (_name, info, parameters, tokens) => {
    const facts = factsOfShown({ model_info: info, parameters, capabilities: ['completion', 'tools'] });
    expect(facts).toMatchObject({ contextTokens: tokens, tools: true, images: false, reasons: false });
  });

  test('goes with every request, and so does whether to think', async () => {
    const server = await startServer([fine, fine]);
    const model = adapterModel('ollama', server, { contextTokens: 16_384, reasons: true });
    await collect(model);
    expect(server.requests[0]).toMatchObject({ think: true, options: { num_ctx: 16_384 } });
    const gptOss = adapterModel('ollama', server, { name: 'gpt-oss:20b' });
    await collect(gptOss, { ...plainRequest, sampling: { temperature: null, reasoning: 'low' } });
    expect(server.requests[1]).toMatchObject({ model: 'gpt-oss:20b', think: 'low' });
  });
});

test('thoughts are separate from text, in a field or between tags, and calls without ids get one each', async () => {
  const call = { function: { name: 'add', arguments: { a: 1 } } };
  const lines = [
    { message: { role: 'assistant', content: '', thinking: 'Hm.' }, done: false },
    { message: { role: 'assistant', content: '<think>Look.</think>Let me see.' }, done: false },
    { message: { role: 'assistant', content: '', tool_calls: [call, call] }, done: false },
    { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', eval_count: 7 },
  ];
  const server = await startServer([{ body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }]);
  const { text, thinking, calls, finished } = await collect(adapterModel('ollama', server));
  expect({ text, thought: thinking.map((each) => each.text).join('') }).toEqual({
    text: 'Let me see.',
    thought: 'Hm.Look.',
  });
  expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2);
  expect(finished).toMatchObject({ reason: 'calls', usage: { outputTokens: 7 } });
});

test('a model that was not pulled is reported with the command that gets it', async () => {
  const server = await startServer([{ status: 404, error: { message: "model 'qwen9' not found" } }]);
  const { error } = await collect(adapterModel('ollama', server, { name: 'qwen9' }));
  expect(error).toMatchObject({ code: 'BAD_REQUEST', retryable: false });
  expect(error?.message).toMatch(/OLLAMA_BASE_URL: get it with: ollama pull qwen9$/);
});

test('a model that cannot think is asked again without', async () => {
  const message = '"llama3" does not support thinking';
  const server = await startServer([{ status: 400, error: { message } }, fine]);
  const { text } = await collect(adapterModel('ollama', server, { reasons: true }));
  expect(text).toBe('Fine.');
  expect(server.requests.map((request) => 'think' in request)).toEqual([true, false]);
});

test('while a model loads, a server that answers is a sign of life; once it speaks it is no longer asked', async () => {
  const loaded = Promise.withResolvers<undefined>();
  const model: Model = {
    name: 'm',
    provider: 'p',
    async *stream() {
      await loaded.promise;
      yield { type: 'text', text: 'Fine.' };
    },
  };
  let asked = 0;
  const isAlive = async () => {
    asked += 1;
    if (asked === 3) loaded.resolve(undefined);
    if (asked === 2) throw new Error('busy');
  };
  const events: ModelEvent['type'][] = [];
  const stream = whileLoading(model, isAlive, 0).stream(plainRequest, new AbortController().signal);
  for await (const { type } of stream) events.push(type);
  expect(events.at(-1)).toBe('text');
  expect(events.filter((type) => type === 'progress').length).toBeGreaterThan(0);
  const before = asked;
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(before);
});
