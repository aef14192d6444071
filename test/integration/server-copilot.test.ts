import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { encodeNodeId } from '../../schema/node-ids.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { completed, tell, text } from '../support/activities.ts';
import { heldTurns } from '../support/chat.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { until } from '@qpilot/test-support';

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id title lastSeq } turn { id status } question: message { id text role } lastSeq }
  ... on UserError { code message } ... on InvalidInputError { issues { path message } }
  ... on SessionBusyError { turn { id status } } ... on RateLimitedError { retryAfterMs } } }`;
const CANCEL = `mutation ($input: CancelTurnInput!) { cancelTurn(input: $input) { __typename
  ... on CancelTurnPayload { turn { id status } lastSeq } ... on UserError { code message } } }`;
const RETRY = `mutation ($input: RetryTurnInput!) { retryTurn(input: $input) { __typename
  ... on SendMessagePayload { session { id } turn { id } question: message { text } lastSeq } ... on UserError { code message } } }`;

let app: TestApp;
afterEach(() => app.stop());

const start = async (answerTurn: AnswerTurn, options = {}) => {
  app = await createTestApp({ answerTurn, ...options });
};

/** What mutations answer with, as far as tests go on with it. */
type Outcome = {
  readonly __typename: string;
  readonly session: { readonly id: string };
  readonly turn: { readonly id: string; readonly status: string };
  readonly question: { readonly id: string };
  readonly lastSeq: number;
};
type Identified = { readonly id: string };
type AnsweredTurn = {
  readonly node: {
    readonly toolCalls: readonly Identified[];
    readonly message: Identified & {
      readonly blocks: readonly { readonly chart?: Identified; readonly table?: Identified }[];
    };
  };
};
type Sessions = {
  readonly copilotSession: {
    readonly messages: { readonly nodes: unknown; readonly pageInfo: { readonly endCursor: string } };
  } | null;
  readonly copilotSessions: { readonly nodes: unknown };
};
type TurnNode = {
  readonly node: { readonly status: string; readonly error: unknown; readonly message: unknown } | null;
};

/** Result of a mutation's one field, which must not fail. */
async function run(mutation: string, input: object, headers: Record<string, string> = {}): Promise<Outcome> {
  const { data, errors } = await post(app.url, mutation, { variables: { input }, headers });
  expect(errors).toEqual([]);
  return Object.values(data!)[0] as Outcome;
}

const send = (content: string, more: object = {}) =>
  run(SEND, { content, clientMessageId: randomUUID(), ...more });

/** Data of a query about one id. */
async function read<Data>(query: string, id: string, headers: Record<string, string> = {}): Promise<Data> {
  const { data, errors } = await post(app.url, query, { variables: { id }, headers });
  expect(errors).toEqual([]);
  return data as Data;
}

const TURN =
  'query ($id: ID!) { node(id: $id) { ... on Turn { status rounds startedAt finishedAt error { code } message { text } } } }';
const untilTurn = (id: string, status: string) =>
  until(async () => {
    const { node } = await read<TurnNode>(TURN, id);
    return node?.status === status ? node : null;
  });

describe('a message', () => {
  test('starts a session and a turn, and everything about them can be read afterwards', async () => {
    const chart = {
      type: 'chart' as const,
      title: 'T1',
      kind: 'HEATMAP' as const,
      data: [{ z: [[1]] }],
      layout: {},
    };
    const table = {
      type: 'table' as const,
      title: 'Ranking',
      columns: [{ key: 'qid', label: 'Qubit', unit: null, format: 'text' as const }],
      rows: [{ qid: '1' }, { qid: '2' }],
    };
    const call = {
      callId: 'c1',
      tool: 'get_chip_summary',
      label: 'Fetching',
      description: 'demo',
      arguments: { chip_id: 'x' },
      round: 1,
    };
    const freshness = {
      source: 'SNAPSHOT' as const,
      newestAt: new Date(1e12),
      oldestAt: new Date(1e12),
      staleAfterSeconds: 60,
    };
    const ended = {
      callId: 'c1',
      tool: 'get_chip_summary',
      status: 'OK' as const,
      durationMs: 12,
      dataSource: 'SNAPSHOT' as const,
      preview: 'two qubits',
      freshness,
      resultJson: '{"data":[1]}',
      error: null,
      visuals: [chart, table],
    };
    await start(
      tell(
        text('Look: '),
        { type: 'tool-started', call },
        { type: 'tool-finished', call: ended },
        text('done.'),
      ),
    );
    const sent = await send('How is T1?');
    expect(sent).toMatchObject({
      __typename: 'SendMessagePayload',
      session: { title: 'How is T1?' },
      question: { text: 'How is T1?', role: 'USER' },
      lastSeq: 0,
    });
    await untilTurn(sent.turn.id, 'COMPLETED');

    const { node } = await read<AnsweredTurn>(
      `query ($id: ID!) { node(id: $id) { ... on Turn { status toolCalls { id callId tool label description arguments status durationMs dataSource preview result freshness { source isStale } error { code } }
        message { id role text model freshness { source isStale } blocks { __typename
          ... on TextBlock { text } ... on ChartBlock { chart { id title kind data } } ... on TableBlock { table { id title rows rowCount columns { key label unit format } } } } } } } }`,
      sent.turn.id,
    );
    expect(node.toolCalls).toMatchObject(
      [
        {
          ...call,
          round: undefined,
          status: 'OK',
          durationMs: 12,
          result: { data: [1] },
          freshness: { isStale: true },
        },
      ].map(({ round: _round, ...rest }) => rest),
    );
    expect(node.message).toMatchObject({
      role: 'ASSISTANT',
      text: 'Look: done.',
      freshness: [{ source: 'SNAPSHOT', isStale: true }],
      blocks: [
        { text: 'Look: ' },
        { chart: { title: 'T1', kind: 'HEATMAP', data: chart.data } },
        { table: { title: 'Ranking', rows: table.rows, rowCount: 2 } },
        { text: 'done.' },
      ],
    });
    const ids = [
      node.message.id,
      ...node.toolCalls.map(({ id }) => id),
      ...node.message.blocks.flatMap(({ chart: drawn, table: listed }) =>
        [drawn?.id ?? [], listed?.id ?? []].flat(),
      ),
    ];
    expect(ids).toHaveLength(4);
    for (const id of ids) {
      expect(await read('query ($id: ID!) { node(id: $id) { id } }', id)).toEqual({ node: { id } });
    }

    const { copilotSession, copilotSessions } = await read<Sessions>(
      `query ($id: ID!) { copilotSession(id: $id) { title chip { chipId } qid taskId lastSeq activeTurn { id }
          turns { nodes { id afterSeq } } messages(first: 1) { nodes { role text turn { id } } pageInfo { hasNextPage endCursor } } }
        copilotSessions { nodes { id } } }`,
      sent.session.id,
    );
    expect(copilotSession).toMatchObject({
      title: 'How is T1?',
      chip: null,
      activeTurn: null,
      turns: { nodes: [{ id: sent.turn.id, afterSeq: 0 }] },
      messages: {
        nodes: [{ role: 'ASSISTANT', turn: { id: sent.turn.id } }],
        pageInfo: { hasNextPage: true },
      },
    });
    expect(copilotSessions.nodes).toEqual([{ id: sent.session.id }]);
    const older = await read<Sessions>(
      `query ($id: ID!) { copilotSession(id: $id) { messages(after: "${copilotSession?.messages.pageInfo.endCursor}") { nodes { text } } } }`,
      sent.session.id,
    );
    expect(older.copilotSession?.messages.nodes).toEqual([{ text: 'How is T1?' }]);
  });

  test('sent twice with the same id is answered with the same turn; with other content it is a conflict', async () => {
    await start(tell(text('once')));
    const clientMessageId = randomUUID();
    const [first, second] = await Promise.all([
      send('Hi', { clientMessageId }),
      send('Hi', { clientMessageId }),
    ]);
    expect(second.turn.id).toBe(first.turn.id);
    expect(second.lastSeq).toBe(first.lastSeq);
    expect(await send('Other', { clientMessageId })).toMatchObject({
      __typename: 'ConflictError',
      code: 'CONFLICT',
    });
  });

  test.each([
    ['no content', { content: '  ' }, 'InvalidInputError', ['input', 'content']],
    ['8,001 characters', { content: 'x'.repeat(8_001) }, 'InvalidInputError', ['input', 'content']],
    ['no client id', { clientMessageId: '' }, 'InvalidInputError', ['input', 'clientMessageId']],
    ['an unknown model', { model: 'gpt-9' }, 'InvalidInputError', ['input', 'model']],
    ['a broken session id', { sessionId: 'nope' }, 'InvalidInputError', ['input', 'sessionId']],
    ['a qubit without a chip', { qid: '1' }, 'InvalidInputError', ['input', 'qid']],
  ])('with %s is refused with the path and what would be right', async (_what, input, type, path) => {
    await start(tell());
    const result = await send('Hi', input);
    expect(result).toMatchObject({ __typename: type, code: 'INVALID_INPUT', issues: [{ path }] });
  });

  test.each([
    ['a session', { sessionId: encodeNodeId('CopilotSession', randomUUID()) }],
    ['a session whose id is none', { sessionId: encodeNodeId('CopilotSession', "1' OR true") }],
    ['a chip', { chipId: 'nope' }],
    ['a task result', { taskId: 'nope' }],
  ])('about %s that does not exist is not found', async (_what, input) => {
    await start(tell());
    expect(await send('Hi', input)).toMatchObject({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
  });

  test('to a busy session is refused naming the running turn, waits, or takes its place, as it asks', async () => {
    const held = heldTurns();
    await start(held.answerTurn);
    const first = await send('One');
    const sessionId = first.session.id;
    expect(await send('Two', { sessionId })).toMatchObject({
      __typename: 'SessionBusyError',
      code: 'SESSION_BUSY',
      turn: { id: first.turn.id, status: 'RUNNING' },
    });
    const queued = await send('Three', { sessionId, whenBusy: 'QUEUE' });
    expect(queued.turn.status).toBe('QUEUED');
    const urgent = await send('Four', { sessionId, whenBusy: 'SUPERSEDE' });
    await untilTurn(first.turn.id, 'CANCELLED');
    await untilTurn(urgent.turn.id, 'RUNNING');
    expect((await read<TurnNode>(TURN, queued.turn.id)).node?.status).toBe('QUEUED');
  });
});

describe('a turn', () => {
  test('is cancelled with its partial text, as often as one asks', async () => {
    const held = heldTurns();
    await start(held.answerTurn);
    const { turn } = await send('Tell me everything');
    await until(async () => (await read<TurnNode>(TURN, turn.id)).node?.status === 'RUNNING');
    const cancelled = await run(CANCEL, { turnId: turn.id });
    expect(cancelled).toMatchObject({
      __typename: 'CancelTurnPayload',
      turn: { id: turn.id, status: 'CANCELLED' },
    });
    expect(await run(CANCEL, { turnId: turn.id })).toEqual(cancelled);
  });

  test('that does not exist cannot be cancelled or retried', async () => {
    await start(tell());
    const turnId = encodeNodeId('Turn', randomUUID());
    expect(await run(CANCEL, { turnId })).toMatchObject({ __typename: 'NotFoundError' });
    expect(await run(RETRY, { turnId, clientMessageId: 'r' })).toMatchObject({ __typename: 'NotFoundError' });
  });

  test('that failed is asked again as a new turn, once for each client id; the old one stays readable', async () => {
    let tries = 0;
    await start(async (run) => {
      tries += 1;
      if (tries === 1) throw new Error('a bug');
      run.emit(text('Now it works.'));
      return completed;
    });
    const { session, turn } = await send('Again?');
    expect((await untilTurn(turn.id, 'FAILED')).error).toEqual({ code: 'INTERNAL' });
    const input = { turnId: turn.id, clientMessageId: randomUUID() };
    const retried = await run(RETRY, input);
    expect(retried).toMatchObject({ session: { id: session.id }, question: { text: 'Again?' } });
    expect((await run(RETRY, input)).turn.id).toBe(retried.turn.id);
    expect((await untilTurn(retried.turn.id, 'COMPLETED')).message).toEqual({ text: 'Now it works.' });
    expect((await read<TurnNode>(TURN, turn.id)).node?.status).toBe('FAILED');
  });
});

describe('somebody in another project', () => {
  beforeEach(() => start(tell(text('secret')), { projects: ['other'] }));

  test('sees nothing of a conversation, by any of its ids, and can do nothing to it', async () => {
    const inDemo = { 'x-project-id': 'demo' };
    const inOther = { 'x-project-id': 'other' };
    const sent = await run(SEND, { content: 'Hi', clientMessageId: 'a' }, inDemo);
    for (const id of [sent.session.id, sent.turn.id, sent.question.id]) {
      const query = 'query ($id: ID!) { node(id: $id) { id } }';
      expect(await read(query, id, inDemo)).toEqual({ node: { id } });
      expect(await read(query, id, inOther)).toEqual({ node: null });
    }
    const { copilotSession, copilotSessions } = await read<Sessions>(
      'query ($id: ID!) { copilotSession(id: $id) { id } copilotSessions { nodes { id } } }',
      sent.session.id,
      inOther,
    );
    expect({ copilotSession, copilotSessions }).toEqual({
      copilotSession: null,
      copilotSessions: { nodes: [] },
    });
    const foreign = [
      await run(SEND, { content: 'Hi', clientMessageId: 'b', sessionId: sent.session.id }, inOther),
      await run(CANCEL, { turnId: sent.turn.id }, inOther),
      await run(RETRY, { turnId: sent.turn.id, clientMessageId: 'c' }, inOther),
    ];
    expect(foreign.map(({ __typename }) => __typename)).toEqual(Array(3).fill('NotFoundError'));
  });
});

test('the configuration of the copilot names its models and gives no keys or addresses away', async () => {
  await start(tell(), { env: { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: 'http://10.1.2.3:8000/v1' } });
  const { data } = await post(
    app.url,
    '{ copilotConfig { greeting ja: greeting(language: "ja") unknown: greeting(language: "toString") suggestions { label prompt } models { name provider available supportsImages } defaultModel builderModel { name provider thinks } maxMessageLength maxImages maxImageBytes sandboxPackages } }',
  );
  expect(data).toMatchObject({
    copilotConfig: {
      greeting: expect.stringMatching(/^Ask about/),
      ja: expect.stringMatching(/^チップ/),
      unknown: expect.stringMatching(/^Ask about/),
      defaultModel: 'gpt-4.1',
      builderModel: { name: 'gpt-4o-mini', provider: 'openai', thinks: false },
      maxMessageLength: 8_000,
      maxImages: 4,
      maxImageBytes: 5 * 1024 * 1024,
    },
  });
  expect(JSON.stringify(data)).not.toMatch(/sk-secret|10\.1\.2\.3/);
});
