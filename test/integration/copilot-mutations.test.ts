/** Edits, disputes, ratings, titles and deletions over HTTP, by their owner and by somebody in another project. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { encodeNodeId } from '../../schema/node-ids.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { completed, text } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { forgetMinute } from '../support/forget-minute.ts';
import { post, sse } from '../support/graphql-client.ts';
import { until } from '@qpilot/test-support';
import { subscribe } from '../support/websocket-client.ts';

const SENT = `__typename ... on SendMessagePayload { session { id } turn { id status parent { id } siblings { id }
  disputed { id } question { text } } question: message { id text } lastSeq }
  ... on SessionBusyError { turn { id } }`;
const ERROR = '... on UserError { code message } ... on InvalidInputError { issues { path } }';
const field = (name: string, type: string, selection: string): string =>
  `mutation ($input: ${type}!) { outcome: ${name}(input: $input) { ${selection} ${ERROR} } }`;
const SEND = field('sendMessage', 'SendMessageInput', SENT);
const EDIT = field('editMessage', 'EditMessageInput', SENT);
const DISPUTE = field('disputeMessage', 'DisputeMessageInput', SENT);
const RATE = field(
  'rateMessage',
  'RateMessageInput',
  '__typename ... on RateMessagePayload { answer { id rating { rating kind comment correctedAnswer ratedAt } } }',
);
const RENAME = field(
  'renameCopilotSession',
  'RenameCopilotSessionInput',
  '__typename ... on RenameCopilotSessionPayload { session { id title } }',
);
const DELETE = field(
  'deleteCopilotSession',
  'DeleteCopilotSessionInput',
  '__typename ... on DeleteCopilotSessionPayload { deletedSessionId }',
);

type Node = { readonly id: string };
type Outcome = {
  readonly __typename: string;
  readonly session: Node;
  readonly turn: Node & { readonly status: string };
  readonly question: Node;
};

let app: TestApp;
let database: TestDatabase;
/** Turns whose question says `wait` run until they are cancelled. */
const answerTurn: AnswerTurn = async ({ question, emit, signal }) => {
  emit(text(`re: ${question.text}`));
  if (question.text === 'wait') await new Promise((_, reject) => signal.addEventListener('abort', reject));
  return completed;
};
beforeAll(async () => {
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.url };
  app = await createTestApp({ answerTurn, projects: ['other'], env });
});
beforeEach(() => forgetMinute(database.url));
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const inDemo = { 'x-project-id': 'demo' };
const inOther = { 'x-project-id': 'other' };

async function run(mutation: string, input: object, headers = inDemo): Promise<Outcome> {
  const { data, errors } = await post(app.url, mutation, { variables: { input }, headers });
  expect(errors).toEqual([]);
  return (data as { outcome: Outcome }).outcome;
}

const newId = () => ({ clientMessageId: randomUUID() });

async function read<Data>(query: string, id: string, headers = inDemo): Promise<Data> {
  const { data, errors } = await post(app.url, query, { variables: { id }, headers });
  expect(errors).toEqual([]);
  return data as Data;
}

type Answered = { readonly node: { readonly status: string; readonly message: Node | null } };

/** The answer to a turn. */
const answerOf = ({ turn }: Outcome): Promise<Node> =>
  until(async () => {
    const query = 'query ($id: ID!) { node(id: $id) { ... on Turn { status message { id } } } }';
    return (await read<Answered>(query, turn.id)).node.message;
  });

/** A question that was answered. */
async function converse() {
  const sent = await run(SEND, { content: 'one', ...newId() });
  return { sent, answer: await answerOf(sent) };
}

type Messages = {
  readonly copilotSession: {
    readonly title: string;
    readonly messages: { readonly nodes: readonly { readonly text: string }[] };
  } | null;
};
const MESSAGES = `query ($id: ID!) { copilotSession(id: $id) { title messages { nodes { text } } } }`;

