/** What was spent, as clients read it: of a turn, of a conversation, of the viewer's day. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Usage } from '../../src/domain/conversation/session.ts';
import { completed } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { until } from '@qpilot/test-support';

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { session { id } turn { id } } ... on UserError { message } } }`;
const READ = `query ($session: ID!, $turn: ID!) {
  turn: node(id: $turn) { ... on Turn { finishedAt usage { totalTokens costUsd estimated } } }
  copilotSession(id: $session) { usage { inputTokens outputTokens cachedTokens totalTokens costUsd } }
  viewer { usage { today { totalTokens costUsd } tokensPerDay tokensPerSession messagesPerMinute turnsAtOnce } } }`;

type Sent = { readonly sendMessage: { readonly session: { id: string }; readonly turn: { id: string } } };
type Read = {
  readonly turn: { readonly finishedAt: string | null; readonly usage: unknown };
  readonly copilotSession: { readonly usage: unknown };
  readonly viewer: { readonly usage: { readonly today: unknown } };
};

const next: (Usage | null)[] = [];
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ answerTurn: async () => ({ ...completed, usage: next.shift() ?? null }) });
});
afterAll(() => app.stop());

const usage = (costUsd: number | null, tokens = 50): Usage => ({
  inputTokens: tokens * 2,
  outputTokens: tokens,
  cachedTokens: 5,
  totalTokens: tokens * 3,
  model: 'm',
  costUsd,
});

async function spend(spent: Usage | null, sessionId: string | null = null): Promise<Read & { id: string }> {
  next.push(spent);
  const input = { sessionId, content: 'hi', clientMessageId: crypto.randomUUID() };
  const { session, turn } = ((await post(app.url, SEND, { variables: { input } })).data as Sent).sendMessage;
  const read = async () => {
    const { data, errors } = await post(app.url, READ, { variables: { session: session.id, turn: turn.id } });
    expect(errors).toEqual([]);
    return data as Read;
  };
  // The parts of an operation are read side by side, so the sums are those of the next one.
  await until(async () => (await read()).turn.finishedAt !== null, { what: 'the turn to end' });
  return { ...(await read()), id: session.id };
}

test('sums count what turns reported, with their cost while every model has a price', async () => {
  const first = await spend(usage(0.25));
  expect(first.turn.usage).toEqual({ totalTokens: 150, costUsd: 0.25, estimated: false });
  const second = await spend(usage(0.5), first.id);
  expect(second.copilotSession.usage).toEqual({
    inputTokens: 200,
    outputTokens: 100,
    cachedTokens: 10,
    totalTokens: 300,
    costUsd: 0.75,
  });

  const apart = await spend(usage(0.125));
  expect(apart.copilotSession.usage).toMatchObject({ totalTokens: 150, costUsd: 0.125 });
  expect(apart.viewer.usage).toEqual({
    today: { totalTokens: 450, costUsd: 0.875 },
    tokensPerDay: 2_000_000,
    tokensPerSession: 1_000_000,
    messagesPerMinute: 20,
    turnsAtOnce: 4,
  });

  // An answer without tokens, such as the offline analyst's, leaves the cost known; one without a price does not.
  const free = await spend(usage(null, 0), apart.id);
  expect(free.copilotSession.usage).toMatchObject({ totalTokens: 150, costUsd: 0.125 });
  const unpriced = await spend({ ...usage(null), estimated: true }, apart.id);
  expect(unpriced.turn.usage).toEqual({ totalTokens: 150, costUsd: null, estimated: true });
  expect(unpriced.copilotSession.usage).toMatchObject({ totalTokens: 300, costUsd: null });
  expect(unpriced.viewer.usage.today).toEqual({ totalTokens: 600, costUsd: null });

  await app.restart();
  expect((await spend(null, first.id)).copilotSession.usage).toMatchObject({
    totalTokens: 300,
    costUsd: 0.75,
  });
});
