/** Rules 1 to 4, 10, 13 and 14 of the event log, on a real Postgres. The rules are in docs/event-log.md. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Client, type QueryConfig } from 'pg';
import type { SessionEvent } from '../../src/domain/conversation/session-event.ts';
import { CursorAheadError, NotFoundError } from '../../src/base/errors.ts';
import { createEventLog } from '../../src/events/event-log.ts';
import type { EventLog } from '../../src/events/event-log.ts';
import { SessionTail } from '../../src/events/session-tail.ts';
import { ask, ended, heldTurns, readToEnd, startChat, viewer } from '../support/chat.ts';
import type { Chat } from '../support/chat.ts';
import { createTestDatabase } from '../support/databases.ts';
import type { TestDatabase } from '../support/databases.ts';
import { until } from '@qpilot/test-support';

let database: TestDatabase;
let chat: Chat;
const turns = heldTurns();

beforeAll(async () => {
  database = await createTestDatabase();
  chat = await startChat(database.url, { answerTurn: turns.answerTurn, times: { drainMs: 0 } });
});
afterAll(async () => {
  await chat.stop();
  await database.drop();
});

/** A session with a running turn that the test speaks for. */
async function startTurn() {
  const { turn, session } = await chat.copilot.sendMessage(viewer, ask('go'));
  return { turn, sessionId: session.id, ...(await turns.of(turn)) };
}

/** Collects what a reader is given until `stop`. */
async function reader(sessionId: string) {
  const stop = new AbortController();
  const events: SessionEvent[] = [];
  const iterable = await chat.copilot.follow(viewer, sessionId, 0, stop.signal);
  const done = (async () => {
    for await (const event of iterable) events.push(event);
  })();
  return { events, stop: () => (stop.abort(), done) };
}

const countOf = async (sql: string, ...values: unknown[]): Promise<number> =>
  (await chat.pool.query<{ n: number }>(`select count(*)::int as n ${sql}`, values)).rows[0]?.n ?? 0;

/** The pool of a chat, and how many queries went through this view of it. */
function counting({ pool }: Pick<Chat, 'pool'>) {
  let count = 0;
  const query = (...given: Parameters<typeof pool.query>) => ((count += 1), pool.query(...given));
  return { pool: Object.create(pool, { query: { value: query } }) as typeof pool, queries: () => count };
}

describe('rule 1: log first', () => {
  test('every event is in the log, with seq from 1 and no gap, when a reader gets it', async () => {
    const { sessionId, say, finish } = await startTurn();
    const missing: number[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      for await (const event of await chat.copilot.follow(viewer, sessionId, 0, stop.signal)) {
        const found = await countOf('from events where session_id = $1 and seq = $2', sessionId, event.seq);
        if (found !== 1) missing.push(event.seq);
        if (event.type === 'TurnFinishedEvent') stop.abort();
      }
    })();
    for (let index = 0; index < 20; index += 1) say('x'.repeat(300));
    finish();
    await watching;
    expect(missing).toEqual([]);
    const { rows } = await chat.pool.query<{ seq: number }>(
      'select seq from events where session_id = $1 order by seq',
      [sessionId],
    );
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  });
});

test('rule 1: nothing of a batch is read before Postgres has said that it is stored', async () => {
  const { sessionId, turn, finish } = await startTurn();
  const commit = Promise.withResolvers<void>();
  const query = async (statement: QueryConfig) => {
    const result = await chat.pool.query(statement);
    if (statement.name === 'append-together') await commit.promise;
    return result;
  };
  const pool = Object.create(chat.pool, { query: { value: query } }) as typeof chat.pool;
  const log = createEventLog({
    ...chat,
    pool,
    wakeUps: { ...chat.wakeUps, onGrowth: () => () => undefined, onGrowthCheck: () => () => undefined },
  });
  const events = log.follow(sessionId, 0, AbortSignal.timeout(60_000));
  expect((await events.next()).value?.type).toBe('TurnStartedEvent');
  const { rows } = await chat.pool.query<{ owner: string }>('select owner from turns where id = $1', [
    turn.id,
  ]);
  const payload = { phase: 'THINKING', text: '' } as const;
  const appended = log.append({
    sessionId,
    turnId: turn.id,
    owner: rows[0]!.owner,
    number: 1,
    events: [{ type: 'StatusEvent', payload }],
    toolCalls: [],
    charts: [],
    tables: [],
  });
  let isRead = false;
  const next = events.next().then((result) => ((isRead = true), result));
  for (let turns = 0; turns < 50; turns += 1) await nextTurn();
  expect(isRead).toBe(false);
  commit.resolve();
  expect((await next).value).toMatchObject({ seq: 2, type: 'StatusEvent' });
  expect(await appended).toMatchObject({ stored: true });
  await events.return?.();
  finish();
  await ended(chat, turn);
});

