/** The AI SDK's own chat, as `useChat` has it, on our stream. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AbstractChat, DefaultChatTransport, type ChatState } from 'ai';
import { until } from '@qpilot/test-support';
import type { ChatMessage } from '../../src/protocols/chat/ai-sdk.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { bodyOf } from '../support/wire-bodies.ts';

const QUESTION = 'Which five qubits have the shortest T1?';

/** A chat without a page: what the hooks of frameworks keep for it. */
class Chat extends AbstractChat<ChatMessage> {
  constructor(url: string, id: string, messages: ChatMessage[] = [], model: string | null = null) {
    const state: ChatState<ChatMessage> = {
      status: 'ready',
      error: undefined,
      messages,
      pushMessage: (message) => void (state.messages = [...state.messages, message]),
      popMessage: () => void (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (index, message) => void (state.messages = state.messages.with(index, message)),
      snapshot: (thing) => structuredClone(thing),
    };
    super({ id, state, transport: new DefaultChatTransport({ api: `${url}/ai-sdk/chat`, body: { model } }) });
  }
}

const textOf = (message: ChatMessage | undefined): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
const typesOf = (message: ChatMessage | undefined): readonly string[] =>
  message?.parts.map(({ type }) => type) ?? [];

let it: TestApp;
let model: ModelServer;
let next: Reply;
beforeAll(async () => {
  model = await startModelServer(() => next);
  const env = {
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API: 'responses',
    COPILOT_MODEL: 'offline-analyst',
  };
  it = await createTestApp({ demo: true, env });
});
afterAll(async () => {
  await it?.stop();
  await model?.close();
});

type Turns = readonly { readonly text: string; readonly statuses: readonly string[] }[];

/** The conversations, newest first, with the statuses of their turns. */
async function conversations(): Promise<Turns> {
  const query =
    '{ copilotSessions(first: 20) { edges { node { title turns(first: 20) { edges { node { status } } } } } } }';
  const { data } = await post(it.url, query);
  const { copilotSessions } = data as {
    copilotSessions: {
      edges: { node: { title: string; turns: { edges: { node: { status: string } }[] } } }[];
    };
  };
  return copilotSessions.edges.map(({ node }) => ({
    text: node.title,
    statuses: node.turns.edges.map((edge) => edge.node.status),
  }));
}

test('an answer has its words, calls, chart and sources; the next question is in the same conversation', async () => {
  const chat = new Chat(it.url, 'chat-1');
  await chat.sendMessage({ text: QUESTION });
  const answer = chat.lastMessage;
  expect([chat.status, chat.error]).toEqual(['ready', undefined]);
  expect(textOf(answer)).toMatch(/Q\d+/u);
  expect(typesOf(answer)).toEqual(
    expect.arrayContaining(['text', 'dynamic-tool', 'data-chart', 'data-numbers']),
  );
  expect(answer?.metadata).toMatchObject({
    status: 'COMPLETED',
    link: expect.stringContaining('/projects/demo/copilot/'),
  });
  expect(answer?.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
    state: 'output-available',
    output: { preview: expect.any(String) },
  });
  await chat.sendMessage({ text: 'And the longest?' });
  expect((await conversations()).map(({ statuses }) => statuses)).toEqual([['COMPLETED', 'COMPLETED']]);
});

test('an answer can be made anew, and a question edited', async () => {
  const chat = new Chat(it.url, 'chat-2');
  await chat.sendMessage({ text: QUESTION });
  const first = chat.lastMessage?.id;
  await chat.regenerate();
  expect([chat.messages.length, chat.lastMessage?.id === first]).toEqual([2, false]);
  const asked = chat.messages[0];
  await chat.sendMessage({ text: 'Which qubit has the longest T1?', ...(asked && { messageId: asked.id }) });
  expect(chat.messages.length).toBe(2);
  expect((await conversations()).length).toBe(2); // no conversation of its own
});

