/** The client package against the real program, over connections that break. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  createQPilot,
  CursorAheadError,
  InvalidInputError,
  NotFoundError,
  NotQPilotError,
  QPilotError,
  SessionBusyError,
  UnauthenticatedError,
  UnreachableError,
  type Asked,
  type QPilot,
  type SessionEvent,
} from '@qpilot/client';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { completed, tell, text, toolEnd, toolStart } from '../support/activities.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../support/create-test-app.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let app: TestApp | undefined;
let network: TcpProxy | undefined;
afterEach(async () => {
  await network?.close();
  await app?.stop();
  [app, network] = [undefined, undefined];
});

const start = async (options: TestAppOptions): Promise<TestApp> => {
  app = await createTestApp(options);
  return app;
};

const wordsOf = (events: readonly SessionEvent[]): string =>
  events.map((event) => (event.__typename === 'TokenEvent' ? event.text : '')).join('');
const seqsOf = (events: readonly SessionEvent[]): readonly number[] => events.map(({ seq }) => seq);
const range = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

/** Follows an answer to its end; `events` is what has come so far. */
function read(qpilot: QPilot, asked: Asked) {
  const events: SessionEvent[] = [];
  const statuses: string[] = [];
  const ended = (async () => {
    for await (const event of qpilot.followAnswer(asked, { onStatus: (status) => statuses.push(status) }))
      events.push(event);
  })();
  return { events, statuses, ended };
}

/** An answer that stops in its middle until it is let go. */
function inTwoParts(): { readonly answerTurn: AnswerTurn; readonly goOn: () => void } {
  const middle = Promise.withResolvers<void>();
  const answerTurn: AnswerTurn = async ({ emit }) => {
    emit(text('Before. '));
    await middle.promise;
    emit(text('After.'));
    return completed;
  };
  return { answerTurn, goOn: middle.resolve };
}

describe('following an answer', () => {
  test('loses nothing and doubles nothing when its socket is cut in the middle, and says so', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    network = await startTcpProxy(url);
    const qpilot = createQPilot({ url: network.url });
    const { events, statuses, ended } = read(qpilot, await qpilot.ask('How is it?'));
    await until(() => wordsOf(events) === 'Before. ');
    network.cut();
    await until(() => statuses.at(-1) === 'reconnecting');
    goOn();
    network.mend();
    await ended;
    expect(wordsOf(events)).toBe('Before. After.');
    expect(seqsOf(events)).toEqual(range(events.length));
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnFinishedEvent', turnStatus: 'COMPLETED' });
    expect(statuses).toEqual(['connecting', 'live', 'reconnecting', 'live']);
  });

  test('goes on after a restart of the server, with how the turn ended', async () => {
    const running = await start({
      answerTurn: async ({ emit, signal }) => {
        emit(text('Half an ans'));
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
    const qpilot = createQPilot({ url: running.url });
    const { events, ended } = read(qpilot, await qpilot.ask('Tell me'));
    await until(() => wordsOf(events) === 'Half an ans');
    await running.restart();
    await ended;
    expect(wordsOf(events)).toBe('Half an ans');
    expect(seqsOf(events)).toEqual(range(events.length));
    expect(events.at(-1)).toMatchObject({ turnStatus: 'INTERRUPTED' });
  });

  test('gives each of two followers, and one that comes late, the same', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    const qpilot = createQPilot({ url });
    const asked = await qpilot.ask('How is it?');
    const [one, other] = [read(qpilot, asked), read(createQPilot({ url }), asked)];
    await until(() => wordsOf(one.events) === 'Before. ' && wordsOf(other.events) === 'Before. ');
    goOn();
    await Promise.all([one.ended, other.ended]);
    const late = read(qpilot, asked);
    await late.ended;
    expect(other.events).toEqual(one.events);
    expect(late.events).toEqual(one.events);
  });

  test('gives a reader that takes its time everything', async () => {
    const calls = range(700).map((call) => `c${call}`);
    const looks = calls.flatMap((callId) => [toolStart(callId), toolEnd(callId, false)]);
    const { url } = await start({ answerTurn: tell(...looks, text('Done.')) });
    const qpilot = createQPilot({ url });
    const asked = await qpilot.ask('Look');
    const events: SessionEvent[] = [];
    for await (const event of qpilot.followAnswer(asked)) {
      events.push(event);
      // Until the server has sent all that it can.
      if (events.length === 1) await read(createQPilot({ url }), asked).ended;
    }
    expect(seqsOf(events)).toEqual(range(events.length));
    const ends = events.filter(({ __typename }) => __typename === 'ToolCallFinishedEvent');
    expect(ends).toHaveLength(700);
  });

  test('is over when its signal fires, without an error; the turn goes on', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    const qpilot = createQPilot({ url });
    const asked = await qpilot.ask('How is it?');
    const left = new AbortController();
    const seen: SessionEvent[] = [];
    for await (const event of qpilot.follow(asked.sessionId, { after: asked.lastSeq, signal: left.signal })) {
      seen.push(event);
      if (event.__typename === 'TokenEvent') left.abort();
    }
    expect(wordsOf(seen)).toBe('Before. ');
    goOn();
    const { events, ended } = read(qpilot, asked);
    await ended;
    expect(wordsOf(events)).toBe('Before. After.');
  });

  test('follows a message into the answer that it joined', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    const qpilot = createQPilot({ url });
    const first = await qpilot.ask('How is it?');
    const added = await qpilot.ask({ content: 'And Q3?', sessionId: first.sessionId, whenBusy: 'STEER' });
    expect(added.joinsId).toBe(first.turnId);
    goOn();
    const { events, ended } = read(qpilot, added);
    await ended;
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnFinishedEvent' });
  });
});

