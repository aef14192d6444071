/** Rule 11 and the limits of copilot chat: what becomes of a message before any model sees it. */
import { describe, expect, test } from '@jest/globals';
import {
  ConflictError,
  InvalidInputError,
  NotFoundError,
  RateLimitedError,
  SessionBusyError,
} from '../../src/base/errors.ts';
import type { SendMessageInput } from '../../src/services/copilot/send-message.ts';
import { tell, text } from '../support/activities.ts';
import { ask, ended, heldTurns, readToEnd, viewer } from '../support/chat.ts';
import { ownChats } from '../support/own-chats.ts';

const { start } = ownChats();

/** A viewer that no other test has counted anything for. */
const freshViewer = () => ({ ...viewer, id: crypto.randomUUID() });

describe('what is refused', () => {
  const bad: readonly [string, Partial<SendMessageInput>, RegExp][] = [
    ['a blank message', { content: ' \n\t ' }, /input\.content: must not be blank/],
    ['a message that is too long', { content: 'x'.repeat(8_001) }, /input\.content: must have at most 8000/],
    ['a message without a client’s id', { clientMessageId: '' }, /input\.clientMessageId: must not be empty/],
    ['a client’s id that is too long', { clientMessageId: 'x'.repeat(201) }, /at most 200/],
    ['an empty chip id', { chipId: '' }, /input\.chipId: must not be empty/],
  ];
  test.each(bad)('%s', async (_name, input, message) => {
    const { copilot } = await start();
    const sending = copilot.sendMessage(viewer, ask('ok', input));
    await expect(sending).rejects.toThrow(InvalidInputError);
    await expect(copilot.sendMessage(viewer, ask('ok', input))).rejects.toThrow(message);
  });

  test('a model that is not offered, a chip that is unknown, before anything is stored', async () => {
    const { copilot } = await start({
      checkModel: (name) => {
        throw new InvalidInputError([{ path: ['input', 'model'], message: `is ${name}; offered: gpt-4.1` }]);
      },
      checkContext: async (_viewer, { chipId }) => {
        if (chipId === 'nope') throw new NotFoundError('no chip nope; known: demo-64');
      },
    });
    const who = freshViewer();
    await expect(copilot.sendMessage(who, ask('hi', { model: 'gpt-9' }))).rejects.toThrow(/gpt-4\.1/);
    await expect(copilot.sendMessage(who, ask('hi', { chipId: 'nope' }))).rejects.toThrow(/demo-64/);
    expect((await copilot.sessions(who, { first: 10 })).items).toEqual([]);
  });

  test('a foreign session and an unknown one, alike; another chip than the session’s', async () => {
    const { copilot } = await start();
    const { session } = await copilot.sendMessage(viewer, ask('hi', { chipId: 'demo-64' }));
    const eve = { ...viewer, id: 'eve' };
    for (const sessionId of [session.id, 'unknown']) {
      await expect(copilot.sendMessage(eve, ask('hi', { sessionId }))).rejects.toThrow(NotFoundError);
    }
    await readToEnd({ copilot }, session.id);
    const other = copilot.sendMessage(viewer, ask('hi', { sessionId: session.id, chipId: 'other' }));
    await expect(other).rejects.toThrow(/input\.chipId: must match the conversation \(demo-64\)/);
    await expect(
      copilot.sendMessage(viewer, ask('hi', { sessionId: session.id, chipId: 'demo-64' })),
    ).resolves.toMatchObject({ session: { id: session.id } });
  });

  test('turns of others, for cancel and retry', async () => {
    const { copilot } = await start();
    const { turn } = await copilot.sendMessage(viewer, ask('hi'));
    await ended({ copilot }, turn);
    const eve = { ...viewer, id: 'eve' };
    await expect(copilot.cancelTurn(eve, { turnId: turn.id })).rejects.toThrow(NotFoundError);
    await expect(copilot.cancelTurn(viewer, { turnId: 'unknown' })).rejects.toThrow(NotFoundError);
    await expect(copilot.retryTurn(eve, { turnId: turn.id, clientMessageId: 'x' })).rejects.toThrow(
      NotFoundError,
    );
  });
});

