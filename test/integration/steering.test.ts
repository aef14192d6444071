/** Messages that join a running turn, with two servers on one Postgres and with real model calls. */
import { describe, expect, test } from '@jest/globals';
import type { Message } from '../../src/domain/conversation/session.ts';
import { createSessionStore } from '../../src/stores/pg/session-store.ts';
import { until } from '@qpilot/test-support';
import { ask, ended, heldTurns, leftBehind, ofType, readToEnd, viewer, type Chat } from '../support/chat.ts';
import { createTestApp } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';
import { endLeases } from '../support/leases.ts';
import { accessTo, OLLAMA_MODEL } from '../support/model-access.ts';
import { startModelServer } from '../support/model-server.ts';
import { ownChats } from '../support/own-chats.ts';
import { argumentsOf } from '../support/tool-bench.ts';
import { bodyOf, WIRES, type Said } from '../support/wire-bodies.ts';

const { start } = ownChats();

/** A turn that runs, and what steers it. */
async function begin(chat: Chat, turns: ReturnType<typeof heldTurns>) {
  const first = await chat.copilot.sendMessage(viewer, ask('T1 of Q0?'));
  const held = await turns.of(first.turn);
  const sessionId = first.session.id;
  const steer = (words: string, by = chat) =>
    by.copilot.sendMessage(viewer, ask(words, { sessionId, whenBusy: 'STEER' }));
  const queue = (words: string) =>
    chat.copilot.sendMessage(viewer, ask(words, { sessionId, whenBusy: 'QUEUE' }));
  const join = async () => textsOf((await held.run.joinMessages?.()) ?? []);
  return { ...held, ...first, sessionId, steer, queue, join };
}

const textsOf = (messages: readonly Message[]): readonly string[] => messages.map(({ text }) => text);
const stateOf = async (chat: Chat, { id }: { readonly id: string }) =>
  (await chat.copilot.byId.turns(viewer, [id]))[0];