/** An id that nothing has. */
const unknown = (type: string): string => btoa(`${type}:00000000-0000-4000-8000-000000000000`);

describe('what is refused', () => {
  test('says by its class what was wrong with a question', async () => {
    const { answerTurn, goOn } = inTwoParts();
    const { url } = await start({ answerTurn });
    const qpilot = createQPilot({ url });
    await expect(qpilot.ask(' ')).rejects.toMatchObject({
      name: 'InvalidInputError',
      issues: [{ path: ['input', 'content'] }],
    });
    await expect(qpilot.ask({ content: 'Hi', model: 'gpt-9' })).rejects.toThrow(InvalidInputError);
    await expect(qpilot.cancel(unknown('Turn'))).rejects.toThrow(NotFoundError);
    const { sessionId, turnId } = await qpilot.ask('How is it?');
    const second = qpilot.ask({ content: 'And now?', sessionId });
    await expect(second).rejects.toThrow(SessionBusyError);
    await expect(second).rejects.toMatchObject({ busyTurnId: turnId });
    goOn();
  });

  test.each([
    ['an unknown conversation', unknown('CopilotSession'), 0, NotFoundError],
    ['a cursor beyond the end', null, 1_000, CursorAheadError],
  ])('ends following %s', async (_name, session, after, expected) => {
    const { url } = await start({ answerTurn: tell(text('Hi.')) });
    const qpilot = createQPilot({ url });
    const { sessionId } = await qpilot.ask('Hi');
    const statuses: string[] = [];
    const onStatus = (status: string): void => void statuses.push(status);
    const next = qpilot.follow(session ?? sessionId, { after, onStatus }).next();
    await expect(next).rejects.toThrow(expected);
    expect(statuses.at(-1)).toBe('ended');
  });

  test('tells somebody whom the server does not know so, over HTTP and over the socket', async () => {
    const { url } = await start({ env: { AUTH_MODE: 'accounts' } });
    const qpilot = createQPilot({ url, token: 'qp_wrong' });
    await expect(qpilot.ask('Hi')).rejects.toThrow(UnauthenticatedError);
    await expect(qpilot.follow('any').next()).rejects.toThrow(UnauthenticatedError);
  });

  test('gives up a request when its signal fires, with its reason', async () => {
    const { url } = await start({});
    const reason = new Error('left');
    const asking = createQPilot({ url }).ask('Hi', { signal: AbortSignal.abort(reason) });
    await expect(asking).rejects.toBe(reason);
  });
});

describe('a wrong address', () => {
  test.each([['nonsense'], ['ftp://127.0.0.1'], ['']])('%j is refused before anything is sent', (url) => {
    expect(() => createQPilot({ url })).toThrow(QPilotError);
    expect(() => createQPilot({ url })).toThrow(`${JSON.stringify(url)} is not an http address`);
  });

  test('where nothing answers says so, and following it gives up', async () => {
    const qpilot = createQPilot({ url: 'http://127.0.0.1:9' });
    const asking = qpilot.ask('Hi');
    await expect(asking).rejects.toThrow(UnreachableError);
    await expect(asking).rejects.toThrow('no QPilot answers at http://127.0.0.1:9');
    const following = qpilot.follow('any', { patienceMs: 300 }).next();
    await expect(following).rejects.toThrow(UnreachableError);
  });

  test('where something else answers says so at once', async () => {
    const other = createServer((_request, response) => response.writeHead(404).end('not here')).listen(0);
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const qpilot = createQPilot({ url });
    const wrong = new NotQPilotError(`what answers at ${url} (status 404) is not QPilot`);
    await expect(qpilot.ask('Hi')).rejects.toThrow(wrong);
    await expect(qpilot.follow('any').next()).rejects.toThrow(wrong);
    other.close();
  });

  test('with /graphql or a slash at its end is as good', async () => {
    const { url } = await start({ answerTurn: tell(text('Hi.')) });
    for (const end of ['/', '/graphql', '/graphql/']) {
      const qpilot = createQPilot({ url: url + end });
      const { events, ended } = read(qpilot, await qpilot.ask('Hi'));
      await ended;
      expect(wordsOf(events)).toBe('Hi.');
    }
  });
});

test('a table is uploaded, and what is wrong with a file is said', async () => {
  const { url } = await start({});
  const qpilot = createQPilot({ url });
  const uploaded = await qpilot.upload(new File(['qid,T1 (us)\nQ0,45\nQ1,38\n'], 'sweep.csv'));
  expect(uploaded).toMatchObject({ rowCount: 2, columns: [{ name: 'qid' }, { name: 'T1' }] });
  await expect(qpilot.upload(new File([''], 'empty.csv'))).rejects.toThrow(InvalidInputError);
});