test('a page that was closed in mid-answer gets all of it when it is opened again; then there is nothing to resume', async () => {
  const body = bodyOf('responses', [{ text: 'one two three four five six seven eight nine ten' }]);
  let goOn: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  async function* slowly() {
    yield body.slice(0, Math.floor(body.length * 0.6));
    await wait;
    yield body.slice(Math.floor(body.length * 0.6));
  }
  next = { pieces: slowly };
  const closed = new Chat(it.url, 'chat-3', [], 'gpt-4.1');
  const asked = closed.sendMessage({ text: 'count' });
  await until(() => textOf(closed.lastMessage).startsWith('one'), { what: 'the first words' });
  await closed.stop();
  await asked;
  const opened = new Chat(it.url, 'chat-3', structuredClone(closed.messages));
  const resumed = opened.resumeStream();
  await until(() => opened.status === 'streaming', { what: 'the stream' });
  goOn();
  await resumed;
  expect(textOf(opened.lastMessage)).toBe('one two three four five six seven eight nine ten');
  expect(opened.messages.length).toBe(2);
  const { status } = await send(`${it.url}/ai-sdk/chat/chat-3/stream`, { headers: {} });
  expect(status).toBe(204);
  expect((await send(`${it.url}/ai-sdk/chat/never/stream`, { headers: {} })).status).toBe(204);
});

test('a second question while the first is answered takes its place; DELETE stops what runs', async () => {
  const body = bodyOf('responses', [{ text: 'and on and on and on and on and on and on and on' }]);
  next = { body, cut: { at: Math.floor(body.length * 0.6), how: 'stall' } };
  const chat = new Chat(it.url, 'chat-4', [], 'gpt-4.1');
  for (const [text, length] of [
    ['first', 2],
    ['second', 4],
  ] as const) {
    const asked = chat.sendMessage({ text });
    const isAnswered = () => chat.messages.length === length && textOf(chat.lastMessage).startsWith('and');
    await until(isAnswered, { what: `words for ${text}` });
    await chat.stop();
    await asked;
  }
  const { statuses } = (await conversations())[0] ?? { statuses: [] };
  expect([...statuses].sort()).toEqual(['CANCELLED', 'RUNNING']);
  expect((await send(`${it.url}/ai-sdk/chat/chat-4/stream`, { method: 'DELETE', headers: {} })).status).toBe(
    204,
  );
  expect((await conversations())[0]?.statuses).toEqual(['CANCELLED', 'CANCELLED']);
});

test('what a model takes back is said in words, and what holds is repeated', async () => {
  const body = bodyOf('responses', [{ text: 'one two three four five six seven eight nine ten' }]);
  const replies: Reply[] = [{ body, cut: { at: Math.floor(body.length * 0.6), how: 'break' } }, { body }];
  const spoiled = await startModelServer(replies);
  const app = await createTestApp({
    env: { OPENAI_BASE_URL: spoiled.baseUrl, OPENAI_API: 'responses', COPILOT_MODEL: 'any-model' },
  });
  try {
    const chat = new Chat(app.url, 'chat-5');
    await chat.sendMessage({ text: 'count' });
    const text = textOf(chat.lastMessage);
    const [, behind = ''] = text.split(/_The answer above was begun anew: [^_]+_\n\n/u);
    expect(behind).toBe('one two three four five six seven eight nine ten');
    expect(typesOf(chat.lastMessage)).toContain('data-taken-back');
  } finally {
    await app.stop();
    await spoiled.close();
  }
});

test('an error is in words, and so is a request that cannot be answered', async () => {
  next = { status: 401, error: { message: 'bad key', code: 'invalid_api_key' } };
  const failed = new Chat(it.url, 'chat-6', [], 'gpt-4.1');
  await failed.sendMessage({ text: 'x' });
  expect([failed.status, failed.error?.message]).toEqual(['error', expect.stringMatching(/^[A-Z_]+: \w/u)]);
  const unknown = new Chat(it.url, 'chat-7', [], 'no-such-model');
  await unknown.sendMessage({ text: 'x' });
  expect(unknown.error?.message).toContain('no-such-model');
  const address = { type: 'file', mediaType: 'image/png', url: 'https://pictures.example/a.png' } as const;
  const pictured = new Chat(it.url, 'chat-8');
  await pictured.sendMessage({ text: 'x', files: [address] });
  expect(pictured.error?.message).toContain('each image as data');
});