describe('rule 2: wake-ups carry nothing', () => {
  const LISTENERS = `from pg_stat_activity
    where datname = current_database() and application_name = 'qpilot wake-ups'`;

  test('a notification says the session’s id and no more', async () => {
    const listener = new Client({ connectionString: database.url });
    const payloads = new Set<string | undefined>();
    listener.on('notification', ({ payload }) => payloads.add(payload));
    await listener.connect();
    await listener.query('listen qpilot_events');
    const { sessionId, turn, say, finish } = await startTurn();
    say('something');
    finish();
    await ended(chat, turn);
    await until(() => payloads.size > 0);
    await listener.end();
    expect([...payloads]).toEqual([sessionId]);
  });

  test('readers lose nothing when every wake-up is lost, and get nothing twice when each comes three times', async () => {
    const deaf = createEventLog({
      ...chat,
      wakeUps: {
        ...chat.wakeUps,
        onGrowth: (_id, listener) => {
          const timer = setInterval(listener, 50); // the regular hint, faster
          return () => clearInterval(timer);
        },
      },
    });
    const nervous = createEventLog({
      ...chat,
      wakeUps: {
        ...chat.wakeUps,
        onGrowth: (id, listener) =>
          chat.wakeUps.onGrowth(id, () => {
            for (let times = 0; times < 3; times += 1) listener();
          }),
      },
    });
    const { sessionId, say, finish } = await startTurn();
    const seqs = [deaf, nervous].map(async (log) => {
      const seen: number[] = [];
      for await (const { seq, type } of log.follow(sessionId, 0, AbortSignal.timeout(60_000))) {
        seen.push(seq);
        if (type === 'TurnFinishedEvent') return seen;
      }
      return seen;
    });
    for (let index = 0; index < 10; index += 1) say('y'.repeat(300));
    finish();
    const [slow, quick] = await Promise.all(seqs);
    expect(slow).toEqual(slow?.map((_, index) => index + 1));
    expect(quick).toEqual(slow);
  });

  test('listening begins again by itself after its connection was cut', async () => {
    const { sessionId, say, finish } = await startTurn();
    const watching = readToEnd(chat, sessionId);
    await chat.pool.query(`select pg_terminate_backend(pid) ${LISTENERS}`);
    say('after the cut');
    finish();
    expect((await watching).at(-1)?.type).toBe('TurnFinishedEvent');
    await until(async () => (await countOf(LISTENERS)) > 0, { what: 'a new listening connection' });
  });
});

describe('rule 2, without the regular hints', () => {
  /** Two servers that have only the wake-ups to go by, and a running turn of the first. */
  async function withQuietChats(work: (a: Chat, b: Chat, turn: StartedTurn) => Promise<void>) {
    const held = heldTurns();
    const own = await createTestDatabase(); // the presence of further processes would be hints, too
    const a = await startChat(own.url, { answerTurn: held.answerTurn, hintMs: 600_000 });
    const b = await startChat(own.url, { hintMs: 600_000 });
    try {
      const { turn, session } = await a.copilot.sendMessage(viewer, ask('go'));
      const { say, finish } = await held.of(turn);
      await work(a, b, { sessionId: session.id, say });
      finish();
      await ended(a, turn);
    } finally {
      await Promise.all([a.stop(), b.stop()]);
      await own.drop();
    }
  }
  type StartedTurn = { readonly sessionId: string; readonly say: (words: string) => void };

  /** Follows a log while words are emitted one by one; returns the events of each. */
  async function hear(log: EventLog, { sessionId, say }: StartedTurn, words: readonly string[]) {
    const events = log.follow(sessionId, 1, AbortSignal.timeout(60_000));
    const heard: string[] = [];
    for (const word of words) {
      const next = events.next();
      say(word);
      const { value } = await next;
      if (value?.type === 'TokenEvent') heard.push(value.payload.text);
    }
    await events.return?.();
    return heard;
  }
  const words = Array.from({ length: 20 }, (_, index) => `${index} `.padEnd(300, '-'));

  test('readers in another process get each event as it is emitted', () =>
    withQuietChats(async (_a, b, turn) => {
      expect(await hear(b.eventLog, turn, words)).toEqual(words);
    }));

  test('a waiting reader reads once for each batch, its own process’s announcements notwithstanding', () =>
    withQuietChats(async (a, _b, turn) => {
      const { pool, queries } = counting(a);
      expect(await hear(createEventLog({ ...a, pool }), turn, words)).toEqual(words);
      expect(queries()).toBeLessThanOrEqual(words.length + 2); // at its start, and when notified that the turn began
    }));
});