describe('their owner', () => {
  test('edits a message: a branch beside it, the same on every retry', async () => {
    const { sent } = await converse();
    const input = { messageId: sent.question.id, content: 'better', ...newId() };
    const [edited, again] = await Promise.all([run(EDIT, input), run(EDIT, input)]);
    expect(edited).toMatchObject({
      session: { id: sent.session.id },
      turn: { parent: null, disputed: null, question: { text: 'better' } },
    });
    expect(again.turn.id).toBe(edited.turn.id);
    await answerOf(edited);
    const { copilotSession } = await read<Messages>(MESSAGES, sent.session.id);
    expect(copilotSession?.messages.nodes.map((each) => each.text)).toEqual(['re: better', 'better']);
    const old = `query ($id: ID!) { copilotSession(id: $id) { title messages(throughTurnId: "${sent.turn.id}") { nodes { text } } } }`;
    const before = await read<Messages>(old, sent.session.id);
    expect(before.copilotSession?.messages.nodes.map((each) => each.text)).toEqual(['re: one', 'one']);
    const siblings = 'query ($id: ID!) { node(id: $id) { ... on Turn { siblings { id } } } }';
    expect(await read(siblings, sent.turn.id)).toEqual({
      node: { siblings: [{ id: sent.turn.id }, { id: edited.turn.id }] },
    });
    expect(await run(EDIT, { ...input, content: 'best' })).toMatchObject({ __typename: 'ConflictError' });
  });

  test('disputes an answer: a turn that names it, with the note as the message', async () => {
    const { sent, answer } = await converse();
    const noted = await run(DISPUTE, { messageId: answer.id, note: ' 87 μs? ', ...newId() });
    expect(noted).toMatchObject({
      question: { text: '87 μs?' },
      turn: { parent: { id: sent.turn.id }, disputed: { id: answer.id } },
    });
    await answerOf(noted);
    const plain = await run(DISPUTE, { messageId: answer.id, ...newId() });
    expect(plain).toMatchObject({ question: { text: 'These numbers look wrong. Please check them.' } });
    await answerOf(plain);
  });

  test('is told of a busy session which turn is in the way', async () => {
    const { sent, answer } = await converse();
    const waiting = await run(SEND, { content: 'wait', sessionId: sent.session.id, ...newId() });
    const busy = { __typename: 'SessionBusyError', turn: { id: waiting.turn.id } };
    expect(await run(EDIT, { messageId: sent.question.id, content: 'x', ...newId() })).toMatchObject(busy);
    expect(await run(DISPUTE, { messageId: answer.id, ...newId() })).toMatchObject(busy);
    await run(DELETE, { sessionId: sent.session.id });
  });

  test('rates an answer, again, and reads the rating with it', async () => {
    const { answer } = await converse();
    await run(RATE, { messageId: answer.id, rating: 1 });
    const given = { rating: 4, kind: 'INCOMPLETE', comment: 'no error', correctedAnswer: '87 ± 2' };
    const rated = await run(RATE, { messageId: answer.id, ...given });
    expect(rated).toMatchObject({ answer: { id: answer.id, rating: given } });
    const query = 'query ($id: ID!) { node(id: $id) { ... on Message { rating { rating kind comment } } } }';
    expect(await read(query, answer.id)).toMatchObject({
      node: { rating: { rating: 4, kind: 'INCOMPLETE' } },
    });
  });

  test('renames a conversation', async () => {
    const { sent } = await converse();
    const renamed = await run(RENAME, { sessionId: sent.session.id, title: ' Q07 ' });
    expect(renamed).toMatchObject({ session: { id: sent.session.id, title: 'Q07' } });
  });

  test.each([
    ['over a WebSocket', subscribe, { projectId: 'demo' }],
    ['over server-sent events', sse, inDemo],
  ])(
    'deletes a conversation whose turn runs; whoever follows it %s sees the end',
    async (_how, transport, project) => {
      const sent = await run(SEND, { content: 'wait', ...newId() });
      const query = `subscription ($sessionId: ID!) { copilotEvents(sessionId: $sessionId) { __typename
      ... on TurnFinishedEvent { status } } }`;
      const events: unknown[] = [];
      const seenFirst = Promise.withResolvers<void>();
      const reading = (async () => {
        for await (const { data } of transport(
          app.url,
          query,
          { sessionId: sent.session.id },
          { ...project },
        )) {
          events.push(data?.['copilotEvents']);
          seenFirst.resolve();
        }
      })();
      await seenFirst.promise;
      const input = { sessionId: sent.session.id };
      expect(await run(DELETE, input)).toEqual({
        __typename: 'DeleteCopilotSessionPayload',
        deletedSessionId: sent.session.id,
      });
      await reading;
      expect(events.at(-1)).toEqual({ __typename: 'TurnFinishedEvent', status: 'CANCELLED' });
      expect(await run(DELETE, input)).toMatchObject({ deletedSessionId: sent.session.id });
      expect(await read(MESSAGES, sent.session.id)).toEqual({ copilotSession: null });
      for (const id of [sent.session.id, sent.turn.id, sent.question.id]) {
        expect(await read('query ($id: ID!) { node(id: $id) { id } }', id)).toEqual({ node: null });
      }
    },
  );

  test.each([
    ['an answer to be edited', EDIT, { content: 'x' }, 'answer', 'messageId'],
    ['a question to be disputed', DISPUTE, {}, 'question', 'messageId'],
    ['a question to be rated', RATE, { rating: 1 }, 'question', 'messageId'],
    ['a rating of 6', RATE, { rating: 6 }, 'answer', 'rating'],
    ['an edit to nothing', EDIT, { content: ' ' }, 'question', 'content'],
    ['a blank note', DISPUTE, { note: ' ' }, 'answer', 'note'],
  ] as const)('is told what is wrong with %s', async (_what, mutation, more, which, path) => {
    const { sent, answer } = await converse();
    const messageId = which === 'answer' ? answer.id : sent.question.id;
    const input = mutation === RATE ? { messageId, ...more } : { messageId, ...newId(), ...more };
    expect(await run(mutation, input)).toMatchObject({
      __typename: 'InvalidInputError',
      issues: [{ path: ['input', path] }],
    });
  });
});

