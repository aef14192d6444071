import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { KyselyPlugin } from 'kysely';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import type { Message } from '../../src/domain/conversation/session.ts';
import type { TurnActivity } from '../../src/domain/conversation/turn-activity.ts';
import { createMessageNumbers } from '../../src/services/copilot/message-numbers.ts';
import { completed, text } from '../support/activities.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { ask, ended, startChat, viewer, type Chat } from '../support/chat.ts';
import { createTestApp } from '../support/create-test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { post } from '../support/graphql-client.ts';
import { until } from '@qpilot/test-support';

const RESULT = {
  data: {
    chip_id: 'demo-64',
    qid: '12',
    parameters: [
      {
        name: 't1',
        title: 'T1',
        value: 59.499861,
        unit: 'μs',
        error: 1.86,
        scale: 1,
        display_unit: 'μs',
        calibrated_at: '2026-05-18T23:22:29.695Z',
        task_id: 'task-12',
      },
    ],
  },
  formattedSummary: 'T1 of Q12 is 59.50 μs.',
  freshness: null,
  source: 'SNAPSHOT',
};

const lookedUp: readonly TurnActivity[] = [
  {
    type: 'tool-started',
    call: { callId: 'c1', tool: 'get_qubit_params', label: '', description: '', arguments: {}, round: 1 },
  },
  {
    type: 'tool-finished',
    call: {
      callId: 'c1',
      tool: 'get_qubit_params',
      status: 'OK',
      durationMs: 1,
      dataSource: 'SNAPSHOT',
      preview: '',
      freshness: null,
      resultJson: JSON.stringify(RESULT),
      error: null,
      visuals: [],
    },
  },
];

/** What is answered to each question. */
const ANSWERS: Readonly<Record<string, string>> = {
  'look up whether it is 70 μs': 'T1 of Q12 is 59.5 μs, not 70 μs. The fridge is at 12 mK.',
  'look it up': 'T1 of Q12 is 59.5 μs.',
  'look up its age': 'T1 of Q12 is 59.5 μs, measured 2 days ago.',
  again: 'As said, Q12 has a T1 of 59.5 μs.',
};

/** Calls the tool for questions that say so. */
const answerTurn: AnswerTurn = async ({ emit, question }) => {
  if (question.text.startsWith('look')) for (const activity of lookedUp) emit(activity);
  emit(text(ANSWERS[question.text] ?? ''));
  return completed;
};

