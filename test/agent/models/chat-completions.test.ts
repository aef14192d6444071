import { describe, expect, jest, test } from '@jest/globals';
import type { ModelInput, ModelRequest } from '../../../src/agent/model.ts';
import { createCallAssembly } from '../../../src/agent/models/chat/calls.ts';
import { createScriptedModel, callTool } from '../../support/scripted-model.ts';
import { ModelError } from '../../../src/agent/model.ts';
import {
  adapterModel,
  add,
  collect,
  multiply,
  plainRequest,
  weather,
  type AdapterKind,
} from '../../support/adapters.ts';
import { ofType, runTurn } from '../../support/agent-run.ts';
import { frames, recordedStream, type Reply } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { describeWithSharedData } from '../../support/shared-data.ts';

const startServer = ownModelServers();

async function modelOf(
  replies: readonly Reply[],
  kind: AdapterKind = 'chat',
  options: Parameters<typeof adapterModel>[2] = {},
) {
  const server = await startServer(replies);
  return { server, model: adapterModel(kind, server, options) };
}

const delta = (more: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: more, finish_reason }],
});
const DONE = 'data: [DONE]\n\n';
const fine = frames(delta({ content: 'Fine.' }), delta({}, 'stop')) + DONE;
const calls = (...fragments: readonly object[]) =>
  fragments.map((fragment) => delta({ tool_calls: [fragment] }));

/** One response, read by the adapter alone. */
async function read(body: string, request?: ModelRequest) {
  const { model } = await modelOf([{ body }]);
  return collect(model, request);
}

describeWithSharedData('Recorded streams of Chat Completions', () => {
  test('text, with the usage of the last chunk', async () => {
    const { model } = await modelOf([{ body: await recordedStream('chat-text.sse'), packet: 61 }]);
    const { text, outcome } = await runTurn(model, []);
    expect(text).toMatch(/^\S.*\S$/s);
    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      rounds: 1,
      usage: { inputTokens: 14, outputTokens: 30 },
    });
  });

  test('a tool call in pieces, its output, the answer', async () => {
    const { server, model } = await modelOf([
      { body: await recordedStream('chat-tool-call.step1.sse'), packet: 53 },
      { body: await recordedStream('chat-tool-call.step2.sse'), packet: 53 },
    ]);
    const { text, outcome, activities } = await runTurn(model, [multiply]);
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 2 });
    expect(text).toMatch(/2,?869,?461/);
    expect(ofType(activities, 'tool-finished')[0]!.call).toMatchObject({ preview: '2869461', status: 'OK' });
    expect((server.requests[1]!['messages'] as unknown[]).slice(1)).toEqual([
      { role: 'user', content: 'How is the chip?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          {
            id: 'call_1EYWDzueHEp8OsB8jJSEp7WB',
            type: 'function',
            function: { name: 'multiply', arguments: '{"a":1231,"b":2331}' },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1EYWDzueHEp8OsB8jJSEp7WB',
        content: expect.stringContaining('2869461'),
      },
    ]);
  });

  test("Ollama: thoughts are not shown and go back under Ollama's name for them", async () => {
    const { server, model } = await modelOf(
      [
        { body: await recordedStream('chat-ollama-tool-call.step1.sse') },
        { body: await recordedStream('chat-ollama-tool-call.step2.sse') },
      ],
      'chat',
    );
    const { text, outcome } = await runTurn(model, [weather]);
    expect(text).toContain('Berlin');
    expect(text).not.toContain('We need to');
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 2 });
    expect((server.requests[1]!['messages'] as unknown[])[2]).toMatchObject({
      role: 'assistant',
      reasoning: 'We need to call weather function with latitude and longitude. Provide as strings.',
      tool_calls: [{ id: 'call_x7rn5sl5', function: { name: 'weather' } }],
    });
  });
});

