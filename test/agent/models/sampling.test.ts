/**
 * Temperature and reasoning of an expert, as each provider is told of them, and what becomes of those that a model
 * refuses.
 */
import { describe, expect, test } from '@jest/globals';
import type { Sampling } from '../../../src/agent/model.ts';
import { adapterModel, collect, plainRequest, type AdapterKind } from '../../support/adapters.ts';
import { bodyOf, WIRES } from '../../support/wire-bodies.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import type { Reply } from '../../support/model-server.ts';

const startServer = ownModelServers();

/** What is asked for in any case: these tell their thoughts only to those who ask. */
const ALWAYS: Partial<Record<AdapterKind, object>> = {
  responses: { reasoning: { summary: 'auto' } },
  gemini: { thinkingConfig: { includeThoughts: true } },
};
const SAMPLING_PARAMETERS = [
  'temperature',
  'reasoning',
  'reasoning_effort',
  'output_config',
  'thinkingConfig',
];

/** The parameters of the last request that was sent, and what was answered. */
async function asked(kind: AdapterKind, sampling: Sampling | null, before: readonly Reply[] = []) {
  const server = await startServer([...before, { body: bodyOf(kind, [{ text: 'Fine.' }]) }]);
  const { text } = await collect(adapterModel(kind, server), {
    ...plainRequest,
    ...(sampling && { sampling }),
  });
  const body = server.requests.at(-1) ?? {};
  // Gemini and Ollama have a place of their own for them.
  const within = { ...body, ...(body['generationConfig'] as object), ...(body['options'] as object) };
  const sent = Object.fromEntries(
    Object.entries(within).filter(([name]) => SAMPLING_PARAMETERS.includes(name)),
  );
  return { text, sent, requests: server.requests.length };
}