describe('numbers of messages', () => {
  let database: TestDatabase;
  const open: Chat[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  afterEach(async () => {
    await Promise.all(open.splice(0).map((chat) => chat.stop()));
  });

  async function start(now = (): Date => new Date()): Promise<Chat> {
    const chat = await startChat(database.url, { answerTurn, now });
    open.push(chat);
    return chat;
  }

  /** A conversation of these questions, and its messages oldest first. */
  async function talk(chat: Chat, questions: readonly string[]): Promise<readonly Message[]> {
    let sessionId: string | null = null;
    for (const question of questions) {
      const { session, turn } = await chat.copilot.sendMessage(viewer, ask(question, { sessionId }));
      sessionId = session.id;
      await ended(chat, turn);
    }
    const { nodes } = await messagesOf(chat, sessionId ?? '');
    return nodes;
  }

  async function messagesOf({ copilot }: Chat, sessionId: string) {
    const page = await copilot.messages(viewer, sessionId, { first: 100 });
    return { nodes: page.items.map(({ item }) => item).toReversed() };
  }

  test('name call, record, unit and time, and say what has no source', async () => {
    const chat = await start();
    const messages = await talk(chat, ['look up whether it is 70 μs']);
    const numbers = createMessageNumbers({ db: chat.db, metrics: shippedMetrics });
    const [ofQuestion, ofAnswer] = await numbers.ofMessages(viewer, messages);
    expect(ofQuestion).toEqual([]);
    expect(ofAnswer).toEqual([
      {
        text: '59.5',
        offset: 13,
        status: 'SOURCED',
        callId: 'c1',
        recordId: 'task-12',
        unit: 'μs',
        measuredAt: new Date('2026-05-18T23:22:29.695Z'),
      },
      {
        text: '70',
        offset: 26,
        status: 'FROM_USER',
        callId: null,
        recordId: null,
        unit: 'μs',
        measuredAt: null,
      },
      expect.objectContaining({ text: '12', status: 'UNSOURCED', callId: null, unit: 'mK' }),
    ]);
  });

  test('are those of earlier results where the text says so, and of no other conversation', async () => {
    const chat = await start();
    const followed = await talk(chat, ['look it up', 'again']);
    const alone = await talk(chat, ['again']);
    const numbers = createMessageNumbers({ db: chat.db, metrics: shippedMetrics });
    const [, , , later] = await numbers.ofMessages(viewer, followed);
    expect(later).toMatchObject([{ status: 'SOURCED', callId: 'c1', recordId: 'task-12' }]);
    const [, unrelated] = await numbers.ofMessages(viewer, alone);
    expect(unrelated).toMatchObject([{ status: 'UNSOURCED' }]);
  });

  test('that are ages are judged by the clock of the app when it answered', async () => {
    let now = new Date('2026-05-21T00:00:00Z');
    const chat = await start(() => now);
    const statusOfAge = async (messages: readonly Message[]) => {
      const app = { db: chat.db, metrics: shippedMetrics };
      const [, numbers = []] = await createMessageNumbers(app).ofMessages(viewer, messages);
      return numbers.find(({ text }) => text === '2')?.status;
    };
    const soon = await talk(chat, ['look up its age']);
    now = new Date('2026-06-21T00:00:00Z');
    const late = await talk(chat, ['look up its age']);
    expect(await statusOfAge(soon)).toBe('DERIVED'); // whenever it is read
    expect(await statusOfAge(late)).toBe('UNSOURCED');
  });

  test('take two statements for a page of messages, and none when they are read again', async () => {
    const chat = await start();
    const messages = await talk(
      chat,
      Array.from({ length: 5 }, () => 'look it up'),
    );
    let statements = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const numbers = createMessageNumbers({
      db: chat.db.withPlugin(counting),
      metrics: shippedMetrics,
    });
    const first = await numbers.ofMessages(viewer, messages);
    expect(first.flat().map(({ status }) => status)).toEqual(Array(5).fill('SOURCED'));
    expect(statements).toBe(2);
    expect(await numbers.ofMessages(viewer, messages)).toEqual(first);
    expect(statements).toBe(2);
  });
});

test('GraphQL shows them beside each message', async () => {
  const app = await createTestApp({ answerTurn });
  try {
    const sent = await post(
      app.url,
      `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { ... on SendMessagePayload { session { id } } } }`,
      { variables: { input: { content: 'look it up', clientMessageId: randomUUID() } } },
    );
    const { session } = Object.values(sent.data!)[0] as { session: { id: string } };
    const query = `query ($id: ID!) { copilotSession(id: $id) { messages(first: 100) { nodes { role numbers
      { text offset status callId recordId unit measuredAt } } } } }`;
    const answer = await until(async () => {
      const { data, errors } = await post(app.url, query, { variables: { id: session.id } });
      expect(errors).toEqual([]);
      const { messages } = (
        data as { copilotSession: { messages: { nodes: { role: string; numbers: unknown }[] } } }
      ).copilotSession;
      return messages.nodes.find(({ role }) => role === 'ASSISTANT') ?? null;
    });
    expect(answer.numbers).toEqual([
      {
        text: '59.5',
        offset: 13,
        status: 'SOURCED',
        callId: 'c1',
        recordId: 'task-12',
        unit: 'μs',
        measuredAt: '2026-05-18T23:22:29.695Z',
      },
    ]);
  } finally {
    await app.stop();
  }
});