describe('What Chat Completions is asked', () => {
  test.each([
    [
      'max_tokens',
      {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        param: 'max_tokens',
      },
      { max_completion_tokens: 1000 },
    ],
    [
      'stream_options',
      {
        message:
          '[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]',
      },
      {},
    ],
    ['parallel_tool_calls', { message: 'Unknown parameter: parallel_tool_calls' }, {}],
  ])('leaves out %s where it is refused, from then on', async (name, error, instead) => {
    const { server, model } = await modelOf([
      { status: 400, error },
      { body: fine },
      { body: fine },
      { body: fine },
    ]);
    await runTurn(model, [add]);
    await runTurn(model, [add]);
    await runTurn(model, [add], { sessionId: 'session-2' });
    expect(server.requests.map((request) => name in request)).toEqual([true, false, false, false]);
    expect(server.requests[1]).toMatchObject(instead);
  });

  test('thoughts that a server refuses are left out, and those that it misses are not', async () => {
    const call = { index: 0, id: 'c1', function: { name: 'add', arguments: '{"a":1,"b":2}' } };
    const thinking = frames(delta({ reasoning: 'Hm.' }), ...calls(call), delta({}, 'tool_calls')) + DONE;
    const refusal = {
      status: 400,
      error: { message: "Unrecognized request argument supplied: 'messages[2].reasoning'" },
    };
    const { server, model } = await modelOf([{ body: thinking }, refusal, { body: fine }]);
    expect((await runTurn(model, [add])).text).toBe('Fine.');
    const messages = server.requests.map((request) => JSON.stringify(request['messages']).includes('Hm.'));
    expect(messages).toEqual([false, true, false]);

    const missing = {
      status: 400,
      error: { message: 'The reasoning_content in the thinking mode must be passed back to the API.' },
    };
    const other = await modelOf([missing, missing]);
    expect((await runTurn(other.model, [add])).outcome.error).toMatchObject({ code: 'MODEL_BAD_REQUEST' });
    expect(other.server.requests).toHaveLength(2);
  });

  test('images go to models that see, and are named to others', async () => {
    const input: ModelInput[] = [
      {
        type: 'user',
        text: 'What is this?',
        images: [{ mediaType: 'image/png', width: 8, height: 8, data: 'aGk=' }],
      },
    ];
    const seeing = await modelOf([{ body: fine }]);
    await collect(seeing.model, { ...plainRequest, input });
    expect((seeing.server.requests[0]!['messages'] as unknown[])[1]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      ],
    });
    const blind = await modelOf([{ body: fine }], 'chat', { images: false });
    await collect(blind.model, { ...plainRequest, input });
    expect(JSON.stringify(blind.server.requests[0])).not.toContain('aGk=');
    expect(JSON.stringify(blind.server.requests[0])).toContain('cannot see images');
  });

  test('what another provider said goes as plain text and calls, and a call that was cut off as an empty one', async () => {
    const { server, model } = await modelOf([{ body: fine }]);
    const first = createScriptedModel([
      [callTool('add', '{"a":2,', 'c1')],
      [new ModelError('QUOTA', 'none left', { retryable: false })],
    ]);
    await runTurn(first, [add], { fallback: model });
    expect((server.requests[0]!['messages'] as unknown[])[2]).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } }],
    });
  });
});