describe('rule 11: a message is taken once', () => {
  test('sending again answers with the same turn and lastSeq, also after the turn has ended', async () => {
    const { copilot } = await start({ answerTurn: tell(text('hi')) });
    const message = ask('hello', { chipId: 'demo-64' });
    const first = await copilot.sendMessage(viewer, message);
    await ended({ copilot }, first.turn);
    const again = await copilot.sendMessage(viewer, message);
    expect(again.turn.id).toBe(first.turn.id);
    expect(again.message).toEqual(first.message);
    expect(again.lastSeq).toBe(first.lastSeq);
    expect(again.turn.status).toBe('COMPLETED');
    const [next] = await readToEnd({ copilot }, first.session.id, { afterSeq: again.lastSeq });
    expect(next).toMatchObject({ type: 'TurnStartedEvent', turnId: first.turn.id });
  });

  test('two tabs that send at the same moment, on two servers, start one turn', async () => {
    const [a, b] = [await start(), await start()];
    const who = freshViewer();
    const message = ask('at once');
    const sent = await Promise.all([a, b, a, b].map(({ copilot }) => copilot.sendMessage(who, message)));
    expect(new Set(sent.map(({ turn }) => turn.id)).size).toBe(1);
    expect(new Set(sent.map(({ lastSeq }) => lastSeq)).size).toBe(1);
    const [first] = sent;
    const { items } = await a.copilot.messages(who, first?.session.id ?? '', { first: 10 });
    expect(items.filter(({ item }) => item.role === 'USER')).toHaveLength(1);
  });

  test('the same id for another message is a conflict, another viewer’s same id is not', async () => {
    const { copilot } = await start();
    const message = ask('hello');
    const { session } = await copilot.sendMessage(viewer, message);
    const conflicts = [{ content: 'other' }, { model: 'other' }, { chipId: 'other' }];
    for (const change of conflicts) {
      await expect(copilot.sendMessage(viewer, { ...message, ...change })).rejects.toThrow(ConflictError);
    }
    const known = await copilot.sendMessage(viewer, { ...message, sessionId: session.id });
    expect(known.session.id).toBe(session.id);
    const others = await copilot.sendMessage({ ...viewer, id: 'bob' }, message);
    expect(others.session.id).not.toBe(session.id);
  });

  test('a retry is a new turn of the same question, taken once as well; the old one stays readable', async () => {
    const { copilot } = await start({ answerTurn: tell(text('answer')) });
    const first = await copilot.sendMessage(viewer, ask('hello'));
    await ended({ copilot }, first.turn);
    const input = { turnId: first.turn.id, clientMessageId: crypto.randomUUID() };
    const retried = await copilot.retryTurn(viewer, input);
    expect(retried.turn.id).not.toBe(first.turn.id);
    expect(retried.message).toEqual(first.message);
    await ended({ copilot }, retried.turn);
    expect(await copilot.retryTurn(viewer, input)).toMatchObject({
      turn: { id: retried.turn.id },
      lastSeq: retried.lastSeq,
    });
    const clash = ask('hello', { clientMessageId: input.clientMessageId, sessionId: first.session.id });
    await expect(copilot.sendMessage(viewer, clash)).rejects.toThrow(ConflictError);
    const { items } = await copilot.messages(viewer, first.session.id, { first: 10 });
    expect(items.map(({ item }) => [item.role, item.turnId])).toEqual([
      ['ASSISTANT', retried.turn.id],
      ['USER', first.turn.id],
    ]);
    const old = { first: 10, throughTurnId: first.turn.id };
    const earlier = await copilot.messages(viewer, first.session.id, old);
    expect(earlier.items.map(({ item }) => [item.role, item.turnId])).toEqual([
      ['ASSISTANT', first.turn.id],
      ['USER', first.turn.id],
    ]);
  });
});

