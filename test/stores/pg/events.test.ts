import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { v4 as uuid } from 'uuid';
import type { Session } from '../../../src/domain/conversation/session.ts';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase, type OpenDatabase } from '../../../src/stores/pg/database.ts';
import { createGroupCommit } from '../../../src/events/group-commit.ts';
import {
  appendBatch,
  appendTogether,
  storedEvents,
  type EventBatch,
} from '../../../src/stores/pg/event-batches.ts';
import { insertEvents, readEvents } from '../../../src/stores/pg/events.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { insertSession, lockSession } from '../../../src/stores/pg/sessions.ts';
import { NOTHING_KNOWN, finishTurn } from '../../../src/stores/pg/turn-finish.ts';
import { insertTurn } from '../../../src/stores/pg/turn-start.ts';
import { viewer } from '../../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { until } from '@qpilot/test-support';

let database: TestDatabase;
let store: OpenDatabase;
let session: Session;
let turnId: string;
const owner = uuid();

beforeAll(async () => {
  database = await createTestDatabase();
  store = openDatabase(database.url, { log: createLogger('silent') });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});
async function openSession(): Promise<void> {
  await store.db.transaction().execute(async (tx) => {
    const about = { chipId: null, qid: null, taskId: null };
    session = await insertSession(tx, viewer, { id: newId(), kind: 'COPILOT', title: 'a', ...about });
    const { turn } = await insertTurn(tx, viewer, session, {
      question: { type: 'new', text: 'hi' },
      clientMessageId: uuid(),
      model: null,
      replaces: null,
      effort: null,
      answerSchema: null,
      disputedId: null,
      place: { type: 'run', lease: { owner, leaseMs: 60_000, asOf: new Date() } },
      traceparent: null,
    });
    turnId = turn.id;
  });
}
beforeEach(openSession);