describe.each(WIRES)('%s is told', (kind) => {
  test('nothing where nothing is asked for, nor where both are left to the model', async () => {
    const sent = ALWAYS[kind] ?? {};
    expect(await asked(kind, null)).toEqual({ sent, text: 'Fine.', requests: 1 });
    expect((await asked(kind, { temperature: null, reasoning: null })).sent).toEqual(sent);
  });

  test('both, in its own words; a temperature of 0 is one', async () => {
    const expected = {
      responses: { temperature: 0, reasoning: { effort: 'high', summary: 'auto' } },
      chat: { temperature: 0, reasoning_effort: 'high' },
      gemini: { temperature: 0, thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' } },
      // Whether it thinks is told to a model only that is known to.
      ollama: { temperature: 0 },
      anthropic: { output_config: { effort: 'high' } },
    };
    expect((await asked(kind, { temperature: 0, reasoning: 'high' })).sent).toEqual(expected[kind]);
  });
});

test.each([
  ['responses', 'temperature', { reasoning: { effort: 'low', summary: 'auto' } }],
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

test.each(['responses', 'chat', 'gemini', 'ollama'] as const)(
  'a model of %s that takes no temperature by its settings is sent none',
  async (kind) => {
    const server = await startServer([{ body: bodyOf(kind, [{ text: 'Fine.' }]) }]);
    const sampling = { temperature: 0.5, reasoning: null };
    await collect(adapterModel(kind, server, { temperature: false }), { ...plainRequest, sampling });
    expect(JSON.stringify(server.requests)).not.toContain('temperature');
  },
);

test('an organisation that is not verified is asked again without a summary, with the same effort', async () => {
  // As OpenAI words it.
  const error = {
    message:
      'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
    type: 'invalid_request_error',
    param: 'reasoning.summary',
    code: 'unsupported_value',
  };
  const answered = await asked('responses', { temperature: null, reasoning: 'low' }, [
    { status: 400, error },
  ]);
  expect(answered).toMatchObject({ text: 'Fine.', sent: { reasoning: { effort: 'low' } }, requests: 2 });
  expect(answered.sent['reasoning']).not.toHaveProperty('summary');
});

describe('Thinking of Claude', () => {
  const thinkingOf = async (
    name: string,
    reasoning: Sampling['reasoning'],
    before: readonly Reply[] = [],
  ) => {
    const server = await startServer([...before, { body: bodyOf('anthropic', [{ text: 'Fine.' }]) }]);
    const sampling = { temperature: null, reasoning };
    await collect(adapterModel('anthropic', server, { name, maxOutputTokens: 8_192 }), {
      ...plainRequest,
      sampling,
    });
    const { thinking, output_config } = server.requests.at(-1) ?? {};
    return { thinking, output_config };
  };

  test.each([
    [
      'claude-opus-4-8',
      'low',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    ['claude-haiku-4-5-20251001', 'medium', { thinking: { type: 'enabled', budget_tokens: 2_048 } }],
    ['claude-sonnet-4-20250514', 'low', { thinking: { type: 'enabled', budget_tokens: 1_024 } }],
    ['claude-opus-4-1-20250805', 'high', { thinking: { type: 'enabled', budget_tokens: 4_096 } }],
    ['claude-haiku-4-5', null, {}],
  ] as const)('%s at effort %s', async (name, effort, expected) => {
    expect(await thinkingOf(name, effort)).toEqual(expected);
  });

  test('takes its share of what one response may have, not of more', async () => {
    const server = await startServer([{ body: bodyOf('anthropic', [{ text: 'Fine.' }]) }]);
    const sampling = { temperature: null, reasoning: 'high' } as const;
    const model = adapterModel('anthropic', server, { name: 'claude-haiku-4-5', maxOutputTokens: 8_192 });
    await collect(model, { ...plainRequest, sampling, outputTokens: 3_000 });
    expect(server.requests[0]).toMatchObject({ max_tokens: 3_000, thinking: { budget_tokens: 1_500 } });
  });

  test('is left out for a model that refuses it, and the effort stays', async () => {
    const error = {
      type: 'invalid_request_error',
      message: 'adaptive thinking is not supported on this model',
    };
    expect(await thinkingOf('claude-future', 'high', [{ status: 400, error }])).toEqual({
      output_config: { effort: 'high' },
    });
  });
});

test.each([
  ['anthropic', 'claude-haiku-4-5', { thinking: { type: 'enabled', budget_tokens: 1_024 } }],
  ['gemini', 'gemini-2.5-flash', { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } }],
] as const)(
  '%s gives %s a budget for an effort, and none where the settings say so',
  async (kind, name, asked) => {
    const server = await startServer(() => ({ body: bodyOf(kind, [{ text: 'Fine.' }]) }));
    const request = { ...plainRequest, sampling: { temperature: null, reasoning: 'medium' } } as const;
    await collect(adapterModel(kind, server, { name, maxOutputTokens: 4_096 }), request);
    await collect(adapterModel(kind, server, { name, maxOutputTokens: 4_096, efforts: [] }), request);
    const [first, second] = server.requests.map((body) => ({
      ...body,
      ...(body['generationConfig'] as object),
    }));
    expect(first).toMatchObject(asked);
    expect(JSON.stringify(second)).not.toMatch(/budget/i);
  },
);

test.each([
  ['low', 512],
  ['medium', 1_024],
  ['high', 2_048],
] as const)('a budget of Gemini leaves room for the answer (effort %s)', async (reasoning, budget) => {
  const server = await startServer([{ body: bodyOf('gemini', [{ text: 'Fine.' }]) }]);
  const model = adapterModel('gemini', server, { name: 'gemini-2.5-flash', maxOutputTokens: 4_096 });
  await collect(model, { ...plainRequest, sampling: { temperature: null, reasoning } });
  expect(server.requests[0]).toMatchObject({
    generationConfig: { maxOutputTokens: 4_096, thinkingConfig: { thinkingBudget: budget } },
  });
});