describe('a message that steers', () => {
  test('joins the running turn once, at its place in log, answer and history', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const { turn, sessionId, say, join, finish } = await begin(chat, turns);
    say('Q0 has 50 us. ');
    await until(async () => (await chat.copilot.byId.sessions(viewer, [sessionId]))[0]?.lastSeq === 2, {
      what: 'the words in the log',
    });
    const input = ask('and of Q1, please', { sessionId, whenBusy: 'STEER' });
    const sent = await chat.copilot.sendMessage(viewer, input);
    expect(sent.turn).toMatchObject({ status: 'QUEUED', joinsId: turn.id });
    expect((await chat.copilot.sendMessage(viewer, input)).turn.id).toBe(sent.turn.id);
    expect(await join()).toEqual(['and of Q1, please']);
    expect(await join()).toEqual([]);
    say('Q1 has 60 us.');
    finish();
    const done = await ended(chat, turn);
    const { message } = await leftBehind(chat, done);
    expect(message?.text).toBe('Q0 has 50 us. Q1 has 60 us.');
    expect(message?.blocks).toEqual([
      { type: 'text', text: 'Q0 has 50 us. ' },
      { type: 'message', messageId: sent.message.id },
      { type: 'text', text: 'Q1 has 60 us.' },
    ]);
    const joined = await ended(chat, sent.turn);
    expect(joined).toMatchObject({ status: 'JOINED', joinsId: turn.id, answerId: null, error: null });
    expect((await chat.copilot.sendMessage(viewer, input)).turn).toEqual(joined);
    const events = await readToEnd(chat, sessionId, { turnId: turn.id });
    expect(events.map((event) => [event.turnId === turn.id ? 'first' : 'second', event.type])).toEqual([
      ['first', 'TurnStartedEvent'],
      ['first', 'TokenEvent'],
      ['second', 'StatusEvent'],
      ['second', 'TurnFinishedEvent'],
      ['first', 'MessageJoinedEvent'],
      ['first', 'TokenEvent'],
      ['first', 'TurnFinishedEvent'],
    ]);
    const next = await chat.copilot.sendMessage(viewer, ask('and Q2?', { sessionId }));
    const earlier = await createSessionStore(chat.db).earlierTurns(next.turn, 10);
    expect(earlier.map(({ question, answer }) => [question.text, answer?.text])).toEqual([
      ['T1 of Q0?', 'Q0 has 50 us.'],
      ['and of Q1, please', 'Q1 has 60 us.'],
    ]);
  });

  test('is answered next where the turn ends first: in the order of sending, before what is queued', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const { turn, sessionId, steer, queue, finish } = await begin(chat, turns);
    const queued = await queue('later');
    const [one, two] = [await steer('one'), await steer('two')];
    finish();
    await ended(chat, turn);
    for (const sent of [one, two, queued]) {
      const { run, finish: end } = await turns.of(sent.turn);
      expect(run.question.id).toBe(sent.message.id);
      end();
      expect((await ended(chat, sent.turn)).status).toBe('COMPLETED');
    }
    const started = ofType(await readToEnd(chat, sessionId, { turnId: queued.turn.id }), 'TurnStartedEvent');
    expect(started.map(({ turnId }) => turnId)).toEqual(
      [turn, one.turn, two.turn, queued.turn].map(({ id }) => id),
    );
  });

  test('waits as the next turn when the turn is cancelled, and can be withdrawn until it is read', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const { turn, steer, join } = await begin(chat, turns);
    const [kept, withdrawn] = [await steer('kept'), await steer('withdrawn')];
    await chat.copilot.cancelTurn(viewer, { turnId: withdrawn.turn.id });
    await chat.copilot.cancelTurn(viewer, { turnId: turn.id });
    expect(await join()).toEqual([]);
    (await turns.of(kept.turn)).finish();
    expect((await ended(chat, kept.turn)).status).toBe('COMPLETED');
    expect((await stateOf(chat, withdrawn.turn))?.status).toBe('CANCELLED');
  });

  test('joins in the order of sending, and never a turn whose cancel this server has not heard of yet', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const { turn, steer, join } = await begin(chat, turns);
    await steer('one');
    await steer('two');
    expect(await join()).toEqual(['one', 'two']);
    const late = await steer('three');
    await chat.pool.query('update turns set cancel_requested_at = now() where id = $1', [turn.id]);
    expect(await join()).toEqual([]);
    expect((await ended(chat, turn)).status).toBe('CANCELLED');
    (await turns.of(late.turn)).finish();
    expect((await ended(chat, late.turn)).status).toBe('COMPLETED');
  });

  test('is an ordinary message where nothing runs', async () => {
    const chat = await start();
    const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go', { whenBusy: 'STEER' }));
    expect(turn).toMatchObject({ status: 'RUNNING', joinsId: null });
    await ended(chat, turn);
    const again = await chat.copilot.sendMessage(
      viewer,
      ask('on', { sessionId: session.id, whenBusy: 'STEER' }),
    );
    expect((await ended(chat, again.turn)).status).toBe('COMPLETED');
  });

  test('joins a turn that another server runs, which reads it from there', async () => {
    const turns = heldTurns();
    const [a, b] = [await start({ answerTurn: turns.answerTurn }), await start()];
    const { turn, steer, join, finish } = await begin(a, turns);
    const sent = await steer('through the other server', b);
    expect(await join()).toEqual(['through the other server']);
    finish();
    expect((await ended(b, turn)).status).toBe('COMPLETED');
    expect((await ended(b, sent.turn)).status).toBe('JOINED');
  });

  test('is answered by another server when its turn dies before reading it, and only there', async () => {
    const turns = heldTurns();
    const a = await start({
      answerTurn: turns.answerTurn,
      times: { leaseMs: 60_000, renewMs: 600_000, sweepMs: 600_000, drainMs: 0 },
    });
    const { turn, sessionId, steer, join, finish } = await begin(a, turns);
    const sent = await steer('not lost');
    await endLeases(a, [sessionId]);
    const b = await start({ answerTurn: turns.answerTurn, times: { sweepMs: 60, drainMs: 0 } });
    expect((await ended(b, turn)).status).toBe('INTERRUPTED');
    expect(await join()).toEqual([]);
    finish();
    (await turns.of(sent.turn)).finish();
    expect((await ended(b, sent.turn)).status).toBe('COMPLETED');
    const events = await readToEnd(b, sessionId, { turnId: sent.turn.id });
    expect(ofType(events, 'MessageJoinedEvent')).toEqual([]);
    expect(ofType(events, 'TurnStartedEvent').map(({ payload }) => payload.messageId)).toContain(
      sent.message.id,
    );
  });

  test('stays where it was read when the turn dies behind that, and can be asked again by itself', async () => {
    const turns = heldTurns();
    const a = await start({
      answerTurn: turns.answerTurn,
      times: { leaseMs: 60_000, renewMs: 600_000, sweepMs: 600_000, drainMs: 0 },
    });
    const { turn, sessionId, steer, join, finish } = await begin(a, turns);
    const sent = await steer('read already');
    expect(await join()).toEqual(['read already']);
    await endLeases(a, [sessionId]);
    const b = await start({ answerTurn: turns.answerTurn, times: { sweepMs: 60, drainMs: 0 } });
    const closed = await ended(b, turn);
    expect(closed.status).toBe('INTERRUPTED');
    finish();
    const { message } = await leftBehind(b, closed);
    expect(message?.blocks).toEqual([{ type: 'message', messageId: sent.message.id }]);
    const again = await b.copilot.retryTurn(viewer, { turnId: sent.turn.id, clientMessageId: 'again' });
    const { run, finish: end } = await turns.of(again.turn);
    expect(run.question.text).toBe('read already');
    end();
    expect((await ended(b, again.turn)).status).toBe('COMPLETED');
  });
});

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } turn { id status joins { id } } lastSeq }
  ... on UserError { message } } }`;
const EVENTS = `subscription ($sessionId: ID!, $afterSeq: Int!) {
  copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) { __typename
    ... on SequencedEvent { turnId }
    ... on MessageJoinedEvent { joined: message { text } }
    ... on TurnFinishedEvent { turnStatus message {
      blocks { __typename ... on TextBlock { text } ... on MessageBlock { message { text } } } } } } }`;

type Sent = {
  readonly session: { readonly id: string };
  readonly turn: { readonly id: string; readonly status: string; readonly joins: unknown };
  readonly lastSeq: number;
};

describe('the model', () => {
  test.each(WIRES)('reads a message that steers behind the outputs of its tools (%s)', async (kind) => {
    const steered = Promise.withResolvers<void>();
    const args = JSON.stringify(argumentsOf('get_chip_summary', {}));
    const said: readonly (readonly Said[])[] = [
      [{ text: 'Looking. ' }, { call: ['call_1', 'get_chip_summary', args] }],
      [{ text: 'Only of qubit 3, then.' }],
      [{ text: 'You are welcome.' }],
    ];
    const reply = (index: number) => ({
      pieces: async function* () {
        await steered.promise;
        yield bodyOf(kind, said[index] ?? []);
      },
    });
    const server = await startModelServer(reply, OLLAMA_MODEL);
    const app = await createTestApp({ demo: true, env: accessTo(kind, server) });
    const send = async (content: string, of: object): Promise<Sent> => {
      const input = { content, clientMessageId: content, ...of };
      const { data, errors } = await post(app.url, SEND, { variables: { input } });
      expect(errors).toEqual([]);
      return data?.['sendMessage'] as Sent;
    };
    try {
      const first = await send('How is the chip?', { chipId: 'demo-64' });
      const sessionId = first.session.id;
      const steering = await send('Only of qubit 3', { sessionId, whenBusy: 'STEER' });
      expect(steering.turn).toMatchObject({ status: 'QUEUED', joins: { id: first.turn.id } });
      steered.resolve();
      const answer = await endOf(app.url, first);
      expect(answer).toEqual(['Looking.', 'Only of qubit 3', 'Only of qubit 3, then.']);
      const [, second] = server.requests;
      const input = JSON.stringify(second);
      const call = kind === 'ollama' ? '"tool_name":"get_chip_summary"' : 'call_1';
      const places = ['How is the chip?', call, 'Only of qubit 3'].map((words) => input.lastIndexOf(words));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(input.split('Only of qubit 3')).toHaveLength(2);
      await endOf(app.url, await send('Thanks', { sessionId }));
      const third = JSON.stringify(server.requests[2]);
      const told = ['How is the chip?', 'Looking.', 'Only of qubit 3', 'Only of qubit 3, then.', 'Thanks'];
      const order = told.map((words) => third.lastIndexOf(words));
      expect(order.every((at) => at >= 0)).toBe(true);
      expect(third.split('Only of qubit 3')).toHaveLength(3);
    } finally {
      await app.stop();
      await server.close();
    }
  });
});

/** The blocks of a turn's answer once it has ended: texts, and the words of messages in their places. */
async function endOf(url: string, { session, turn, lastSeq }: Sent): Promise<readonly string[]> {
  const variables = { sessionId: session.id, afterSeq: lastSeq };
  for await (const { data } of sse(url, EVENTS, variables)) {
    const event = data?.['copilotEvents'] as Record<string, unknown>;
    if (event['__typename'] !== 'TurnFinishedEvent' || event['turnId'] !== turn.id) continue;
    expect(event['turnStatus']).toBe('COMPLETED');
    const { blocks } = event['message'] as { readonly blocks: readonly Shown[] };
    return blocks.flatMap((block) => block.text?.trim() ?? block.message?.text ?? []);
  }
  throw new Error('the stream ended before the turn did');
}

type Shown = { readonly text?: string; readonly message?: { readonly text: string } };