describe('followers of a turn in the same process', () => {
  test('get its events from the append, the same ones that a later reader gets, without reading the log', async () => {
    const held = heldTurns();
    const quiet = await createTestDatabase(); // the presence of further processes would be hints, too
    const own = await startChat(quiet.url, { answerTurn: held.answerTurn, hintMs: 600_000 });
    try {
      const query = jest.spyOn(own.pool, 'query');
      const { turn, session } = await own.copilot.sendMessage(viewer, ask('go'));
      const { run, say, finish } = await held.of(turn);
      const seen: SessionEvent[] = [];
      const events = own.eventLog.follow(session.id, 1, AbortSignal.timeout(60_000));
      const next = events.next();
      say('first'); // its reader has begun to wait once this has come
      seen.push((await next).value);
      query.mockClear();
      for (let index = 0; index < 20; index += 1) {
        const waiting = events.next();
        if (index % 5 === 0) run.emit({ type: 'status', phase: 'THINKING', text: `${index}` });
        else say(`${index} `.padEnd(300, '-'));
        seen.push((await waiting).value);
      }
      const names = query.mock.calls.map(([statement]) => (statement as { name?: string }).name);
      const appends = names.filter((name) => name === 'append-together');
      expect(appends).toHaveLength(seen.length - 1);
      // Late notifications that the turn began; no read for each event.
      expect(names.length - appends.length).toBeLessThan(seen.length / 3);
      await events.return?.();
      finish();
      await ended(own, turn);
      const replayed = (await readToEnd(own, session.id)).slice(1, 1 + seen.length);
      expect(seen).toStrictEqual(replayed);
    } finally {
      await own.stop();
      await quiet.drop();
    }
  });

  test('get events of other processes in their place among them', async () => {
    const tail = new SessionTail(0, async (afterSeq) =>
      [1, 2, 3, 4, 5].slice(afterSeq).map((seq) => ({ seq }) as SessionEvent),
    );
    tail.feed([{ seq: 1 } as SessionEvent]);
    tail.feed([{ seq: 4 }, { seq: 5 }] as SessionEvent[]); // 2 and 3 are another process's
    const { growths } = tail;
    expect((await tail.readAfter(0)).map(({ seq }) => seq)).toEqual([1]);
    expect((await tail.readAfter(1)).map(({ seq }) => seq)).toEqual([2, 3, 4, 5]);
    expect(growths).toBeGreaterThan(0);
  });
});

describe('rule 3: one follow loop', () => {
  test('a hundred readers of a running turn see the same events and share the reads', async () => {
    const { sessionId, say, finish } = await startTurn();
    const stop = new AbortController();
    const { pool, queries } = counting(chat);
    const log = createEventLog({ ...chat, pool });
    const readers = Array.from({ length: 100 }, async () => {
      const seen: SessionEvent[] = [];
      for await (const event of log.follow(sessionId, 0, stop.signal)) {
        seen.push(event);
        if (event.type === 'TurnFinishedEvent') return seen;
      }
      return seen;
    });
    await until(() => log.followers === 100);
    for (let index = 0; index < 20; index += 1) {
      say(`word ${index} `);
      say('z'.repeat(256));
    }
    finish();
    const [first, ...others] = await Promise.all(readers);
    for (const seen of others) expect(seen).toEqual(first);
    expect(others[0]?.at(-1)).toBe(first?.at(-1)); // the very same object, parsed once
    expect(queries()).toBeLessThan(100 + 4 * (first?.length ?? 0)); // not 100 for each event
    expect(log.followers).toBe(0);
  });

  test('a reader that stalls for a whole turn of 5,000 events delays nobody and goes on where it was', async () => {
    const { sessionId, run, finish } = await startTurn();
    const stalled = (await chat.copilot.follow(viewer, sessionId, 0, AbortSignal.timeout(60_000)))[
      Symbol.asyncIterator
    ]();
    const first = await stalled.next();
    expect(first.value?.seq).toBe(1);
    const watching = readToEnd(chat, sessionId);
    for (let stored = 0; stored < 5_000; stored += 100) {
      for (let index = 0; index < 100; index += 1)
        run.emit({ type: 'status', phase: 'THINKING', text: `${index}` });
      await until(async () => (await countOf('from events where session_id = $1', sessionId)) > stored);
    }
    finish();
    const seen = await watching;
    expect(seen.length).toBeGreaterThanOrEqual(5_000);
    const rest: SessionEvent[] = [];
    for (let next = await stalled.next(); !next.done; next = await stalled.next()) {
      rest.push(next.value);
      if (next.value.type === 'TurnFinishedEvent') break;
    }
    await stalled.return?.();
    expect([first.value, ...rest]).toEqual(seen);
  });

  test('the shared tail keeps a few hundred events, however many there are', async () => {
    const total = 10_000;
    let longestRead = 0;
    const tail = new SessionTail(0, async (afterSeq, limit) => {
      longestRead = Math.max(longestRead, limit);
      const length = Math.min(limit, total - afterSeq);
      return Array.from({ length }, (_, index) => ({ seq: afterSeq + index + 1 }) as SessionEvent);
    });
    for (let cursor = 0; cursor < total;) cursor = (await tail.readAfter(cursor)).at(-1)?.seq ?? total;
    const kept = await tail.readAfter(total - 400);
    expect(kept).toHaveLength(400);
    expect((await tail.readAfter(total - 401)).length).toBeLessThanOrEqual(longestRead);
    expect((await tail.readAfter(0))[0]?.seq).toBe(1);
    expect(longestRead).toBeLessThanOrEqual(400);
  });
});