describe('rule 11: a busy session', () => {
  test('REJECT names the running turn, and counts those in line', async () => {
    const turns = heldTurns();
    const { copilot } = await start({ answerTurn: turns.answerTurn });
    const { session, turn } = await copilot.sendMessage(viewer, ask('one'));
    const error: unknown = await copilot
      .sendMessage(viewer, ask('two', { sessionId: session.id }))
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SessionBusyError);
    expect((error as SessionBusyError).turnId).toBe(turn.id);
    await expect(copilot.retryTurn(viewer, { turnId: turn.id, clientMessageId: 'r' })).rejects.toThrow(
      SessionBusyError,
    );
  });

  test('QUEUE takes five and says so of the sixth; a queued turn’s lastSeq is before its first event', async () => {
    const turns = heldTurns();
    const { copilot } = await start({ answerTurn: turns.answerTurn });
    const { session } = await copilot.sendMessage(viewer, ask('0'));
    const inSession = { sessionId: session.id, whenBusy: 'QUEUE' } as const;
    for (let index = 1; index <= 5; index += 1) {
      const { turn, lastSeq } = await copilot.sendMessage(viewer, ask(`${index}`, inSession));
      expect(turn.status).toBe('QUEUED');
      const signal = AbortSignal.timeout(60_000);
      for await (const event of await copilot.follow(viewer, session.id, lastSeq, signal)) {
        expect(event).toMatchObject({ type: 'StatusEvent', turnId: turn.id, payload: { phase: 'QUEUED' } });
        break;
      }
    }
    await expect(copilot.sendMessage(viewer, ask('6', inSession))).rejects.toThrow(
      /5 messages .* are queued already/,
    );
  });

  test('SUPERSEDE cancels the running turn and goes before those in line', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const { copilot } = chat;
    const first = await copilot.sendMessage(viewer, ask('one'));
    await turns.of(first.turn);
    const { id: sessionId } = first.session;
    const queued = await copilot.sendMessage(viewer, ask('in line', { sessionId, whenBusy: 'QUEUE' }));
    const urgent = await copilot.sendMessage(viewer, ask('urgent', { sessionId, whenBusy: 'SUPERSEDE' }));
    const { finish } = await turns.of(urgent.turn);
    expect((await ended(chat, first.turn)).status).toBe('CANCELLED');
    const [active] = await copilot.activeTurns(viewer, [sessionId]);
    expect(active?.id).toBe(urgent.turn.id);
    finish();
    (await turns.of(queued.turn)).finish();
    await ended(chat, queued.turn);
    const { items } = await copilot.messages(viewer, sessionId, { first: 10 });
    const questions = items.filter(({ item }) => item.role === 'USER').map(({ item }) => item.text);
    expect(questions).toEqual(['in line', 'urgent', 'one']);
  });
});

describe('limits', () => {
  test('so many messages a minute, across sessions and servers; the error says when to come back', async () => {
    const limits = { messagesPerMinute: 3 };
    const [a, b] = [await start({ limits }), await start({ limits })];
    const who = freshViewer();
    const sending = [a, b, a, b, a].map(({ copilot }) => copilot.sendMessage(who, ask('hi')));
    const outcomes = await Promise.allSettled(sending);
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    expect(refused).toHaveLength(2);
    for (const error of refused) {
      expect(error).toBeInstanceOf(RateLimitedError);
      const { retryAfterMs } = error as RateLimitedError;
      expect(retryAfterMs).toBeGreaterThan(50_000);
      expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    }
    await expect(a.copilot.sendMessage(freshViewer(), ask('hi'))).resolves.toBeDefined();
  });

  test('so many waiting sessions of a user; another message in a busy one is not one more', async () => {
    const turns = heldTurns();
    const limits = { turnsPerUser: 1, waitingPerUser: 1 };
    const { copilot } = await start({ answerTurn: turns.answerTurn, limits });
    const who = freshViewer();
    const first = await copilot.sendMessage(who, ask('one'));
    const second = await copilot.sendMessage(who, ask('two'));
    expect(second.turn.status).toBe('QUEUED');
    await expect(copilot.sendMessage(who, ask('three'))).rejects.toThrow(
      '1 of your conversations wait in line, and 1 may',
    );
    for (const { session } of [first, second]) {
      await copilot.sendMessage(who, ask('behind', { sessionId: session.id, whenBusy: 'QUEUE' }));
    }
  });
});

