/** No recorded stream of Anthropic is at hand: these are made by the types of its SDK. */
import { describe, expect, test } from '@jest/globals';
import { ModelError } from '../../../src/agent/model.ts';
import { callTool, createScriptedModel, say } from '../../support/scripted-model.ts';
import { adapterModel, add, collect, multiply, plainRequest } from '../../support/adapters.ts';
import { runTurn } from '../../support/agent-run.ts';
import {
  ANTHROPIC_CALLS,
  ANTHROPIC_TEXT,
  anthropicBody,
  callBlock,
  messageEnd,
  namedFrames,
  textBlock,
  thinkingBlock,
} from '../../support/anthropic-streams.ts';
import type { Reply } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';

const startServer = ownModelServers();

async function modelOf(...replies: readonly Reply[]) {
  const server = await startServer(replies);
  return { server, model: adapterModel('anthropic', server) };
}

/** One response, read by the adapter alone. */
async function read(body: string) {
  const { model } = await modelOf({ body });
  return collect(model);
}

describe('What the Messages API is asked', () => {
  test('thoughts, text and calls go back as they came, all outputs in one message behind them', async () => {
    const { server, model } = await modelOf({ body: ANTHROPIC_CALLS }, { body: ANTHROPIC_TEXT });
    const { text, outcome } = await runTurn(model, [add, multiply]);
    expect(text).toBe('Let me calculate.\n\nT1 of Q07 is 52.3 µs 🙂 today.');
    expect(outcome).toMatchObject({
      rounds: 2,
      usage: { inputTokens: 2 * 3120, cachedTokens: 2 * 3000, outputTokens: 84 },
    });
    const [, assistant, results] = server.requests[1]!['messages'] as { role: string; content: unknown[] }[];
    expect(assistant).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'The user wants a sum and a product.', signature: 'c2lnbmVk' },
        { type: 'text', text: 'Let me calculate.' },
        { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 2, b: 3 } },
        { type: 'tool_use', id: 'toolu_2', name: 'multiply', input: { a: 2, b: 3 } },
      ],
    });
    expect(results).toMatchObject({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: expect.stringContaining('5') },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: expect.stringContaining('6') },
      ],
    });
  });

  test('roles alternate: what is said behind outputs joins them', async () => {
    const calls = anthropicBody('tool_use', callBlock(0, 'toolu_1', 'add', '{"a":2,"b":3}'));
    const { server, model } = await modelOf({ body: calls }, { body: ANTHROPIC_TEXT });
    await runTurn(model, [add], { limits: { rounds: 1 } });
    const messages = server.requests[1]!['messages'] as { role: string; content: { type: string }[] }[];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[2]!.content.map(({ type }) => type)).toEqual(['tool_result', 'text']);
    expect(server.requests[1]).toMatchObject({ tool_choice: { type: 'none' } });
  });

  test('what another provider said goes as text and calls, with ids that this one takes', async () => {
    const { server, model } = await modelOf({ body: ANTHROPIC_TEXT });
    const first = createScriptedModel([
      [...say('Looking.'), callTool('add', '{"a":2,', 'functions.add:0')],
      [new ModelError('QUOTA', 'none left', { retryable: false })],
    ]);
    await runTurn(first, [add], { fallback: model });
    expect((server.requests[0]!['messages'] as unknown[]).slice(1)).toMatchObject([
      {
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'functions_add_0', name: 'add', input: {} },
        ],
      },
      { content: [{ type: 'tool_result', tool_use_id: 'functions_add_0' }] },
    ]);
  });

  test('images come before the words about them', async () => {
    const { server, model } = await modelOf({ body: ANTHROPIC_TEXT });
    const images = [{ mediaType: 'image/webp' as const, width: 8, height: 8, data: 'aGk=' }];
    await collect(model, { ...plainRequest, input: [{ type: 'user', text: 'What is this?', images }] });
    expect((server.requests[0]!['messages'] as { content: unknown[] }[])[0]!.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'aGk=' } },
      { type: 'text', text: 'What is this?', cache_control: { type: 'ephemeral' } },
    ]);
  });

  test('tools, prompt and the newest two messages of the user are marked for the cache, and no more', async () => {
    const calls = (id: string) => ({
      body: anthropicBody('tool_use', callBlock(0, id, 'add', '{"a":2,"b":3}')),
    });
    const { server, model } = await modelOf(calls('c1'), calls('c2'), calls('c3'), { body: ANTHROPIC_TEXT });
    await runTurn(model, [add]);
    const marks = (node: unknown): number => JSON.stringify(node).split('"cache_control"').length - 1;
    const last = server.requests[3]! as { tools: unknown[]; system: unknown; messages: unknown[] };
    expect(last.messages.map(marks)).toEqual([0, 0, 0, 0, 1, 0, 1]);
    expect([marks(last.tools), marks(last.system), marks(last)]).toEqual([1, 1, 4]);
  });

  test('a gateway that does not know the cache is asked without it for the rest of the session', async () => {
    const message = 'system.0.cache_control: Extra inputs are not permitted';
    const refusal = { status: 400, error: { type: 'invalid_request_error', message } };
    const { server, model } = await modelOf(refusal, { body: ANTHROPIC_TEXT }, { body: ANTHROPIC_TEXT });
    expect((await runTurn(model, [add])).outcome.status).toBe('COMPLETED');
    await runTurn(model, [add]);
    const marked = server.requests.map((request) => JSON.stringify(request).includes('cache_control'));
    expect(marked).toEqual([true, false, false]);
  });
});

