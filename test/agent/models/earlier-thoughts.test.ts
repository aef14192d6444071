/** Thoughts of earlier turns: they go back as they came, and what a server refuses of them is left out. */
import { describe, expect, test } from '@jest/globals';
import { historyInput } from '../../../src/agent/history/history-plan.ts';
import type { ModelInput, ModelRequest } from '../../../src/agent/model.ts';
import type { RecordedInput } from '../../../src/domain/conversation/step-record.ts';
import { adapterModel, collect, plainRequest } from '../../support/adapters.ts';
import { earlierTurn } from '../../support/conversations.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { bodyOf, WIRES, type WireKind } from '../../support/wire-bodies.ts';

const startServer = ownModelServers();
const THOUGHT = 'Look at it first.';
const CALL = ['call_a1b2c3d4', 'look', '{}'] as const;
const NUMBERED = ['1', 'look', '{}'] as const;
const ROOM = { tokens: 10_000, roundTokens: 10_000, turns: 10, tokensPerEstimate: 1 };
const fine = (kind: WireKind) => ({ body: bodyOf(kind, [{ text: 'Fine.' }]) });

/** A turn with a round of calls, as its first and second request were, and the first request of the turn behind it. */
async function twoTurns(kind: WireKind, call: readonly [string, string, string] = CALL) {
  const first = await startServer([{ body: bodyOf(kind, [{ thought: THOUGHT }, { call }]) }, fine(kind)]);
  const model = adapterModel(kind, first);
  const step = await collect(model);
  const round: ModelInput = {
    type: 'round',
    provider: model.provider,
    items: step.finished?.items ?? [],
    text: step.text,
    calls: step.calls,
  };
  const outputs = step.calls.map(({ callId }): ModelInput => ({
    type: 'tool-output',
    callId,
    output: 'fine',
  }));
  const sent = [...plainRequest.input, round, ...outputs];
  await collect(model, { ...plainRequest, input: sent });
  const turn = { ...earlierTurn('t1', 'How is the chip?', 'Fine.'), sent: sent as readonly RecordedInput[] };
  const later: ModelRequest = { ...plainRequest, input: historyInput([turn], 'And now?', ROOM) };
  return { model, round, requests: first.requests, later, sent };
}

/** The messages of a request, whatever the API calls them. */
const messagesOf = (request: Record<string, unknown> | undefined): readonly unknown[] =>
  (request?.['messages'] ?? request?.['input'] ?? request?.['contents']) as readonly unknown[];
const cleaned = (messages: readonly unknown[]): readonly unknown[] =>
  JSON.parse(
    JSON.stringify(messages)
      .replaceAll('"cache_control":{"type":"ephemeral"},', '')
      .replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
  ) as readonly unknown[];

describe.each(WIRES)('Thoughts of an earlier turn (%s)', (kind) => {
  test.each([
    ['random', CALL],
    ['only numbered', NUMBERED],
  ] as const)(
    'go back as they came, so that the request begins with the whole of the one before: ids are %s',
    async (_, call) => {
      const { requests, later } = await twoTurns(kind, call);
      const server = await startServer([fine(kind)]);
      await collect(adapterModel(kind, server), later);
      const before = cleaned(messagesOf(requests[1]));
      expect(cleaned(messagesOf(server.requests[0])).slice(0, before.length)).toEqual(before);
      const withThought = kind === 'gemini' ? 'c2lnbmVk' : THOUGHT;
      expect(JSON.stringify(server.requests[0])).toContain(withThought);
    },
  );

  test('stay behind where the server cannot read them any more', async () => {
    const { later } = await twoTurns(kind);
    const message = 'messages.1.content.0: Invalid `signature` in `thinking` block';
    const server = await startServer([{ status: 400, error: { message } }, fine(kind)]);
    const { text } = await collect(adapterModel(kind, server), later);
    expect(text).toBe('Fine.');
    expect(JSON.stringify(server.requests[1])).not.toMatch(/Look at it first|c2lnbmVk/);
    expect(JSON.stringify(server.requests[1])).toContain('look');
  });

  test('go back within a turn beside calls whose ids come twice: the second gets another one', async () => {
    const { sent } = await twoTurns(kind, NUMBERED);
    const server = await startServer([fine(kind)]);
    await collect(adapterModel(kind, server), {
      ...plainRequest,
      input: [...sent, ...sent.slice(1)],
    });
    const said = JSON.stringify(server.requests[0]);
    expect(said.split(kind === 'gemini' ? 'c2lnbmVk' : THOUGHT)).toHaveLength(3);
  });
});

test('a server that wants thoughts in each message gets words for those that nobody had', async () => {
  // As DeepSeek words it.
  const error = {
    message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_request_error',
  };
  const { round, later } = await twoTurns('chat');
  const server = await startServer([{ status: 400, error }, fine('chat'), fine('chat')]);
  const model = adapterModel('chat', server);
  const foreign = { ...round, provider: 'server', items: [] } as ModelInput;
  const input = [...later.input, foreign, { type: 'tool-output', callId: CALL[0], output: 'fine' } as const];
  expect((await collect(model, { ...later, input })).text).toBe('Fine.');
  await collect(model, { ...later, input });
  const thoughts = server.requests.map((request) =>
    messagesOf(request)
      .filter((each) => (each as { role: string }).role === 'assistant')
      .map((each) => (each as Record<string, unknown>)['reasoning_content']),
  );
  expect(thoughts).toEqual([
    [THOUGHT, undefined, undefined],
    [THOUGHT, 'Fine.', 'look'],
    [THOUGHT, 'Fine.', 'look'],
  ]);
});