describe('lists', () => {
  test('sessions page by page, newest message first, with titles from the first message', async () => {
    const { copilot } = await start();
    const who = freshViewer();
    const sent: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { session } = await copilot.sendMessage(
        who,
        ask(`question\n number ${index} ${'long '.repeat(20)}`),
      );
      sent.unshift(session.id);
      expect(session.title).toHaveLength(50);
      expect(session.title).toMatch(/^question number \d long .*…$/);
    }
    const seen: string[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const page = await copilot.sessions(who, { first: 2, after });
      seen.push(...page.items.map(({ item }) => item.id));
      after = page.hasNextPage ? (page.items.at(-1)?.cursor ?? null) : null;
      pages += 1;
    } while (after !== null);
    expect(seen).toEqual(sent);
    expect(pages).toBe(3);
  });

  test('messages page by page, newest first, without gap or repetition', async () => {
    const { copilot } = await start({ answerTurn: tell(text('a')) });
    const { session } = await copilot.sendMessage(viewer, ask('q0'));
    await readToEnd({ copilot }, session.id);
    for (const words of ['q1', 'q2']) {
      const { turn } = await copilot.sendMessage(viewer, ask(words, { sessionId: session.id }));
      await ended({ copilot }, turn);
    }
    for (const first of [1, 2, 3, 4, 5, 6, 7]) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page = await copilot.messages(viewer, session.id, { first, after });
        seen.push(...page.items.map(({ item }) => item.text));
        after = page.hasNextPage ? (page.items.at(-1)?.cursor ?? null) : null;
      } while (after !== null);
      expect(seen).toEqual(['a', 'q2', 'a', 'q1', 'a', 'q0']);
    }
  });

  test('a broken cursor and a page that is too large are named', async () => {
    const { copilot } = await start();
    const { session } = await copilot.sendMessage(viewer, ask('hi'));
    await expect(copilot.sessions(viewer, { first: 101 })).rejects.toThrow(/first: is 101; ask for 1 to 100/);
    await expect(copilot.sessions(viewer, { first: 1, after: 'x' })).rejects.toThrow(
      /not a cursor of this list/,
    );
    const foreign = Buffer.from('[1,"ROBOT"]').toString('base64url');
    await expect(copilot.messages(viewer, session.id, { first: 1, after: foreign })).rejects.toThrow(
      InvalidInputError,
    );
  });

  test('things by id come in the order of the ids, null for what is not the viewer’s', async () => {
    const { copilot } = await start();
    const { session, turn, message } = await copilot.sendMessage(viewer, ask('hi'));
    const ids = ['unknown', session.id, session.id];
    expect((await copilot.byId.sessions(viewer, ids)).map((one) => one?.id ?? null)).toEqual([
      null,
      session.id,
      session.id,
    ]);
    const eve = { ...viewer, projectId: 'other' };
    expect(await copilot.byId.sessions(eve, [session.id])).toEqual([null]);
    expect(await copilot.byId.turns(eve, [turn.id])).toEqual([null]);
    expect(await copilot.byId.messages(eve, [message.id])).toEqual([null]);
    expect(await copilot.activeTurns(eve, [session.id])).toEqual([null]);
    expect(await copilot.toolCallsOfTurns(eve, [turn.id])).toEqual([[]]);
    expect(await copilot.byId.sessions(viewer, [])).toEqual([]);
  });

  test('what is to be known of a turn comes in its order, and to nobody else', async () => {
    const { copilot } = await start({
      answerTurn: tell(
        { type: 'source-fallback', from: 'LIVE', to: 'SNAPSHOT', reason: 'TIMEOUT', text: 'late' },
        text('no'),
        { type: 'reset', keepUntilOffset: 0, reason: 'broken' },
      ),
    });
    const { turn } = await copilot.sendMessage(viewer, ask('hi'));
    await ended({ copilot }, turn);
    expect(await copilot.noticesOfTurns(viewer, [turn.id])).toEqual([
      [
        { kind: 'SOURCE_FALLBACK', text: 'late' },
        { kind: 'STEP_RESET', text: 'broken' },
      ],
    ]);
    const eve = { ...viewer, id: 'eve' };
    expect(await copilot.noticesOfTurns(eve, [turn.id])).toEqual([[]]);
  });
});
