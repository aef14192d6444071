import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { completed, toolEnd, toolStart } from '../support/activities.ts';
import { heldTurns } from '../support/chat.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../support/create-test-app.ts';
import { post, sse, type GraphqlAnswer } from '../support/graphql-client.ts';
import { until } from '@qpilot/test-support';
import { connect, subscribe } from '../support/websocket-client.ts';

const EVENTS = `subscription ($sessionId: ID!, $afterSeq: Int) { copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
  __typename ... on SequencedEvent { seq createdAt turn { id status } }
  ... on TurnStartedEvent { message { text } } ... on StatusEvent { phase text } ... on TokenEvent { token: text offset }
  ... on ToolCallStartedEvent { callId tool label description arguments round }
  ... on ToolCallFinishedEvent { callId toolStatus deprecatedToolStatus: status durationMs dataSource preview resultId freshness { isStale } error { code } }
  ... on ChartEvent { chart { id title data } } ... on TableEvent { table { id title rows } }
  ... on UsageEvent { usage { totalTokens } budgetLeftTokens } ... on StepResetEvent { keepUntilOffset reason }
  ... on TurnFinishedEvent { turnStatus status rounds answer: message { text } error { code } } } }`;
const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { session { id } turn { id } lastSeq } } }`;

let app: TestApp;
afterEach(() => app.stop());

type Sent = { session: { id: string }; turn: { id: string }; lastSeq: number };
const send = async (sessionId: string | null = null): Promise<Sent> => {
  const input = { content: 'Hi', clientMessageId: randomUUID(), sessionId };
  const { data } = await post(app.url, SEND, { variables: { input } });
  return (data as { sendMessage: Sent }).sendMessage;
};

/** Runs the turn of a test to its end: text, a tool with chart and table, a reset, text. */
async function start(options: TestAppOptions = {}) {
  const held = heldTurns();
  app = await createTestApp({ answerTurn: held.answerTurn, ...options });
  const sent = await send();
  return { held, sent, turn: await held.of(await turnKey(sent)) };
}

const turnKey = async ({ turn }: Sent) => ({
  id: Buffer.from(turn.id, 'base64url').toString().replace('Turn:', ''),
});

type Transport = typeof sse;
const listen = (transport: Transport, { session }: Pick<Sent, 'session'>, afterSeq: number, headers = {}) =>
  transport(app.url, EVENTS, { sessionId: session.id, afterSeq }, headers);

/** What tests look at of an event. */
type Event = {
  readonly __typename: string;
  readonly seq: number;
  readonly turn: { readonly id: string; readonly status: string };
  readonly resultId?: string | null;
};
const eventOf = ({ data }: Pick<GraphqlAnswer, 'data'>): Event => data!['copilotEvents'] as Event;

/** Events up to the end of the turn. */
async function readTurn(answers: AsyncIterable<GraphqlAnswer>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const answer of answers) {
    expect(answer.errors).toEqual([]);
    events.push(eventOf(answer));
    if (events.at(-1)?.__typename === 'TurnFinishedEvent') break;
  }
  return events;
}

const transports: [string, Transport][] = [
  ['a WebSocket', subscribe],
  ['server-sent events', sse],
];

describe('the events of a turn', () => {
  test('are the same over both transports, live and again from the log, with everything they name', async () => {
    const { sent, turn } = await start();
    const live = transports.map(([, transport]) => readTurn(listen(transport, sent, sent.lastSeq)));
    await until(() => app.app.followers === 2);
    turn.say('Let me look. ');
    turn.run.emit({ type: 'status', phase: 'CALLING_TOOLS', text: 'Looking' });
    turn.run.emit(toolStart('c1'));
    turn.run.emit(toolEnd('c1'));
    turn.say('Nonsense');
    turn.run.emit({ type: 'reset', keepUntilOffset: 'Let me look. '.length, reason: 'the model broke off' });
    turn.say('All good.');
    turn.finish({ ...completed, rounds: 2 });
    const [overSocket, overSse] = await Promise.all(live);
    const again = await Promise.all(transports.map(([, transport]) => readTurn(listen(transport, sent, 0))));

    const finalStates = (events: Event[]) => events.map(({ turn: _turn, ...event }) => event);
    expect(finalStates(overSse!)).toEqual(finalStates(overSocket!));
    for (const events of again) expect(finalStates(events)).toEqual(finalStates(overSocket!));
    expect(overSocket!.map(({ seq }) => seq)).toEqual(overSocket!.map((_, index) => index + 1));
    const kinds = overSocket!.map(({ __typename }) => __typename as string);
    expect(kinds.filter((kind) => kind === 'TurnFinishedEvent')).toHaveLength(1);
    expect(new Set(kinds)).toEqual(
      new Set(
        'TurnStarted Status Token ToolCallStarted ToolCallFinished Chart Table StepReset TurnFinished'
          .split(' ')
          .map((kind) => `${kind}Event`),
      ),
    );
    const finishedCall = overSocket!.find(({ __typename }) => __typename === 'ToolCallFinishedEvent');
    expect(finishedCall).toMatchObject({ toolStatus: 'OK', deprecatedToolStatus: 'OK' });
    expect(overSocket!.at(-1)).toMatchObject({
      turnStatus: 'COMPLETED',
      status: 'COMPLETED',
      rounds: 2,
      answer: { text: 'Let me look. All good.' },
      turn: { id: sent.turn.id, status: 'COMPLETED' },
    });
    const resultId = overSocket!.find(({ resultId: id }) => id)?.resultId;
    const { data } = await post(
      app.url,
      'query ($id: ID!) { node(id: $id) { ... on ToolCall { callId } } }',
      {
        variables: { id: resultId },
      },
    );
    expect(data).toEqual({ node: { callId: 'c1' } });
  });

  test.each(transports)(
    'over %s are resumed behind a cursor without a loss or a repeat',
    async (_name, transport) => {
      const { sent, turn } = await start();
      for (const word of ['a ', 'b ', 'c ']) {
        turn.say(word);
        turn.run.emit({ type: 'status', phase: 'ANSWERING', text: word });
      }
      const seen: Event[] = [];
      for await (const answer of listen(transport, sent, 0)) {
        seen.push(eventOf(answer));
        if (seen.length === 3) break;
      }
      await until(() => app.app.followers === 0);
      turn.say('d ');
      turn.finish();
      const rest = await readTurn(listen(transport, sent, 3));
      expect([...seen, ...rest].map(({ seq }) => seq)).toEqual(
        [...seen, ...rest].map((_, index) => index + 1),
      );
      expect(rest.at(-1)).toMatchObject({ answer: { text: 'a b c d ' } });
    },
  );

  test.each(transports)(
    'over %s show a turn as it stands when each is delivered',
    async (_name, transport) => {
      const { sent, turn } = await start();
      const statuses: string[] = [];
      for await (const answer of listen(transport, sent, 0)) {
        const event = eventOf(answer);
        statuses.push(event.turn.status);
        if (statuses.length === 1) turn.finish();
        if (event.__typename === 'TurnFinishedEvent') break;
      }
      expect(statuses.at(0)).toBe('RUNNING');
      expect(statuses.at(-1)).toBe('COMPLETED');
    },
  );

  test.each(transports)('over %s go on with the next turn of the session', async (_name, transport) => {
    const { held, sent, turn } = await start();
    const stream = listen(transport, sent, 0);
    turn.finish();
    const finished = async () => {
      for (;;) {
        const { value } = await stream.next();
        if (value.data.copilotEvents.__typename === 'TurnFinishedEvent')
          return value.data.copilotEvents.turn.id;
      }
    };
    expect(await finished()).toBe(sent.turn.id);
    const second = await send(sent.session.id);
    (await held.of(await turnKey(second))).finish();
    expect(await finished()).toBe(second.turn.id);
    await stream.return(undefined);
  });
});

describe('a subscription', () => {
  test.each(transports)('over %s beyond the end of the log is refused', async (_name, transport) => {
    const { sent } = await start();
    const { value } = await listen(transport, sent, 1_000).next();
    expect(value).toMatchObject({ errors: [{ extensions: { code: 'CURSOR_AHEAD' } }] });
  });

  test.each(transports)(
    'over %s to a foreign session is refused exactly like one to none',
    async (_name, transport) => {
      const { sent } = await start({ projects: ['other'], env: { QPILOT_PROJECT: 'demo' } });
      const other: Record<string, string> =
        transport === sse ? { 'x-project-id': 'other' } : { projectId: 'other' };
      const missing = Buffer.from(`CopilotSession:${randomUUID()}`).toString('base64url');
      const foreign = await listen(transport, sent, 0, other).next();
      const unknown = await listen(transport, { ...sent, session: { id: missing } }, 0, other).next();
      const withoutIds = (answer: unknown) =>
        JSON.stringify(answer).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
      expect(withoutIds(foreign)).toBe(withoutIds(unknown));
      expect(foreign.value).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    },
  );

  test('whose socket is cut in mid-turn leaves nothing behind, and the turn goes on', async () => {
    const { sent, turn } = await start();
    const raw = await connect(app.url);
    for (const id of ['1', '2']) {
      raw.send({
        id,
        type: 'subscribe',
        payload: { query: EVENTS, variables: { sessionId: sent.session.id } },
      });
    }
    const watching = listen(sse, sent, 0);
    await watching.next();
    await until(() => app.app.followers === 3);
    raw.socket.terminate();
    await watching.return(undefined);
    await until(() => app.app.followers === 0);
    turn.say('Nobody watches.');
    turn.finish();
    expect((await readTurn(listen(subscribe, sent, 0))).at(-1)).toMatchObject({
      answer: { text: 'Nobody watches.' },
    });
  });

  test('of a reader that stalls delays nobody and resumes where it was', async () => {
    const { sent, turn } = await start();
    const raw = await connect(app.url);
    raw.send({
      id: '1',
      type: 'subscribe',
      payload: { query: EVENTS, variables: { sessionId: sent.session.id } },
    });
    await raw.next();
    raw.socket.pause();
    for (let index = 0; index < 300; index += 1) {
      turn.say(`${index} ${'x'.repeat(2_000)}\n`);
      turn.run.emit({ type: 'status', phase: 'ANSWERING', text: String(index) });
    }
    turn.finish();
    const fast = await readTurn(listen(subscribe, sent, 0));
    raw.socket.resume();
    const slow = [fast[0]!];
    while (slow.at(-1)?.__typename !== 'TurnFinishedEvent') {
      const { payload } = await raw.next();
      slow.push(eventOf(payload as GraphqlAnswer));
    }
    expect(slow.map(({ seq }) => seq)).toEqual(fast.map(({ seq }) => seq));
    raw.socket.close();
    await raw.closed;
  });
});

test('a restart in mid-turn leaves a whole log, an interrupted turn and a retry that works', async () => {
  const { sent, turn } = await start();
  turn.say('Half an ans');
  await until(async () => (await readSome(sent)).includes('TokenEvent'));
  await app.restart({ answerTurn: async () => completed });
  const events = await readTurn(listen(subscribe, sent, 0));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)).toMatchObject({
    status: 'INTERRUPTED',
    answer: { text: 'Half an ans' },
    error: { code: 'INTERRUPTED' },
  });
  const retry = `mutation ($input: RetryTurnInput!) { retryTurn(input: $input) { ... on SendMessagePayload { session { id } turn { id } lastSeq } } }`;
  const input = { turnId: sent.turn.id, clientMessageId: randomUUID() };
  const { data } = await post(app.url, retry, { variables: { input } });
  const retried = (data as { retryTurn: Sent }).retryTurn;
  expect((await readTurn(listen(sse, retried, retried.lastSeq))).at(-1)).toMatchObject({
    status: 'COMPLETED',
  });
});

/** Kinds of the events that are there now. */
async function readSome({ session }: Sent): Promise<string[]> {
  const { data } = await post(app.url, 'query ($id: ID!) { copilotSession(id: $id) { lastSeq } }', {
    variables: { id: session.id },
  });
  const { lastSeq } = data!['copilotSession'] as Sent;
  const kinds: string[] = [];
  for await (const answer of subscribe(app.url, EVENTS, { sessionId: session.id, afterSeq: 0 })) {
    const event = eventOf(answer);
    kinds.push(event.__typename);
    if (event.seq >= lastSeq) break;
  }
  return kinds;
}
