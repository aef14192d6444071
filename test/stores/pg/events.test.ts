import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { v4 as uuid } from 'uuid';
import type { Session } from '../../../src/domain/conversation/session.ts';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase, type OpenDatabase } from '../../../src/stores/pg/database.ts';
import { appendBatch, type EventBatch, insertEvents, readEvents } from '../../../src/stores/pg/events.ts';
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
beforeEach(async () => {
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
});

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
    expect(await appendBatch(store.pool, batch(1, 'a', 3))).toEqual(stored);
    expect(await appendBatch(store.pool, batch(1, 'a', 3))).toEqual(stored);
    const twice = await Promise.all([1, 2, 3].map(() => appendBatch(store.pool, batch(2))));
    expect(twice).toEqual([stored, stored, stored]);
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
