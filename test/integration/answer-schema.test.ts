/** Answers for programs, through the whole program: JSON documents that satisfy a schema, of real model servers. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { argumentsOf } from '../support/tool-bench.ts';
import { bodyOf, type Said, type SaidEnd } from '../support/wire-bodies.ts';

const SENT = `__typename ... on SendMessagePayload { session { id } turn { id answerSchema } message { id } }
  ... on UserError { reason: message } ... on InvalidInputError { issues { path message } }`;
const SEND = `mutation ($input: SendMessageInput!) { sent: sendMessage(input: $input) { ${SENT} } }`;
const RETRY = `mutation ($input: RetryTurnInput!) { sent: retryTurn(input: $input) { ${SENT} } }`;
const EDIT = `mutation ($input: EditMessageInput!) { sent: editMessage(input: $input) { ${SENT} } }`;
const TURN = `query ($id: ID!) { node(id: $id) { ... on Turn {
  status answerSchema rounds message { text json blocks { __typename } } question { json } error { code message retryable } } } }`;

type Sent = {
  readonly __typename: string;
  readonly session: { readonly id: string };
  readonly turn: { readonly id: string };
  readonly message: { readonly id: string };
  readonly reason: string;
  readonly issues: readonly { readonly path: readonly string[]; readonly message: string }[];
};

const SCHEMA = {
  type: 'object',
  properties: {
    median: { type: 'number', minimum: 0 },
    note: { anyOf: [{ $ref: '#/$defs/line' }, { type: 'null' }] },
  },
  required: ['median', 'note'],
  additionalProperties: false,
  $defs: { line: { type: 'string', maxLength: 80 } },
};
const ANSWER = { median: 52.5, note: null };
const FITS: readonly Said[] = [{ text: JSON.stringify(ANSWER) }];
const FENCED: readonly Said[] = [
  { text: '```json\n' },
  { text: `${JSON.stringify(ANSWER, null, 2)}\n\`\`\`\n` },
];
const WRONG: readonly Said[] = [{ text: '{"median": "52.5 us",\n' }, { text: '"note": null}' }];
const PROSE: readonly Said[] = [{ text: 'The median is 52.5 us.' }];
const CALL: readonly Said[] = [
  { text: 'Let me look. ' },
  { call: ['call_1', 'get_chip_summary', JSON.stringify(argumentsOf('get_chip_summary', {}))] },
];

/** Sends and asks for the end of turns. */
const clientOf = (app: () => TestApp) => {
  const ask = async (query: string, input: object): Promise<Sent> => {
    const variables = { input: { clientMessageId: randomUUID(), ...input } };
    const { data, errors } = await post(app().url, query, { variables });
    expect(errors).toEqual([]);
    return data?.['sent'] as Sent;
  };
  const send = (more: object = {}) =>
    ask(SEND, { content: 'Median T1?', chipId: 'demo-64', answerSchema: SCHEMA, ...more });
  const ended = async ({ turn }: Sent): Promise<Record<string, unknown>> => {
    const read = async () =>
      (await post(app().url, TURN, { variables: { id: turn.id } })).data?.['node'] as Record<string, unknown>;
    await until(async () => !['QUEUED', 'RUNNING'].includes(String((await read())['status'])), {
      what: 'the end of the turn',
    });
    return read();
  };
  return { ask, send, ended };
};