describe('rule 4: a reader that goes away while it waits frees everything', () => {
  test('by its signal, and by returning', async () => {
    const { sessionId, turn, finish } = await startTurn();
    const byReturn = (await chat.copilot.follow(viewer, sessionId, 1, AbortSignal.timeout(60_000)))[
      Symbol.asyncIterator
    ]();
    const waiting = byReturn.next();
    const bySignal = await reader(sessionId);
    await until(() => chat.eventLog.followers === 2 && bySignal.events.length === 1);
    await byReturn.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await bySignal.stop();
    expect(chat.eventLog.followers).toBe(0);
    finish();
    await ended(chat, turn);
  });
});

describe('rule 10: replay', () => {
  test('gives the same events, byte for byte, from any cursor', async () => {
    const { sessionId, say, finish } = await startTurn();
    const live = readToEnd(chat, sessionId);
    for (const words of ['a', 'b\u0000', '😀'.slice(0, 1), '😀'.slice(1), ' end']) say(words);
    finish();
    const seen = await live;
    for (const afterSeq of [0, 1, seen.length - 1]) {
      const replayed = await readToEnd(chat, sessionId, { afterSeq });
      expect(JSON.stringify(replayed)).toBe(JSON.stringify(seen.slice(afterSeq)));
    }
  });
});

describe('rule 13: readers do not matter to the turn', () => {
  test('a turn goes on when its last reader leaves', async () => {
    const { sessionId, turn, say, finish } = await startTurn();
    const watching = await reader(sessionId);
    await until(() => watching.events.length > 0);
    await watching.stop();
    say('nobody listens');
    finish();
    const done = await ended(chat, turn);
    expect(done.status).toBe('COMPLETED');
    const [answer] = await chat.copilot.byId.messages(viewer, [done.answerId ?? '']);
    expect(answer?.text).toBe('nobody listens');
  });
});

describe('rule 14: cursors and access', () => {
  test('a cursor resumes after itself', async () => {
    const { sessionId, turn, say, finish } = await startTurn();
    say('x');
    finish();
    await ended(chat, turn);
    const [next] = await readToEnd(chat, sessionId, { afterSeq: 1 });
    expect(next?.seq).toBe(2);
  });

  test('a cursor past the end is an error with both numbers', async () => {
    const { sessionId, turn, finish } = await startTurn();
    finish();
    await ended(chat, turn);
    const ahead = chat.copilot.follow(viewer, sessionId, 1_000, AbortSignal.timeout(60_000));
    await expect(ahead).rejects.toThrow(CursorAheadError);
    await expect(chat.copilot.follow(viewer, sessionId, -1, AbortSignal.timeout(60_000))).rejects.toThrow(
      /afterSeq/,
    );
  });

  test('a session of another user, of another project and one that never was answer alike', async () => {
    const { sessionId, turn, finish } = await startTurn();
    finish();
    await ended(chat, turn);
    const signal = AbortSignal.timeout(60_000);
    const never = '01a20075-ee35-739d-bdf4-3fed8ed13df8';
    const attempts = [
      chat.copilot.follow({ ...viewer, id: 'eve' }, sessionId, 0, signal),
      chat.copilot.follow({ ...viewer, projectId: 'other' }, sessionId, 0, signal),
      chat.copilot.follow(viewer, never, 0, signal),
      chat.copilot.follow(viewer, 'no id at all', 0, signal),
    ];
    const errors = await Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)));
    const told = errors.map((error) => {
      expect(error).toBeInstanceOf(NotFoundError);
      return (error as Error).message.replace(/conversation [^;]+;/, 'conversation ID;');
    });
    expect(new Set(told).size).toBe(1);
  });
});