describe('What servers of Chat Completions answer', () => {
  const addArguments = '{"a":2,"b":3}';
  const whole = { name: 'add', arguments: addArguments };

  test.each<[string, readonly object[], readonly object[]]>([
    ['an index and an id', [{ index: 0, id: 'x', function: whole }], [{ callId: 'x', ...whole }]],
    ['no index', [{ id: 'x', function: whole }], [{ callId: 'x', ...whole }]],
    ['no id', [{ index: 0, function: whole }], [whole]],
    ['an empty id', [{ index: 0, id: '', function: whole }], [whole]],
    [
      'index 0 for all, whole calls',
      [
        { index: 0, id: 'x', function: whole },
        { index: 0, id: 'y', function: whole },
      ],
      [
        { callId: 'x', ...whole },
        { callId: 'y', ...whole },
      ],
    ],
    [
      'no index and no id, pieces of two calls',
      [
        { function: { name: 'add', arguments: '' } },
        { function: { arguments: '{"a":2,' } },
        { function: { arguments: '"b":3}' } },
        { function: { name: 'multiply', arguments: '{"a":4,' } },
        { function: { arguments: '"b":5}' } },
      ],
      [whole, { name: 'multiply', arguments: '{"a":4,"b":5}' }],
    ],
    [
      'an id and a name in every piece',
      [
        { index: 0, id: 'x', function: { name: 'add', arguments: '{"a":2,' } },
        { index: 0, id: 'x', function: { name: 'add', arguments: '"b":3}' } },
      ],
      [{ callId: 'x', ...whole }],
    ],
    [
      'pieces of two calls in turn',
      [
        { index: 0, id: 'x', function: { name: 'add', arguments: '{"a":2,' } },
        { index: 1, id: 'y', function: { name: 'multiply', arguments: '{"a":4,' } },
        { index: 0, function: { arguments: '"b":3}' } },
        { index: 1, function: { arguments: '"b":5}' } },
      ],
      [
        { callId: 'x', ...whole },
        { callId: 'y', name: 'multiply', arguments: '{"a":4,"b":5}' },
      ],
    ],
    [
      'the same call twice',
      [
        { index: 0, id: 'x', function: whole },
        { index: 0, id: 'x', function: whole },
      ],
      [{ callId: 'x', ...whole }],
    ],
    [
      'an empty object before the arguments',
      [
        { index: 0, id: 'x', function: { name: 'add', arguments: '{}' } },
        { index: 0, function: { arguments: addArguments } },
      ],
      [{ callId: 'x', ...whole }],
    ],
    [
      'arguments as an object',
      [{ index: 0, id: 'x', function: { name: 'add', arguments: { a: 2, b: 3 } } }],
      [{ callId: 'x', ...whole }],
    ],
    [
      'no arguments at all',
      [{ index: 0, id: 'x', function: { name: 'add' } }],
      [{ callId: 'x', name: 'add', arguments: '{}' }],
    ],
  ])('calls with %s', async (_name, fragments, expected) => {
    const { calls: told, finished } = await read(
      frames(...calls(...fragments), delta({}, 'tool_calls')) + DONE,
    );
    expect(told).toMatchObject(expected);
    expect(told).toHaveLength(expected.length);
    expect(finished?.reason).toBe('calls');
    expect(told.every(({ callId }) => callId !== '')).toBe(true);
  });

  test('the same id for two calls: each has its own, and both are answered', async () => {
    const two = frames(
      ...calls(
        { index: 0, id: 'x', function: whole },
        { index: 1, id: 'x', function: { name: 'multiply', arguments: addArguments } },
      ),
      delta({}, 'tool_calls'),
    );
    const { server, model } = await modelOf([{ body: two + DONE }, { body: fine }]);
    const { text } = await runTurn(model, [add, multiply]);
    expect(text).toBe('Fine.');
    const [, , round, ...outputs] = server.requests[1]!['messages'] as {
      tool_calls: { id: string }[];
      tool_call_id: string;
    }[];
    const ids = round!.tool_calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(outputs.map(({ tool_call_id }) => tool_call_id)).toEqual(ids);
  });

  test('a call whose arguments are whole is emitted at once', async () => {
    const body = frames(...calls({ index: 0, id: 'x', function: whole }));
    const { model } = await modelOf([{ body, cut: { at: body.length, how: 'stall' } }]);
    const stop = new AbortController();
    const events = model.stream(plainRequest, stop.signal)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: 'call' } });
    stop.abort(new Error('enough'));
    await expect(events.next()).rejects.toThrow('enough');
  });

  test('what a server wants back with a call goes back with it', async () => {
    const extra_content = { google: { thought_signature: 'abc' } };
    const body = frames(
      ...calls({ index: 0, id: 'x', type: 'function', function: whole, extra_content }),
      delta({}, 'tool_calls'),
    );
    const { finished } = await read(body);
    expect(finished?.items).toMatchObject([{ tool_calls: [{ id: 'x', extra_content }] }]);
  });

  test('the form that tool calls replaced', async () => {
    const body = frames(
      delta({ function_call: { name: 'add', arguments: '{"a":2,' } }),
      delta({ function_call: { arguments: '"b":3}' } }),
      delta({}, 'function_call'),
    );
    expect(await read(body)).toMatchObject({ calls: [whole], finished: { reason: 'calls' } });
  });

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'filtered'],
    ['tool_calls', 'stop'],
    ['eos', 'stop'],
  ])('finish reason %s without calls is %s', async (given, reason) => {
    const { finished, text } = await read(frames(delta({ content: 'Yes.' }, given)));
    expect({ text, reason: finished?.reason }).toEqual({ text: 'Yes.', reason });
  });

  test('no finish reason: whole with the last line, broken off without it', async () => {
    const body = frames(delta({ content: 'Yes.' }));
    expect(await read(body + DONE)).toMatchObject({
      text: 'Yes.',
      finished: { reason: 'stop', usage: null },
      error: null,
    });
    expect(await read(body)).toMatchObject({
      text: 'Yes.',
      finished: null,
      error: { code: 'BROKEN_STREAM' },
    });
    const quoted = frames(delta({ content: '\ndata: [DONE]\n' }));
    expect(await read(quoted)).toMatchObject({ finished: null, error: { code: 'BROKEN_STREAM' } });
  });

  test.each([
    [
      'an error object',
      { error: { message: 'out of memory', type: 'server_error' } },
      'BROKEN_STREAM',
      /out of memory/,
    ],
    ['an error text', { error: 'out of memory' }, 'UNAVAILABLE', /out of memory/],
    [
      'an error with a status',
      { error: { message: 'busy', code: 429 } },
      'RATE_LIMITED',
      /too many requests/,
    ],
    [
      'an error as the frame',
      { object: 'error', message: 'out of memory' },
      'BROKEN_STREAM',
      /out of memory/,
    ],
    ['an error as the finish reason', delta({}, 'error'), 'BROKEN_STREAM', /ended it with error/],
  ])('%s in a chunk', async (_name, chunk, code, words) => {
    const { text, error } = await read(frames(delta({ content: 'Half' }), chunk));
    expect({ text, code: error?.code }).toEqual({ text: 'Half', code });
    expect(error?.message).toMatch(words);
  });

  test('a refusal, parts, other choices, cached tokens', async () => {
    const usage = { prompt_tokens: 50, completion_tokens: 5, prompt_cache_hit_tokens: 40 };
    const parts = [
      { type: 'thinking', thinking: [] },
      { type: 'text', text: 'Yes.' },
    ];
    const other = { choices: [{ index: 1, delta: { content: 'No.' }, finish_reason: null }] };
    const body = frames(delta({ content: parts }), other, delta({}, 'stop'), { choices: [], usage });
    expect(await read(body)).toMatchObject({
      text: 'Yes.',
      finished: { usage: { inputTokens: 50, outputTokens: 5, cachedTokens: 40 } },
    });
    const refused = frames(delta({ refusal: 'I cannot.' }), delta({}, 'stop'));
    expect(await read(refused)).toMatchObject({ text: 'I cannot.', finished: { reason: 'refused' } });
  });

  test.each(['reasoning_content', 'reasoning', 'thinking'])(
    'thoughts as %s are kept and not shown',
    async (field) => {
      const body = frames(
        delta({ [field]: 'Let me ' }),
        delta({ [field]: 'think.', content: '' }),
        delta({ content: 'Yes.' }, 'stop'),
      );
      const { text, finished } = await read(body);
      expect(text).toBe('Yes.');
      expect(finished?.items).toMatchObject([{ [field]: 'Let me think.' }]);
    },
  );

  test('thoughts between tags in the text are not shown', async () => {
    const body = frames(
      ...['<th', 'ink>Let me', ' think.</thi', 'nk>\n\nYes', '.'].map((content) => delta({ content })),
      delta({}, 'stop'),
    );
    expect((await read(body)).text).toBe('Yes.');
  });

  test('an answer that is cut off in its call is asked for once more, with more room', async () => {
    const cut = frames(
      ...calls({ index: 0, id: 'x', function: { name: 'add', arguments: '{"a":2,' } }),
      delta({}, 'length'),
    );
    const { server, model } = await modelOf([{ body: cut + DONE }, { body: fine }]);
    expect((await runTurn(model, [add])).text).toBe('Fine.');
    const [first, second] = server.requests;
    const roomOf = (body: Record<string, unknown>) =>
      Number(body['max_completion_tokens'] ?? body['max_tokens']);
    expect(roomOf(second!)).toBe(2 * roomOf(first!));
    expect(second!['messages']).toEqual(first!['messages']);
  });
});

test('arguments in pieces of one character are parsed once, however long and however full of brackets', () => {
  const args = JSON.stringify({ code: '{"}]'.repeat(20_000), rows: Array(5_000).fill({ t1: [1] }) });
  const parse = jest.spyOn(JSON, 'parse');
  try {
    const assembly = createCallAssembly();
    const told = args.split('').flatMap((piece, at) =>
      assembly.add({
        index: 0,
        id: at === 0 ? 'a' : null,
        name: at === 0 ? 'f' : null,
        arguments: piece,
        extra: {},
      }),
    );
    expect(told).toEqual([{ callId: 'a', name: 'f', arguments: args }]);
    expect(parse).toHaveBeenCalledTimes(1);
  } finally {
    parse.mockRestore();
  }
});
