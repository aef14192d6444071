import { afterEach, describe, expect, test } from '@jest/globals';
import { encodeNodeId } from '../../schema/node-ids.ts';
import type { SessionEvent } from '../../src/domain/conversation/session-event.ts';
import type { Turn } from '../../src/domain/conversation/session.ts';
import { CursorAheadError, NotFoundError } from '../../src/base/errors.ts';
import type { RunningServer } from '../../src/server/http.ts';
import type { CopilotService } from '../../src/services/copilot/copilot.ts';
import { sse } from '../support/graphql-client.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { stubServices } from '../support/stub-services.ts';
import { until } from '@qpilot/test-support';
import { connect, subscribe } from '../support/websocket-client.ts';

const FIELDS = '__typename ... on SequencedEvent { seq turn { rounds } } ... on TokenEvent { text offset }';
/** Variables named after the arguments: this form can be compiled, the other one cannot. */
const COMPILABLE = `subscription ($sessionId: ID!, $afterSeq: Int) {
  copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) { ${FIELDS} } }`;
const OTHER_NAMES = `subscription ($id: ID!, $sessionId: Int) {
  copilotEvents(sessionId: $id, afterSeq: $sessionId) { ${FIELDS} } }`;
/** One more variable, named after an argument that is not given. */
const ONE_MORE = `subscription ($sessionId: ID!, $afterSeq: Boolean!) {
  copilotEvents(sessionId: $sessionId) { __typename @include(if: $afterSeq) } }`;
const ALIASED = `subscription ($sessionId: ID!, $afterSeq: Int) {
  events: copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) { __typename } }`;
const SESSION = encodeNodeId('CopilotSession', 'session-1');

const token = (seq: number, text = `word ${seq} `): SessionEvent => ({
  type: 'TokenEvent',
  payload: { text, offset: 0 },
  sessionId: 'session-1',
  turnId: 'turn-1',
  seq,
  createdAt: new Date(0),
});

/** Tells what becomes of the stream behind a subscription. */
type Tap = { readonly ended: Promise<void>; pulled: number };

/** A log that yields `events` as they are pulled and then waits, as the real one does, until its signal fires. */
function tappedLog(events: Iterable<SessionEvent>, copilot: Partial<CopilotService> = {}) {
  const taps: Tap[] = [];
  const follow: CopilotService['follow'] = async (_viewer, _sessionId, _afterSeq, signal) => {
    const ended = Promise.withResolvers<void>();
    const tap: Tap = { ended: ended.promise, pulled: 0 };
    taps.push(tap);
    return (async function* () {
      try {
        for (const event of events) {
          tap.pulled += 1;
          yield event;
        }
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      } finally {
        ended.resolve();
      }
    })();
  };
  const stub = stubServices({}).copilot;
  return { taps, copilot: { ...stub, byId: { ...stub.byId }, ...copilot, follow } };
}

const transports = { 'a WebSocket': subscribe, 'server-sent events': sse };

describe.each(Object.entries(transports))('over %s', (_name, transport) => {
  describe.each([
    { name: 'compiled', graphqlJit: true, query: COMPILABLE },
    { name: 'not compilable', graphqlJit: true, query: OTHER_NAMES },
    { name: 'interpreted', graphqlJit: false, query: COMPILABLE },
  ])('$name', ({ query, graphqlJit }) => {
    const options = { graphqlJit };
    const listen = (id = SESSION, afterSeq?: number) =>
      transport(
        server.url,
        query,
        query === COMPILABLE ? { sessionId: id, afterSeq } : { id, sessionId: afterSeq },
      );
    let server: RunningServer;
    afterEach(() => server.close());

    const turnsByRound = (rounds: { now: number }): Partial<CopilotService> => ({
      byId: {
        ...stubServices({}).copilot.byId,
        turns: async (_viewer, ids) => ids.map((id) => ({ id, rounds: rounds.now }) as Turn),
      },
    });

    test('events come in order, and each is resolved from what is stored when it is delivered', async () => {
      const rounds = { now: 0 };
      const events = (function* () {
        for (rounds.now = 1; rounds.now <= 3; rounds.now += 1) yield token(rounds.now);
      })();
      const log = tappedLog(events, turnsByRound(rounds));
      server = await startTestServer({ copilot: log.copilot }, options);
      const seen: unknown[] = [];
      for await (const { data } of listen(SESSION, 0)) {
        seen.push(data?.['copilotEvents']);
        if (seen.length === 3) break;
      }
      expect(seen).toEqual(
        [1, 2, 3].map((seq) => ({
          __typename: 'TokenEvent',
          seq,
          turn: { rounds: seq },
          text: `word ${seq} `,
          offset: 0,
        })),
      );
    });

    test('a subscriber that leaves frees its stream at once, also while that waits', async () => {
      const log = tappedLog([token(1)], turnsByRound({ now: 1 }));
      server = await startTestServer({ copilot: log.copilot }, options);
      for await (const _event of listen()) break;
      await log.taps[0]?.ended;
      expect(log.taps).toHaveLength(1);
    });

    test.each([
      ['a cursor beyond the end', new CursorAheadError(9, 4), { code: 'CURSOR_AHEAD', lastSeq: 4 }],
      ['an unknown session', new NotFoundError('there is no such session'), { code: 'NOT_FOUND' }],
    ])('%s is an error with a code, not silence', async (_what, error, extensions) => {
      const log = tappedLog([]);
      const follow = async () => Promise.reject(error);
      server = await startTestServer({ copilot: { ...log.copilot, follow } }, options);
      const answers = await collect(listen(SESSION, 9));
      expect(answers).toMatchObject([{ errors: [{ message: error.message, extensions }] }]);
    });

    test('the id of something else is refused with what would be right', async () => {
      server = await startTestServer({ copilot: tappedLog([]).copilot }, options);
      const answers = await collect(listen(encodeNodeId('Turn', '1')));
      expect(answers[0]?.errors[0]).toMatchObject({
        message: 'sessionId: this is the id of a Turn; give the id of a CopilotSession',
        extensions: { code: 'INVALID_INPUT' },
      });
    });

    test('streams end when the server stops', async () => {
      const log = tappedLog([token(1)], turnsByRound({ now: 1 }));
      server = await startTestServer({ copilot: log.copilot }, options);
      const stream = listen();
      await stream.next();
      const rest = collect(stream).catch((error: Error) => error.message);
      await server.close();
      await log.taps[0]?.ended;
      expect([[], 'the socket was closed with 1001']).toContainEqual(await rest);
    });
  });
});

