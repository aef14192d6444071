/**
 * Temperature and reasoning of an expert, as each provider is told of them, and what becomes of those that a model
 * refuses.
 */
import { describe, expect, test } from '@jest/globals';
import type { Sampling } from '../../../src/agent/model.ts';
import { adapterModel, collect, plainRequest, type AdapterKind } from '../../support/adapters.ts';
import { bodyOf, type WireKind } from '../../support/wire-bodies.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import type { Reply } from '../../support/model-server.ts';

const startServer = ownModelServers();
const KINDS = ['responses', 'chat', 'ollama', 'anthropic'] as const;
const wireOf = (kind: AdapterKind): WireKind => (kind === 'ollama' ? 'chat' : kind);

const SAMPLING_PARAMETERS = ['temperature', 'reasoning', 'reasoning_effort', 'output_config'];

/** The parameters of the last request that was sent, and what was answered. */
async function asked(kind: AdapterKind, sampling: Sampling | null, before: readonly Reply[] = []) {
  const server = await startServer([...before, { body: bodyOf(wireOf(kind), [{ text: 'Fine.' }]) }]);
  const { text } = await collect(adapterModel(kind, server), {
    ...plainRequest,
    ...(sampling && { sampling }),
  });
  const body = server.requests.at(-1) ?? {};
  const sent = Object.fromEntries(
    Object.entries(body).filter(([name]) => SAMPLING_PARAMETERS.includes(name)),
  );
  return { text, sent, requests: server.requests.length };
}

describe.each(KINDS)('%s is told', (kind) => {
  test('nothing where nothing is asked for, nor where both are left to the model', async () => {
    expect(await asked(kind, null)).toMatchObject({ sent: {}, text: 'Fine.' });
    expect((await asked(kind, { temperature: null, reasoning: null })).sent).toEqual({});
  });

  test('both, in its own words; a temperature of 0 is one', async () => {
    const expected = {
      responses: { temperature: 0, reasoning: { effort: 'high' } },
      chat: { temperature: 0, reasoning_effort: 'high' },
      ollama: { temperature: 0, reasoning_effort: 'high' },
      anthropic: { output_config: { effort: 'high' } },
    };
    expect((await asked(kind, { temperature: 0, reasoning: 'high' })).sent).toEqual(expected[kind]);
  });
});

test.each([
  ['responses', 'temperature', { reasoning: { effort: 'low' } }],
  ['responses', 'reasoning.effort', { temperature: 0.5 }],
  ['chat', 'temperature', { reasoning_effort: 'low' }],
  ['chat', 'reasoning_effort', { temperature: 0.5 }],
] as const)('a model of %s that refuses %s is asked again without it', async (kind, param, left) => {
  const message = `Unsupported parameter: '${param}' is not supported with this model.`;
  const refusal = { status: 400, error: { message, param, type: 'invalid_request_error' } };
  const { text, sent, requests } = await asked(kind, { temperature: 0.5, reasoning: 'low' }, [refusal]);
  expect({ text, sent, requests }).toEqual({ text: 'Fine.', sent: left, requests: 2 });
});

test('a model of anthropic that knows no effort is asked again without it', async () => {
  const message = 'output_config: Extra inputs are not permitted';
  const refusal = { status: 400, error: { type: 'invalid_request_error', message } };
  const answered = await asked('anthropic', { temperature: null, reasoning: 'low' }, [refusal]);
  expect(answered).toMatchObject({ text: 'Fine.', sent: {}, requests: 2 });
});