describe.each(['responses', 'chat', 'anthropic'] as const)('an answer for a program (%s)', (kind) => {
  let server: ModelServer;
  let app: TestApp;
  let script: (readonly Said[])[] = [];
  let end: SaidEnd = 'end';
  let from = 0;
  beforeAll(async () => {
    server = await startModelServer(() => ({ body: bodyOf(kind, script.shift() ?? [], end) }));
    const env =
      kind === 'anthropic'
        ? { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.baseUrl.replace(/\/v1$/u, '') }
        : { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: server.baseUrl, OPENAI_API: kind };
    app = await createTestApp({ demo: true, env });
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await server?.close();
  });
  afterEach(() => {
    expect(script).toEqual([]);
    from = server.requests.length;
    end = 'end';
  });
  const { ask, send, ended } = clientOf(() => app);
  const requests = () => server.requests.slice(from);
  const failed = { status: 'FAILED', error: { code: 'ANSWER_SCHEMA_MISMATCH', retryable: true } };

  test('is the document alone, whatever the model said around its calls', async () => {
    script = [CALL, FENCED];
    const turn = await ended(await send());
    expect(turn).toMatchObject({
      status: 'COMPLETED',
      answerSchema: SCHEMA,
      rounds: 2,
      message: { text: JSON.stringify(ANSWER, null, 2), json: ANSWER },
      question: { json: null },
      error: null,
    });
    for (const request of requests()) {
      const text = JSON.stringify(request);
      expect(text).toContain('one JSON document that satisfies the JSON schema below');
      const format = kind === 'responses' ? request['text'] : request['response_format'];
      if (kind === 'anthropic') expect(format).toBeUndefined();
      else expect(JSON.stringify(format)).toMatch(/"strict":false.*"maxLength":80/u);
      expect(text).not.toContain('$ref');
    }
  });

  test('leaves the instructions of a conversation and its earlier messages as they are', async () => {
    script = [PROSE, FITS, PROSE];
    const first = await send({ answerSchema: null });
    expect(await ended(first)).toMatchObject({ answerSchema: null, message: { json: null } });
    const sessionId = first.session.id;
    await ended(await send({ sessionId }));
    const third = await ended(await send({ sessionId, answerSchema: null }));
    expect(third).toMatchObject({ message: { text: 'The median is 52.5 us.', json: null } });
    const prefixes = requests().map(({ instructions, system, messages, tools }) =>
      JSON.stringify([instructions, system, kind === 'chat' ? (messages as unknown[])[0] : null, tools]),
    );
    expect(new Set(prefixes).size).toBe(1);
    expect(prefixes[0]).not.toContain('satisfies the JSON schema');
  });

  test('is asked for once more with what does not fit', async () => {
    script = [WRONG, FITS];
    const turn = await ended(await send());
    expect(turn).toMatchObject({
      status: 'COMPLETED',
      rounds: 2,
      message: { text: JSON.stringify(ANSWER), json: ANSWER },
    });
    const [, second] = requests();
    expect(JSON.stringify(second)).toContain('Your answer does not satisfy the JSON schema: #/median: ');
    expect(JSON.stringify(second)).toContain('52.5 us');
  });

  test('that never fits fails and keeps its text; a retry asks for the same', async () => {
    script = [WRONG, PROSE];
    const sent = await send();
    const turn = await ended(sent);
    expect(turn).toMatchObject({ ...failed, message: { text: 'The median is 52.5 us.', json: null } });
    expect(turn['error']).toHaveProperty('message', expect.stringMatching(/answerSchema: it is not JSON/u));
    expect(requests()).toHaveLength(2);

    script = [FITS, FITS];
    const again = await ended(await ask(RETRY, { turnId: sent.turn.id }));
    expect(again).toMatchObject({ status: 'COMPLETED', answerSchema: SCHEMA, message: { json: ANSWER } });
    const edit = await ask(EDIT, { messageId: sent.message.id, content: 'Median T1 of all?' });
    expect(await ended(edit)).toMatchObject({ answerSchema: SCHEMA, message: { json: ANSWER } });
  });

  test('that was refused or cut off is none, and is not asked for again', async () => {
    script = [[{ refusal: 'I will not.' }]];
    expect(await ended(await send())).toMatchObject({
      ...failed,
      message: { text: 'I will not.', json: null },
    });
    script = [[{ text: '{"median": 5' }]];
    end = 'length';
    const cut = await ended(await send());
    expect(cut).toMatchObject({ ...failed, message: { text: '{"median": 5', json: null } });
    expect(cut['error']).toHaveProperty('message', expect.stringContaining('output limit'));
    expect(requests()).toHaveLength(2);
  });

  test('of no words at all is an empty answer', async () => {
    script = [[], []];
    expect(await ended(await send())).toMatchObject({
      status: 'FAILED',
      message: null,
      error: { code: 'EMPTY_ANSWER' },
    });
  });

  test('may be of any type: the provider is sent the schema of objects only', async () => {
    script = [[{ text: '[1, 2]' }]];
    const turn = await ended(await send({ answerSchema: { type: 'array', items: { type: 'integer' } } }));
    expect(turn).toMatchObject({ status: 'COMPLETED', message: { json: [1, 2] } });
    expect(requests()[0]).not.toHaveProperty('response_format');
    expect(JSON.stringify(requests()[0]?.['text'] ?? null)).not.toContain('json_schema');
  });

  test('is the same for the same client id, and no other', async () => {
    script = [FITS];
    const clientMessageId = randomUUID();
    const first = await send({ clientMessageId });
    expect((await send({ clientMessageId })).turn.id).toBe(first.turn.id);
    const other = await send({ clientMessageId, answerSchema: { type: 'object' } });
    expect(other.__typename).toBe('ConflictError');
    await ended(first);
  });

  test('needs a schema that is one, a model that writes it and a turn of its own', async () => {
    const problem = async (more: object) => {
      const { issues } = await send(more);
      expect(issues).toEqual([{ path: ['input', 'answerSchema'], message: expect.any(String) }]);
      return issues[0]?.message;
    };
    expect(await problem({ answerSchema: { type: 'thing' } })).toMatch(/^#\/type: /u);
    expect(await problem({ answerSchema: { $ref: 'https://example.com/s' } })).toMatch(/^#: \$ref must be/u);
    expect(await problem({ whenBusy: 'STEER' })).toMatch(/use whenBusy QUEUE$/u);
    expect(await problem({ model: 'offline-analyst' })).toMatch(
      /^offline-analyst answers in words only; choose one of \S+.* as model, or leave answerSchema out$/u,
    );
    script = [FITS];
    const sent = await send();
    await ended(sent);
    const retried = await ask(RETRY, { turnId: sent.turn.id, model: 'offline-analyst' });
    expect(retried.issues[0]?.path).toEqual(['input', 'answerSchema']);
    expect(requests()).toHaveLength(1);
  });
});

describe('a server without a language model', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ demo: true });
  }, 120_000);
  afterAll(() => app?.stop());
  const { send } = clientOf(() => app);

  test('says before anything is stored that it writes no documents', async () => {
    expect((await send()).issues).toEqual([
      {
        path: ['input', 'answerSchema'],
        message:
          'offline-analyst answers in words only; this server has no language model; leave answerSchema out',
      },
    ]);
    const { data } = await post(app.url, '{ copilotSessions(first: 5) { edges { node { id } } } }');
    expect(data).toEqual({ copilotSessions: { edges: [] } });
  });
});
