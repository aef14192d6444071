import { afterEach, describe, expect, test } from '@jest/globals';
import { ModelError, type Model } from '../../../src/agent/model.ts';
import { createOpenAiClient } from '../../../src/agent/models/chat/openai-client.ts';
import { createOpenAiResponsesModel } from '../../../src/agent/models/openai/responses.ts';
import { createScriptedModel, say } from '../../support/scripted-model.ts';
import { add, multiply } from '../../support/adapters.ts';
import { ofType, runTurn } from '../../support/agent-run.ts';
import { testSite } from '../../support/fake-provider.ts';
import {
  frames,
  recordedStream,
  startModelServer,
  type ModelServer,
  type Reply,
} from '../../support/model-server.ts';
import { describeWithSharedData } from '../../support/shared-data.ts';
import { until } from '@qpilot/test-support';
import { knownModel } from '../../support/known-models.ts';

let server: ModelServer | null = null;

afterEach(async () => {
  await server?.close();
  server = null;
});

/** A server with these replies and a model that asks it. */
async function modelOf(
  replies: readonly Reply[],
  name = 'gpt-4.1',
): Promise<{ server: ModelServer; model: Model }> {
  server = await startModelServer(replies);
  const client = createOpenAiClient({ apiKey: 'sk-test', baseUrl: server.baseUrl });
  return {
    server,
    model: createOpenAiResponsesModel({
      client,
      ...knownModel(name),
      site: testSite,
      maxOutputTokens: 1000,
    }),
  };
}

const message = (text: string) => [
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'm', delta: text },
];
const completed = (more: object = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', output: [], usage: null, ...more },
});

describeWithSharedData('Recorded streams of the Responses API', () => {
  test.each([3, 61, 997, 100_000])('text, in packets of %i bytes', async (packet) => {
    const body = await recordedStream('responses-text.sse');
    const { model } = await modelOf([{ body, packet }]);
    const { outcome, text, activities } = await runTurn(model, []);
    expect(text).toBe(doneText(body));
    // Deltas of one packet may be read as one text.
    expect(ofType(activities, 'text').length).toBeLessThanOrEqual(
      countOf(body, 'response.output_text.delta'),
    );
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 1, error: null });
    expect(outcome.usage!.totalTokens).toBeGreaterThan(0);
  });

  test('reasoning, then text: thoughts are not shown', async () => {
    const body = await recordedStream('responses-reasoning-text.sse');
    const { server, model } = await modelOf([{ body, packet: 997 }], 'o4-mini');
    const { text } = await runTurn(model, []);
    expect(text).toBe(doneText(body));
    expect(server.requests[0]).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  });

  test('a function call, its output, the answer', async () => {
    const [step1, step2] = await Promise.all([
      recordedStream('responses-function-call.step1.sse'),
      recordedStream('responses-function-call.step2.sse'),
    ]);
    const { server, model } = await modelOf(
      [
        { body: step1, packet: 53 },
        { body: step2, packet: 53 },
      ],
      'gpt-5.5',
    );
    const { outcome, text, activities } = await runTurn(model, [multiply]);
    expect(text).toBe(doneText(step2));
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 2 });
    expect(ofType(activities, 'tool-finished')[0]!.call).toMatchObject({ preview: '2869461', status: 'OK' });
    expect(server.requests[1]!['input']).toEqual([
      { role: 'user', content: 'How is the chip?' },
      expect.objectContaining({ type: 'function_call', arguments: '{"a":1231,"b":2331}' }),
      {
        type: 'function_call_output',
        call_id: 'call_sVidsfFJ6zlzRpelrPkTPlpd',
        output: expect.stringContaining('2869461'),
      },
    ]);
  });

  test('two calls at once: both run, both answered in one request, items back verbatim', async () => {
    const [step1, step2] = await Promise.all([
      recordedStream('responses-parallel-calls.step1.sse'),
      recordedStream('responses-parallel-calls.step2.sse'),
    ]);
    const { server, model } = await modelOf(
      [
        { body: step1, packet: 997 },
        { body: step2, packet: 997 },
      ],
      'gpt-4o',
    );
    const { text } = await runTurn(model, [add, multiply]);
    expect(text).toBe('The sum of 2 and 3 is 5, and their product is 6.');
    expect(server.requests).toHaveLength(2);
    const items = eventsOf(step1)
      .filter(({ type }) => type === 'response.output_item.done')
      .map(({ item }) => item);
    const input = server.requests[1]!['input'] as Record<string, unknown>[];
    expect(input.slice(1, 3)).toEqual(items);
    expect(input.slice(3).map((item) => item['call_id'])).toEqual([
      'call_NnEvpiwdL8XrZ6F3T9VJyVw7',
      'call_TQ8336oa6YnuT2leYzRDBBLz',
    ]);
  });

  test('an error inside the stream (quota) ends the turn once, in plain words', async () => {
    const { model } = await modelOf(
      [{ body: await recordedStream('responses-error-quota.chunks.txt') }],
      'gpt-5-nano',
    );
    const { outcome, text } = await runTurn(model, []);
    expect(text).toBe('');
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code: 'MODEL_QUOTA', retryable: false } });
    expect(outcome.error!.message).toMatch(/^gpt-5-nano has no quota left: You exceeded your current quota/);
  });

  test('an incomplete response keeps its text and says that it was cut off', async () => {
    const { model } = await modelOf([{ body: await recordedStream('responses-incomplete.chunks.txt') }]);
    const { outcome, text } = await runTurn(model, []);
    expect(text).toMatch(/^Hello,\n\n\*The answer was cut off/);
    expect(outcome.status).toBe('COMPLETED');
  });

  test('broken off at any of many places and then whole: the text appears once', async () => {
    const body = await recordedStream('responses-text.sse');
    const whole = doneText(body);
    for (let at = 1; at < body.length; at += Math.ceil(body.length / 9)) {
      const { server, model } = await modelOf([{ body, packet: 61, cut: { at, how: 'break' } }, { body }]);
      const { text, outcome } = await runTurn(model, []);
      expect({ at, text, status: outcome.status }).toEqual({ at, text: whole, status: 'COMPLETED' });
      await server.close();
    }
  });
});

