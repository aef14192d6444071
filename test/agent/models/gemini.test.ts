/** Gemini's own API: the schemas it reads, and what its streams end with, in the forms that its documentation shows. */
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { geminiParameters } from '../../../src/agent/models/gemini/schema.ts';
import { strictSchema } from '../../../src/agent/tool-schema.ts';
import { adapterModel, collect, plainRequest } from '../../support/adapters.ts';
import { frames, type Reply } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { everyTool } from '../../support/tool-bench.ts';

const startServer = ownModelServers();
const ask = async (...replies: readonly Reply[]) => {
  const server = await startServer(replies);
  return { server, model: adapterModel('gemini', server) };
};
const event = (parts: readonly object[], more: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
});
const stop = event([{ text: '' }], { finishReason: 'STOP' });

describe('A schema for Gemini', () => {
  test('has no keyword that it does not know, in any tool', () => {
    const known = new Set(
      'type title description enum items properties required anyOf minItems maxItems minimum maximum pattern nullable'.split(
        ' ',
      ),
    );
    const strange: string[] = [];
    const look = (node: unknown, isProperties = false): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (!Array.isArray(node) && !isProperties && !known.has(key)) strange.push(key);
        look(value, key === 'properties' && !isProperties);
      }
    };
    const types: unknown[] = [];
    for (const { parameters } of everyTool.schemas) {
      const schema = geminiParameters(parameters);
      look(schema);
      types.push(...JSON.stringify(schema).matchAll(/"type":(\[|"null")/g));
    }
    expect(everyTool.schemas.length).toBeGreaterThan(20);
    expect({ strange, types }).toEqual({ strange: [], types: [] });
  });

  test('says what may be null, what may be chosen and what may be either', () => {
    const args = z.object({
      name: z.string().max(5).nullable(),
      order: z.enum(['asc', 'desc']).nullable(),
      either: z.union([z.string(), z.number()]),
      list: z.array(z.strictObject({ a: z.literal('x') })).min(1),
    });
    expect(geminiParameters(strictSchema({ name: 't', args }))).toEqual({
      type: 'object',
      required: ['name', 'order', 'either', 'list'],
      properties: {
        name: { type: 'string', nullable: true },
        order: { type: 'string', enum: ['asc', 'desc'], nullable: true },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        list: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['a'], properties: { a: { type: 'string', enum: ['x'] } } },
        },
      },
    });
    expect(geminiParameters(strictSchema({ name: 't', args: z.object({}) }))).toBeNull();
  });
});

test('signatures go back at their parts, pieces of text joined; summaries of thoughts are shown and do not go back', async () => {
  const call = { functionCall: { name: 'add', args: { a: 1 } }, thoughtSignature: 'AbC=' };
  const first = frames(
    event([{ text: 'I think.', thought: true }]),
    event([{ text: 'Let ' }]),
    event([{ text: 'me see.' }]),
    event([call]),
    event([{ functionCall: { name: 'add', args: { a: 2 } } }]),
    event([{ text: '', thoughtSignature: 'XyZ=' }], { finishReason: 'STOP' }),
  );
  const { server, model } = await ask({ body: first }, { body: frames(event([{ text: 'Done.' }]), stop) });
  const step = await collect(model);
  expect(step.thinking.map(({ text }) => text)).toEqual(['I think.']);
  expect(step).toMatchObject({ text: 'Let me see.', finished: { reason: 'calls' } });
  const [one, two] = step.calls;
  await collect(model, {
    ...plainRequest,
    input: [
      ...plainRequest.input,
      {
        type: 'round',
        provider: model.provider,
        items: step.finished!.items,
        text: step.text,
        calls: step.calls,
      },
      { type: 'tool-output', callId: one!.callId, output: '1' },
      { type: 'tool-output', callId: two!.callId, output: '2' },
    ],
  });
  const response = (output: string) => ({ functionResponse: { name: 'add', response: { output } } });
  expect(server.requests[1]!['contents']).toEqual([
    { role: 'user', parts: [{ text: 'How is the chip?' }] },
    {
      role: 'model',
      parts: [
        { text: 'Let me see.' },
        call,
        { functionCall: { name: 'add', args: { a: 2 } } },
        { text: '', thoughtSignature: 'XyZ=' },
      ],
    },
    { role: 'user', parts: [response('1'), response('2')] },
  ]);
});

test.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'filtered'],
  ['RECITATION', 'filtered'],
  ['PROHIBITED_CONTENT', 'filtered'],
  ['A_REASON_OF_TOMORROW', 'stop'],
])('an answer that ends with %s ended with %s', async (finishReason, reason) => {
  const { model } = await ask({ body: frames(event([{ text: 'So' }], { finishReason })) });
  expect((await collect(model)).finished?.reason).toBe(reason);
});

test('a question that is blocked, a call that cannot be read, a wrong key and a busy minute are named as such', async () => {
  const blocked = {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    usageMetadata: { promptTokenCount: 9 },
  };
  const of = async (reply: Reply) => collect((await ask(reply)).model);
  expect((await of({ body: frames(blocked) })).finished?.reason).toBe('filtered');
  const malformed = event([], { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed: add(' });
  expect((await of({ body: frames(malformed) })).error).toMatchObject({ code: 'BAD_CALL', retryable: true });
  const key = {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
  };
  expect((await of({ status: 400, error: key })).error?.message).toMatch(/refused the key .*GEMINI_API_KEY/);
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' };
  const busy = { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED', details: [retry] };
  for (const reply of [{ status: 429, error: busy }, { body: frames({ error: busy }) }] as const) {
    expect((await of(reply)).error).toMatchObject({ code: 'RATE_LIMITED', pauseMs: 34_400 });
  }
});

test('thoughts that came before the calls of another model need no signature', async () => {
  const { server, model } = await ask({ body: frames(event([{ text: 'Fine.' }]), stop) });
  const calls = [{ callId: 'c1', name: 'add', arguments: '{"a":1}' }];
  await collect(model, {
    ...plainRequest,
    input: [
      ...plainRequest.input,
      { type: 'round', provider: 'another', items: ['opaque'], text: '', calls },
      { type: 'tool-output', callId: 'c1', output: '1' },
    ],
  });
  expect(JSON.stringify(server.requests[0])).not.toContain('opaque');
  expect((server.requests[0]!['contents'] as object[])[1]).toEqual({
    role: 'model',
    parts: [
      {
        functionCall: { id: 'c1', name: 'add', args: { a: 1 } },
        thoughtSignature: 'skip_thought_signature_validator',
      },
    ],
  });
});
