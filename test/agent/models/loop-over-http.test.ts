/** The loop over real adapters and HTTP: what breaks is taken back, asked again, and then asked of the fallback. */
import { describe, expect, test } from '@jest/globals';
import { adapterModel, add, multiply, type AdapterKind } from '../../support/adapters.ts';
import { ofType, runTurn } from '../../support/agent-run.ts';
import { ANTHROPIC_CALLS, ANTHROPIC_TEXT } from '../../support/anthropic-streams.ts';
import { frames, type Reply } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { until } from '@qpilot/test-support';

const startServer = ownModelServers();

async function modelOf(kind: AdapterKind, ...replies: readonly Reply[]) {
  const server = await startServer(replies);
  return { server, model: adapterModel(kind, server) };
}

const ANSWER = 'T1 of Q07 is 52.3 µs 🙂 today.';
const CHAT_TEXT = frames(
  ...['T1 of Q', '07 is ', '52.3 µs 🙂', ' today.'].map((content) => ({ choices: [{ delta: { content } }] })),
  { choices: [{ delta: {}, finish_reason: 'stop' }] },
);
const RESPONSES_TEXT = frames(
  ...['T1 of Q', '07 is ', '52.3 µs 🙂', ' today.'].map((delta) => ({
    type: 'response.output_text.delta',
    output_index: 0,
    delta,
  })),
  { type: 'response.completed', response: { status: 'completed', output: [], usage: null } },
);
const TEXTS: readonly (readonly [AdapterKind, string])[] = [
  ['responses', RESPONSES_TEXT],
  ['chat', CHAT_TEXT],
  ['anthropic', ANTHROPIC_TEXT],
];

describe.each(TEXTS)('A stream that breaks in a turn (%s)', (kind, body) => {
  test('is taken back and asked again: the answer appears once', async () => {
    const length = Buffer.byteLength(body);
    for (let at = 1; at < length; at += Math.ceil(length / 12)) {
      const { server, model } = await modelOf(kind, { body, cut: { at, how: 'break' } }, { body });
      const { text, outcome, activities } = await runTurn(model, []);
      expect({ at, text, status: outcome.status }).toEqual({ at, text: ANSWER, status: 'COMPLETED' });
      expect(ofType(activities, 'reset').length).toBe(server.requests.length - 1);
    }
  });

  test('that stalls is closed and asked again', async () => {
    const at = Math.floor(Buffer.byteLength(body) / 2);
    const { server, model } = await modelOf(kind, { body, cut: { at, how: 'stall' } }, { body });
    const { text, activities } = await runTurn(model, [], { limits: { modelSilenceMs: 1_000 } });
    expect(text).toBe(ANSWER);
    expect(ofType(activities, 'reset')[0]!.reason).toBe(`${kind}-model sent nothing for 1 s`);
    await until(() => server.open() === 0, { what: 'closing of the stalled answer' });
  });

  test('every time fails the turn in the end, with what the last try said', async () => {
    const cut: Reply = { body, cut: { at: Math.floor(Buffer.byteLength(body) * 0.6), how: 'end' } };
    const { server, model } = await modelOf(kind, cut, cut, cut);
    const { text, outcome, activities } = await runTurn(model, []);
    expect(ANSWER.startsWith(text)).toBe(true);
    expect(outcome).toMatchObject({
      status: 'FAILED',
      error: { code: 'MODEL_BROKEN_STREAM', retryable: true },
    });
    expect(ofType(activities, 'reset')).toHaveLength(2);
    expect(server.requests).toHaveLength(3);
  });
});

describe('A fallback of another provider', () => {
  test('takes over in the middle of a turn, without items that it could not read', async () => {
    const quota: Reply = { status: 400, error: { type: 'billing_error', message: 'no credit' } };
    const claude = await modelOf('anthropic', { body: ANTHROPIC_CALLS }, quota);
    const local = await modelOf('chat', { body: CHAT_TEXT });
    const { text, outcome, activities } = await runTurn(claude.model, [add, multiply], {
      fallback: local.model,
    });
    expect(text).toBe(`Let me calculate.\n\n${ANSWER}`);
    expect(outcome).toMatchObject({ status: 'COMPLETED', model: 'chat-model', rounds: 2 });
    expect(ofType(activities, 'reset')[0]!.reason).toMatch(
      /^anthropic-model has no quota left.*; chat-model is asked/,
    );
    expect((local.server.requests[0]!['messages'] as unknown[]).slice(2)).toMatchObject([
      { role: 'assistant', content: 'Let me calculate.', tool_calls: [{ id: 'toolu_1' }, { id: 'toolu_2' }] },
      { role: 'tool', tool_call_id: 'toolu_1' },
      { role: 'tool', tool_call_id: 'toolu_2' },
    ]);
    expect(JSON.stringify(local.server.requests[0])).not.toContain('c2lnbmVk');
  });

  test('is asked at once where the first cannot be reached, and its text stands alone', async () => {
    const gone = await modelOf('responses');
    await gone.server.close();
    const claude = await modelOf('anthropic', { body: ANTHROPIC_TEXT });
    const { text, outcome } = await runTurn(gone.model, [], { fallback: claude.model });
    expect(text).toBe(ANSWER);
    expect(outcome).toMatchObject({ status: 'COMPLETED', model: 'anthropic-model', error: null });
  });

  test('that fails too leaves its own words as the failure', async () => {
    const first = await modelOf('chat', { status: 401, error: { message: 'no' } });
    const second = await modelOf('anthropic', {
      status: 403,
      error: { type: 'permission_error', message: 'not here' },
    });
    const { outcome, text } = await runTurn(first.model, [], { fallback: second.model });
    expect(text).toBe('');
    expect(outcome.error).toEqual({
      code: 'MODEL_AUTH',
      message: 'anthropic-model may not be used with the key of this server: not here',
      retryable: false,
    });
  });
});