describe('What the Messages API answers', () => {
  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'paused'],
    ['refusal', 'refused'],
    ['a_new_reason', 'stop'],
  ])('stop reason %s is %s', async (given, reason) => {
    const { text, finished } = await read(anthropicBody(given, textBlock(0, 'Yes.')));
    expect({ text, reason: finished?.reason }).toEqual({ text: 'Yes.', reason });
  });

  test('a refusal without words is shown in those of its explanation', async () => {
    const end = messageEnd('refusal', {
      stop_details: { type: 'refusal', category: 'bio', explanation: 'Not that.' },
    });
    const { model } = await modelOf({ body: namedFrames(...end) });
    expect((await runTurn(model, [])).text).toBe('Not that.\n\n*The model declined to answer this.*');
  });

  test('a call without arguments, and one whose input is in its block', async () => {
    const inBlock = {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'b', name: 'add', input: { a: 1 } },
    };
    const { calls } = await read(anthropicBody('tool_use', callBlock(0, 'a', 'now'), [inBlock]));
    expect(calls).toEqual([
      { callId: 'a', name: 'now', arguments: '{}' },
      { callId: 'b', name: 'add', arguments: '{"a":1}' },
    ]);
  });

  test('unsigned thoughts and empty text are not sent back, redacted thoughts and unknown blocks are', async () => {
    const redacted = { type: 'redacted_thinking', data: 'x' };
    const { finished } = await read(
      anthropicBody(
        'end_turn',
        thinkingBlock(0, 'Hm.', ''),
        textBlock(1, ''),
        [{ type: 'content_block_start', index: 2, content_block: redacted } as { type: string }],
        [{ type: 'something_new' }],
      ),
    );
    expect(finished?.items).toEqual([redacted]);
  });

  test('a stop reason is enough of an end', async () => {
    const body = anthropicBody('end_turn', textBlock(0, 'Yes.'));
    const withoutStop = body.slice(0, body.lastIndexOf('event: message_stop'));
    expect(await read(withoutStop)).toMatchObject({ text: 'Yes.', finished: { reason: 'stop' } });
  });

  test.each([
    ['overloaded_error', 'OVERLOADED', true],
    ['api_error', 'BROKEN_STREAM', true],
    ['rate_limit_error', 'RATE_LIMITED', true],
    ['authentication_error', 'AUTH', false],
    ['permission_error', 'AUTH', false],
    ['billing_error', 'QUOTA', false],
    ['not_found_error', 'BAD_REQUEST', false],
  ])('%s in mid-stream is %s', async (type, code, retryable) => {
    const body = namedFrames(...textBlock(0, 'Half'), { type: 'error', error: { type, message: 'no' } } as {
      type: string;
    });
    const { text, error } = await read(body);
    expect({ text, code: error?.code, retryable: error?.retryable }).toEqual({
      text: 'Half',
      code,
      retryable,
    });
  });
});