describe.each([true, false])('with compilation %s', (graphqlJit) => {
  let server: RunningServer;
  afterEach(() => server.close());

  test.each([
    { what: 'an alias', query: ALIASED, given: 4, cursor: 4, field: 'events' },
    { what: 'another argument’s variable', query: ONE_MORE, given: true, cursor: 0, field: 'copilotEvents' },
  ])('a root field with $what gets its own arguments', async ({ query, given, cursor, field }) => {
    const cursors: number[] = [];
    const log = tappedLog([token(5)]);
    const follow: CopilotService['follow'] = (viewer, id, afterSeq, signal) => {
      cursors.push(afterSeq);
      return log.copilot.follow(viewer, id, afterSeq, signal);
    };
    server = await startTestServer({ copilot: { ...log.copilot, follow } }, { graphqlJit });
    const stream = subscribe(server.url, query, { sessionId: SESSION, afterSeq: given });
    const { value } = await stream.next();
    await stream.return(undefined);
    expect(value).toMatchObject({ data: { [field]: { __typename: 'TokenEvent' } } });
    expect(cursors).toEqual([cursor]);
  });
});

describe('a socket', () => {
  let server: RunningServer;
  afterEach(() => server.close());
  const listenTo = (id: string) => ({
    id,
    type: 'subscribe',
    payload: { query: COMPILABLE, variables: { sessionId: SESSION } },
  });

  test('that is cut frees every stream on it', async () => {
    const log = tappedLog([]);
    server = await startTestServer({ copilot: log.copilot });
    const raw = await connect(server.url);
    for (const id of ['1', '2', '3']) raw.send(listenTo(id));
    await until(() => log.taps.length === 3);
    raw.socket.terminate();
    await Promise.all(log.taps.map(({ ended }) => ended));
  });

  test('that uses an id twice is closed with 4409 and freed', async () => {
    const log = tappedLog([]);
    server = await startTestServer({ copilot: log.copilot });
    const raw = await connect(server.url);
    raw.send(listenTo('same'));
    await until(() => log.taps.length === 1);
    raw.send(listenTo('same'));
    expect(await raw.closed).toBe(4409);
    await log.taps[0]?.ended;
  });

  test('may run 100 operations at once and no more', async () => {
    const log = tappedLog([]);
    server = await startTestServer({ copilot: log.copilot });
    const raw = await connect(server.url);
    for (let index = 1; index <= 101; index += 1) raw.send(listenTo(String(index)));
    expect(await raw.next()).toMatchObject({ id: '101', type: 'error' });
    raw.socket.close();
    await Promise.all(log.taps.map(({ ended }) => ended));
    expect(log.taps).toHaveLength(100);
  });
});

describe('a reader that stalls', () => {
  let server: RunningServer;
  afterEach(() => server.close());

  const endless = function* () {
    for (let seq = 1; ; seq += 1) yield token(seq, 'x'.repeat(10_000));
  };
  const variables = { id: SESSION };
  const query = 'subscription ($id: ID!) { copilotEvents(sessionId: $id) { ... on TokenEvent { text } } }';

  test.each([
    [
      'a WebSocket',
      async () => {
        const raw = await connect(server.url);
        raw.send({ id: '1', type: 'subscribe', payload: { query, variables } });
        raw.socket.pause();
        return () => raw.socket.terminate();
      },
    ],
    [
      'server-sent events',
      async () => {
        const stream = sse(server.url, query, variables);
        await stream.next();
        return () => void stream.return(undefined);
      },
    ],
  ])('over %s makes the stream wait and not the memory grow', async (_name, stall) => {
    const log = tappedLog(endless());
    server = await startTestServer({ copilot: log.copilot });
    const leave = await stall();
    const pulled = await untilSteady(() => log.taps[0]?.pulled ?? 0);
    expect(pulled).toBeGreaterThan(0);
    expect(pulled).toBeLessThan(5_000);
    leave();
    await log.taps[0]?.ended;
  });
});

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const collected: Value[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

/** Waits until a number has stopped to grow. */
async function untilSteady(read: () => number): Promise<number> {
  let before = -1;
  await until(
    () => {
      const now = read();
      const steady = now === before;
      before = now;
      return steady;
    },
    { intervalMs: 300, what: 'standstill' },
  );
  return before;
}