const batch = (number: number, words = `text ${number}`, count = 1): EventBatch => ({
  sessionId: session.id,
  turnId,
  owner,
  number,
  events: Array.from({ length: count }, () => ({ type: 'TokenEvent', payload: { text: words, offset: 0 } })),
  toolCalls: [],
  charts: [],
  tables: [],
});
const stored = { stored: true, cancelRequested: false };
const seqs = async (): Promise<number[]> =>
  (await readEvents(store.pool, session.id, 0, 1_000)).map(({ seq }) => seq);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('appending a batch', () => {
  test('stores a batch once, however often it is sent, also at the same moment', async () => {
    expect(await appendBatch(store.pool, batch(1, 'a', 3))).toMatchObject({
      ...stored,
      place: { lastSeq: 4 },
    });
    expect(await appendBatch(store.pool, batch(1, 'a', 3))).toEqual(stored);
    const twice = await Promise.all([1, 2, 3].map(() => appendBatch(store.pool, batch(2))));
    expect(twice).toMatchObject([stored, stored, stored]);
    expect(twice.filter((result) => 'place' in result)).toHaveLength(1);
    expect(await seqs()).toEqual(upTo(5)); // TurnStartedEvent, 3, 1
  });

  test('notifies nobody, so that no batch waits for the commit of another; turns that begin do', async () => {
    const listener = new Client({ connectionString: database.url });
    const heard: string[] = [];
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    await listener.connect();
    try {
      await listener.query('listen qpilot_events');
      await appendBatch(store.pool, batch(1));
      await store.db.transaction().execute((tx) => insertEvents(tx, session.id, turnId, batch(2).events));
      await until(() => heard.length > 0, { what: 'the notification of the transaction' });
      expect(heard).toEqual([session.id]);
    } finally {
      await listener.end();
    }
  });

  test('refuses a batch of another owner, of a closed turn, and one that skips a number', async () => {
    expect(await appendBatch(store.pool, { ...batch(1), owner: uuid() })).toEqual({ stored: false });
    expect(await appendBatch(store.pool, batch(2))).toEqual({ stored: false });
    const end = { ...NOTHING_KNOWN, status: 'COMPLETED', error: null } as const;
    await finishTurn(store.db, { id: turnId, sessionId: session.id }, { as: 'owner', owner }, end);
    expect(await appendBatch(store.pool, batch(1))).toEqual({ stored: false });
    expect(await seqs()).toEqual(upTo(2));
  });

  test('refuses a batch that had to wait while the turn was closed', async () => {
    const pending: Promise<unknown>[] = [];
    await store.db.transaction().execute(async (tx) => {
      await lockSession(tx, session.id);
      pending.push(appendBatch(store.pool, batch(1)));
      await until(async () => (await waitingForLocks()) > 0, { what: 'the batch to wait' });
      await tx.updateTable('turns').set({ status: 'INTERRUPTED' }).where('id', '=', turnId).execute();
      await insertEvents(tx, session.id, turnId, [
        { type: 'StatusEvent', payload: { phase: 'THINKING', text: '' } },
      ]);
    });
    expect(await Promise.all(pending)).toEqual([{ stored: false }]);
    expect(await seqs()).toEqual(upTo(2));
  });

  test('gives seq without gaps to batches and other events that come at once', async () => {
    const others = Array.from({ length: 10 }, () =>
      store.db.transaction().execute(async (tx) => {
        await lockSession(tx, session.id);
        await insertEvents(tx, session.id, newId(), [
          { type: 'StatusEvent', payload: { phase: 'QUEUED', text: '' } },
        ]);
      }),
    );
    for (let number = 1; number <= 10; number += 1) await appendBatch(store.pool, batch(number, 'x', 5));
    await Promise.all(others);
    expect(await seqs()).toEqual(upTo(61));
  });

  describe('together with those of other turns', () => {
    /** Batches of as many sessions with a running turn each. */
    const batches = async (count: number): Promise<EventBatch[]> => {
      const made: EventBatch[] = [];
      for (let index = 0; index < count; index += 1) {
        await openSession();
        made.push(batch(1, `of ${index}`, index + 1));
      }
      return made;
    };
    const logOf = async ({ sessionId }: EventBatch) =>
      (await readEvents(store.pool, sessionId, 1, 1_000)).map(({ seq, turnId: id, type, payload }) => ({
        seq,
        turnId: id,
        type,
        payload,
      }));
    const expected = ({ turnId: id, events }: EventBatch) =>
      events.map((event, index) => ({ seq: index + 2, turnId: id, ...event }));

    test('each log gets its own events, in order, and every result says where they are', async () => {
      const all = await batches(5);
      const results = await appendTogether(store.pool, all);
      for (const [index, each] of all.entries()) {
        expect(results[index]).toMatchObject({ ...stored, place: { lastSeq: each.events.length + 1 } });
        expect(await logOf(each)).toEqual(expected(each));
      }
      expect(await appendTogether(store.pool, all)).toEqual(all.map(() => null)); // stored before
      for (const each of all) expect(await logOf(each)).toEqual(expected(each));
    });

    test('what is given to readers at once is what the log gives later, to the millisecond', async () => {
      const [one] = await batches(1);
      const odd = { text: 'half \uD83D and NUL \0', offset: 0, left: undefined };
      const given: EventBatch = { ...one!, events: [{ type: 'TokenEvent', payload: odd }, ...one!.events] };
      const [result] = await appendTogether(store.pool, [given]);
      const place = result?.stored === true ? result.place : undefined;
      expect(storedEvents(given, place!)).toStrictEqual(await readEvents(store.pool, given.sessionId, 1, 10));
      const next = { ...given, number: 2 };
      const alone = await appendBatch(store.pool, next);
      const second = alone.stored ? alone.place : undefined;
      expect(storedEvents(next, second!)).toStrictEqual(await readEvents(store.pool, given.sessionId, 3, 10));
    });

    test('a foreign owner, a closed turn and a wrong number are left out, the others stored', async () => {
      const [foreign, closed, skips, good] = (await batches(4)) as [
        EventBatch,
        EventBatch,
        EventBatch,
        EventBatch,
      ];
      const end = { ...NOTHING_KNOWN, status: 'CANCELLED', error: null } as const;
      const ref = { id: closed.turnId, sessionId: closed.sessionId };
      await finishTurn(store.db, ref, { as: 'owner', owner }, end);
      const before = await logOf(closed);
      const given = [{ ...foreign, owner: uuid() }, closed, { ...skips, number: 2 }, good];
      const results = await appendTogether(store.pool, given);
      expect(results).toMatchObject([null, null, null, stored]);
      expect([await logOf(foreign), await logOf(skips)]).toEqual([[], []]);
      expect(await logOf(closed)).toEqual(before);
      expect(await logOf(good)).toEqual(expected(good));
    });

    test('a session or a turn that somebody holds delays nobody', async () => {
      const [locked, lockedTurn, good] = (await batches(3)) as [EventBatch, EventBatch, EventBatch];
      await store.db.transaction().execute(async (tx) => {
        await lockSession(tx, locked.sessionId);
        await tx.selectFrom('turns').select('id').where('id', '=', lockedTurn.turnId).forUpdate().execute();
        const results = await appendTogether(store.pool, [locked, lockedTurn, good]);
        expect(results).toMatchObject([null, null, stored]);
      });
      const commit = createGroupCommit(store.pool);
      expect(await commit(locked)).toMatchObject({ ...stored, place: { lastSeq: 2 } });
    });

    test('through the group commit: one statement for all, each waits only for its own rows', async () => {
      const all = await batches(20);
      const names: (string | undefined)[] = [];
      const query = (statement: { name?: string }) => {
        names.push(statement.name);
        return store.pool.query(statement as never);
      };
      const pool = Object.create(store.pool, { query: { value: query } }) as typeof store.pool;
      const commit = createGroupCommit(pool);
      const [held, ...free] = all as [EventBatch, ...EventBatch[]];
      let late: Promise<unknown> = Promise.resolve();
      await store.db.transaction().execute(async (tx) => {
        await lockSession(tx, held.sessionId);
        late = commit(held);
        expect(await Promise.all(free.map(commit))).toMatchObject(free.map(() => stored));
      });
      expect(await late).toMatchObject(stored);
      expect(names).toEqual(['append-together', 'append']);
      for (const each of all) expect(await logOf(each)).toEqual(expected(each));
    });

    test('one that cannot be stored fails alone', async () => {
      const [bad, good] = (await batches(2)) as [EventBatch, EventBatch];
      const commit = createGroupCommit(store.pool);
      const results = await Promise.allSettled([commit({ ...bad, turnId: 'no id' }), commit(good)]);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
      expect(await logOf(good)).toEqual(expected(good));
    });
  });

  test('reads by its primary key, whatever the length of the thread', async () => {
    const { rows } = await store.pool.query<{ 'QUERY PLAN': string }>(
      `explain select seq, turn_id, type, payload, created_at from events
       where session_id = '${session.id}' and seq > 5 order by seq limit 200`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/using events_pkey|on events_pkey/);
  });

  async function waitingForLocks(): Promise<number> {
    const { rows } = await store.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.n ?? 0;
  }
});
