/** Thinking of a real model server, through the whole program: streamed, stored, shown apart, never sent anywhere. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { frames, startModelServer, type ModelServer } from '../support/model-server.ts';
import { subscribe } from '../support/websocket-client.ts';

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const THOUGHT = 'The question is about the chip. I know the answer.';
const BODY = frames(
  ...(THOUGHT.match(/.{1,7}/gu) ?? []).map((reasoning_content) => chunk({ reasoning_content })),
  chunk({ content: 'The chip ' }),
  chunk({ content: 'is fine.' }),
  chunk({}, 'stop'),
);

const SEND = `mutation ($input: SendMessageInput!) {
  sendMessage(input: $input) { __typename ... on SendMessagePayload { session { id } turn { id effort } } ... on UserError { message } }
}`;
const RETRY = `mutation ($input: RetryTurnInput!) {
  retryTurn(input: $input) { ... on SendMessagePayload { turn { id effort } } }
}`;
const TURN = `query ($id: ID!) { node(id: $id) { ... on Turn {
  status effort message { text } thoughts { number kind text durationMs }
} } }`;
const EVENTS = `subscription ($id: ID!) { copilotEvents(sessionId: $id) {
  __typename ... on SequencedEvent { seq }
  ... on ThinkingEvent { thought kind text offset thoughtMs } ... on TokenEvent { text offset }
} }`;

type Sent = {
  readonly session: { readonly id: string };
  readonly turn: { readonly id: string; readonly effort: string | null };
};
type StoredTurn = {
  readonly status: string;
  readonly effort: string | null;
  readonly message: { readonly text: string };
  readonly thoughts: readonly {
    readonly number: number;
    readonly text: string;
    readonly durationMs: number;
  }[];
};

describe('A model that thinks aloud', () => {
  let server: ModelServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startModelServer(() => ({ body: BODY }), { models: () => ['o4-mini'] });
    app = await createTestApp({
      demo: true,
      env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API: 'chat' },
    });
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await server?.close();
  });

  const ask = async (query: string, input: object): Promise<Sent> => {
    const { data, errors } = await post(app.url, query, {
      variables: { input: { ...input, clientMessageId: randomUUID() } },
    });
    expect(errors).toEqual([]);
    const [sent] = Object.values(data ?? {});
    expect(sent).toHaveProperty('turn.id');
    return sent as Sent;
  };
  const finished = async (id: string): Promise<StoredTurn> => {
    const read = async () => (await post(app.url, TURN, { variables: { id } })).data?.['node'] as StoredTurn;
    await until(async () => (await read()).status === 'COMPLETED', { what: 'the answer' });
    return read();
  };

  test('its thoughts are events and fields of their own, and are sent to no one', async () => {
    const sent = await ask(SEND, { content: 'How is the chip?', model: 'o4-mini', effort: 'LOW' });
    const turn = await finished(sent.turn.id);
    expect(turn).toMatchObject({ effort: 'LOW', message: { text: 'The chip is fine.' } });
    expect(turn.thoughts).toEqual([
      { number: 1, kind: 'THOUGHT', text: THOUGHT, durationMs: expect.any(Number) },
    ]);
    expect(server.requests.at(-1)).toMatchObject({ reasoning_effort: 'low' });

    const events: Record<string, unknown>[] = [];
    for await (const { data } of subscribe(app.url, EVENTS, { id: sent.session.id })) {
      const event = (data as { copilotEvents: Record<string, unknown> }).copilotEvents;
      events.push(event);
      if (event['__typename'] === 'TurnFinishedEvent') break;
    }
    const told = events.filter(({ __typename }) => __typename === 'ThinkingEvent');
    expect(told.map(({ text }) => text).join('')).toBe(THOUGHT);
    let offset = 0;
    for (const event of told) {
      expect(event['offset']).toBe(offset);
      offset += String(event['text']).length;
    }
    const answer = events.filter(({ __typename }) => __typename === 'TokenEvent');
    expect(answer.map(({ text }) => text).join('')).toBe('The chip is fine.');

    await finished(
      (await ask(SEND, { content: 'And now?', model: 'o4-mini', sessionId: sent.session.id })).turn.id,
    );
    expect(JSON.stringify(server.requests.at(-1))).toContain('The chip is fine.');
    expect(JSON.stringify(server.requests.at(-1))).not.toContain(THOUGHT);
    expect(server.requests.at(-1)).not.toHaveProperty('reasoning_effort');
  });

  test('a retry thinks as hard as the turn that it repeats', async () => {
    const sent = await ask(SEND, { content: 'How is the chip?', model: 'o4-mini', effort: 'HIGH' });
    await finished(sent.turn.id);
    const again = await ask(RETRY, { turnId: sent.turn.id });
    expect(await finished(again.turn.id)).toMatchObject({ effort: 'HIGH' });
    expect(server.requests.at(-1)).toMatchObject({ reasoning_effort: 'high' });
  });
});