describe('somebody in another project', () => {
  test('finds none of it, by real ids, unknown ids and ids of other things', async () => {
    const { sent, answer } = await converse();
    const attempts = (sessionId: string, questionId: string, answerId: string) => [
      run(EDIT, { messageId: questionId, content: 'x', ...newId() }, inOther),
      run(DISPUTE, { messageId: answerId, ...newId() }, inOther),
      run(RATE, { messageId: answerId, rating: 1 }, inOther),
      run(RENAME, { sessionId, title: 'mine' }, inOther),
      run(DELETE, { sessionId }, inOther),
    ];
    const typesOf = async (outcomes: readonly Promise<Outcome>[]) =>
      (await Promise.all(outcomes)).map(({ __typename }) => __typename);
    const notFound = Array(5).fill('NotFoundError');
    expect(await typesOf(attempts(sent.session.id, sent.question.id, answer.id))).toEqual(notFound);
    const message = encodeNodeId('Message', randomUUID());
    const unknown = attempts(encodeNodeId('CopilotSession', randomUUID()), message, message);
    expect(await typesOf(unknown)).toEqual(notFound);
    const wrong = attempts(sent.turn.id, sent.turn.id, sent.session.id);
    expect(await typesOf(wrong)).toEqual(Array(5).fill('InvalidInputError'));
    const { copilotSession } = await read<Messages>(MESSAGES, sent.session.id);
    expect(copilotSession).toMatchObject({ title: 'one', messages: { nodes: [{}, {}] } });
  });
});