describe('The adapter of the Responses API', () => {
  test('leaves out a parameter that the model does not support, from then on', async () => {
    const refusal = {
      status: 400,
      error: { message: "Unsupported parameter: 'parallel_tool_calls'.", param: 'parallel_tool_calls' },
    };
    const body = frames(...message('Fine.'), completed());
    const { server, model } = await modelOf([refusal, { body }, { body }, { body }]);
    await runTurn(model, [add]);
    await runTurn(model, [add]);
    await runTurn(model, [add], { sessionId: 'session-2' });
    expect(server.requests.map((request) => 'parallel_tool_calls' in request)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('a 400 that names nothing it can leave out fails the turn with the words of the provider', async () => {
    const { server, model } = await modelOf([
      { status: 400, error: { message: 'Your input is malformed, key sk-abcdefghijkl.', param: 'input' } },
    ]);
    const { outcome } = await runTurn(model, []);
    expect(outcome.error).toMatchObject({ code: 'MODEL_BAD_REQUEST', retryable: false });
    expect(outcome.error!.message).toBe(
      'gpt-4.1 refused the request: Your input is malformed, key [redacted].',
    );
    expect(server.requests).toHaveLength(1);
  });

  test('waits as a 429 asks and tries again', async () => {
    const busy = { status: 429, error: { message: 'slow down' }, headers: { 'retry-after-ms': '5' } };
    const { server, model } = await modelOf([busy, { body: frames(...message('Fine.'), completed()) }]);
    const { text } = await runTurn(model, []);
    expect(text).toBe('Fine.');
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    [429, {}, 'MODEL_RATE_LIMITED', true],
    [429, { code: 'insufficient_quota' }, 'MODEL_QUOTA', false],
    [500, {}, 'MODEL_UNAVAILABLE', true],
    [401, {}, 'MODEL_AUTH', false],
  ])('a %i for good with %j fails as %s', async (status, error, code, retryable) => {
    const reply = { status, error: { message: 'no', ...error }, headers: { 'retry-after-ms': '1' } };
    const { model } = await modelOf([reply, reply, reply, reply, reply]);
    const { outcome } = await runTurn(model, []);
    expect(outcome.error).toMatchObject({ code, retryable });
  });

  test('an address where nobody answers fails as unavailable, without the address', async () => {
    const { server, model } = await modelOf([]);
    await server.close();
    const { outcome } = await runTurn(model, []);
    expect(outcome.error).toEqual({
      code: 'MODEL_UNAVAILABLE',
      message: 'gpt-4.1 could not be reached; check that it runs, OPENAI_BASE_URL and the network',
      retryable: true,
    });
  });

  test('starts a call at the end of its arguments, before the response is complete', async () => {
    const item = {
      type: 'function_call',
      id: 'f',
      call_id: 'c1',
      name: 'add',
      arguments: '',
      status: 'in_progress',
    };
    const body = frames(
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.something_new', output_index: 0 },
      {
        type: 'response.function_call_arguments.done',
        output_index: 0,
        item_id: 'x',
        arguments: '{"a":2,"b":3}',
      },
    );
    const { model } = await modelOf([{ body, cut: { at: body.length, how: 'stall' } }]);
    const stop = new AbortController();
    const seen: string[] = [];
    const events = model.stream(
      { instructions: '', input: [], tools: [], toolChoice: 'auto', sessionId: 's' },
      stop.signal,
    );
    const reading = (async () => {
      for await (const event of events) {
        seen.push(event.type);
        stop.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(seen).toEqual(['call']);
  });

  test('takes whole text and calls from servers that send no deltas, and orders items by index', async () => {
    const text = {
      type: 'message',
      id: 'm',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Let me add.' }],
    };
    const call = { type: 'function_call', id: 'f', call_id: 'c1', name: 'add', arguments: '{"a":2,"b":3}' };
    const { server, model } = await modelOf([
      {
        body: frames(
          { type: 'response.output_item.done', output_index: 1, item: call },
          completed({ output: [text, call] }),
        ),
      },
      {
        body: frames(
          completed({ output: [{ ...text, content: [{ type: 'output_text', text: 'It is 5.' }] }] }),
        ),
      },
    ]);
    const run = await runTurn(model, [add]);
    expect(run.text).toBe('Let me add.\n\nIt is 5.');
    expect((server.requests[1]!['input'] as unknown[]).slice(1, 3)).toEqual([text, call]);
  });

  test('the same id for two calls: the first is answered, the second refused as a mistake, and the turn goes on', async () => {
    const item = (output_index: number, name: string) => ({
      type: 'response.output_item.done',
      output_index,
      item: { type: 'function_call', id: name, call_id: 'c1', name, arguments: '{"a":2,"b":3}' },
    });
    const { server, model } = await modelOf([
      { body: frames(item(0, 'add'), item(1, 'multiply'), completed()) },
      { body: frames(...message('It is 5.'), completed()) },
    ]);
    const run = await runTurn(model, [add, multiply]);
    expect(run.text).toBe('It is 5.');
    const outputs = (server.requests[1]!['input'] as { type: string }[]).filter(
      ({ type }) => type === 'function_call_output',
    );
    expect(outputs).toEqual([
      expect.objectContaining({ call_id: 'c1', output: expect.stringContaining('5') }),
    ]);
  });

  test('a failure reported in the stream is reported once, without the key', async () => {
    const error = { code: 'server_error', message: 'it fell over with sk-test-0123' };
    const failed = {
      body: frames(...message('Half'), { type: 'response.failed', response: { status: 'failed', error } }),
    };
    const { model } = await modelOf([failed, failed, failed]);
    const { outcome, text } = await runTurn(model, []);
    expect(text).toBe('Half');
    expect(outcome.error).toMatchObject({ code: 'MODEL_BROKEN_STREAM' });
    expect(outcome.error!.message).toBe(
      'gpt-4.1 broke off in the middle of its answer: it fell over with [redacted]',
    );
  });

  test('images go beside the words', async () => {
    const { server, model } = await modelOf([{ body: frames(...message('Fine.'), completed()) }]);
    const images = [{ mediaType: 'image/png' as const, width: 8, height: 8, data: 'aGk=' }];
    await runTurn(model, [], { input: [{ type: 'user', text: 'What is this?', images }] });
    expect(server.requests[0]!['input']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,aGk=' },
        ],
      },
    ]);
  });

  test('a refusal is the answer, marked as one', async () => {
    const { model } = await modelOf([
      {
        body: frames(
          { type: 'response.refusal.delta', output_index: 0, delta: 'I cannot help.' },
          completed(),
        ),
      },
    ]);
    const { text } = await runTurn(model, []);
    expect(text).toBe('I cannot help.\n\n*The model declined to answer this.*');
  });

  test('a content filter that the status tells, even in a completed event', async () => {
    const filtered = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    const { model } = await modelOf([{ body: frames(...message('Partly'), completed(filtered)) }]);
    expect((await runTurn(model, [])).text).toMatch(/^Partly\n\n\*The rest .* content filter/);
  });

  test('a stalled stream that is aborted rejects with the reason and closes the request', async () => {
    const body = frames(...message('Half'));
    const { server, model } = await modelOf([{ body, cut: { at: body.length, how: 'stall' } }]);
    const stop = new AbortController();
    const turn = runTurn(model, [], {
      signal: stop.signal,
      emit: ({ type }) => {
        if (type === 'text') stop.abort(new Error('stopped by the user'));
      },
    });
    await expect(turn).rejects.toThrow('stopped by the user');
    await until(() => server.abandoned() === 1, { what: 'closing of the request' });
  });

  test('speaks to another provider than its own without items that it could not read', async () => {
    const { server, model } = await modelOf([{ body: frames(...message('Fine.'), completed()) }]);
    const first = createScriptedModel([
      [...say('Looking.'), { type: 'call', call: { callId: 'c1', name: 'add', arguments: '{"a":2,"b":3}' } }],
      [new ModelError('QUOTA', 'none left', { retryable: false })],
    ]);
    await runTurn(first, [add], { fallback: model });
    expect(server.requests[0]!['input']).toEqual([
      { role: 'user', content: 'How is the chip?' },
      { role: 'assistant', content: 'Looking.' },
      { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":2,"b":3}' },
      { type: 'function_call_output', call_id: 'c1', output: expect.any(String) },
    ]);
  });
});

type RecordedEvent = { readonly type: string; readonly text?: string; readonly item?: unknown };

const eventsOf = (body: string): RecordedEvent[] =>
  [...body.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as RecordedEvent);
const doneText = (body: string): string =>
  eventsOf(body).find(({ type }) => type === 'response.output_text.done')!.text!;
const countOf = (body: string, type: string): number =>
  eventsOf(body).filter((event) => event.type === type).length;
