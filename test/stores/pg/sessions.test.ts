import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Session, SessionKind, Viewer } from '../../../src/domain/conversation/session.ts';
import { appendBatch } from '../../../src/stores/pg/event-batches.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { renewLeases } from '../../../src/stores/pg/leases.ts';
import { deleteSession, wasDeleted } from '../../../src/stores/pg/session-delete.ts';
import {
  findSessions,
  insertSession,
  listSessions,
  lockSession,
  renameSession,
  retitleSession,
  type SessionSlice,
  touchSession,
} from '../../../src/stores/pg/sessions.ts';
import { startNextTurn } from '../../../src/stores/pg/turn-start.ts';
import { readActivity } from '../../../src/stores/pg/usage.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore;
/** New for every test, so that lists are empty at first. */
let who: Viewer;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(
  () => void (who = { id: uuid(), name: 'Ada', projectId: uuid(), role: 'owner', isOperator: true }),
);

const insert = (title: string, kind: SessionKind = 'COPILOT', as = who): Promise<Session> =>
  store.transact((tx) =>
    insertSession(tx, as, { id: newId(), kind, title, chipId: 'C', qid: '3', taskId: 't' }),
  );
const page = (more: Partial<SessionSlice> = {}, as = who) =>
  listSessions(store.db, as, { kind: 'COPILOT', words: [], limit: 10, after: null, ...more });
const titles = async (more: Partial<SessionSlice> = {}) => (await page(more)).map(({ title }) => title);
const setUpdated = (ids: readonly string[], at: string) =>
  store.pool.query('update sessions set updated_at = $2 where id = any($1)', [ids, at]);
/** Neither of these people may see or change what belongs to `who`. */
const others = (): Viewer[] => [
  { ...who, id: uuid() },
  { ...who, projectId: uuid() },
];

describe('the list of sessions', () => {
  test('is in order of the last message, and a page continues after the cursor', async () => {
    const [a, b, c] = [await insert('a'), await insert('b'), await insert('c')];
    const earlier = [a, b, c].map((session, second) => ({
      ...session,
      updatedAt: new Date(Date.UTC(2026, 1, 1, 0, 0, second)),
    }));
    for (const { id, updatedAt } of earlier) await setUpdated([id], updatedAt.toISOString());
    await store.transact((tx) => touchSession(tx, a.id));
    expect(await titles()).toEqual(['a', 'c', 'b']);
    const first = await page({ limit: 2 });
    expect(await titles({ limit: 2, after: first[1] ?? null })).toEqual(['b']);
    expect(await titles({ after: earlier[1] ?? null })).toEqual([]);
  });

  test('of sessions with the same time has each exactly once, by id', async () => {
    const sessions = [await insert('1'), await insert('2'), await insert('3'), await insert('4')];
    await setUpdated(
      sessions.map(({ id }) => id),
      '2026-02-01T00:00:00.123Z',
    );
    const seen: string[] = [];
    for (let after: Session | null = null, more = true; more && seen.length <= 4;) {
      const [next]: Session[] = await page({ limit: 1, after });
      if (next) seen.push(next.title);
      more = next !== undefined;
      after = next ?? null;
    }
    expect(seen).toEqual(['4', '3', '2', '1']);
  });

  test('keeps its place when a session before the cursor moves or goes', async () => {
    const [a, b, c] = [await insert('a'), await insert('b'), await insert('c')];
    const [, after] = await page({ limit: 2 }); // c, b
    await store.transact((tx) => touchSession(tx, c.id));
    await store.transact((tx) => deleteSession(tx, b));
    expect(await page({ after: after ?? null })).toEqual([a]);
  });

  test('has one kind only', async () => {
    await insert('chat');
    await insert('builder', 'BUILDER');
    await insert('job', 'JOB');
    expect(await titles()).toEqual(['chat']);
    expect(await titles({ kind: 'BUILDER' })).toEqual(['builder']);
  });

  test('is empty for others in the project and for the same user in another project', async () => {
    await insert('mine');
    for (const other of others()) expect(await page({}, other)).toEqual([]);
  });
});

describe('a search', () => {
  test('needs every word, in any case and order', async () => {
    await insert('T1 of Qubit 7');
    await insert('t1 drift');
    expect(await titles({ words: ['QUBIT', 't1'] })).toEqual(['T1 of Qubit 7']);
    expect(await titles({ words: ['T1'] })).toEqual(['t1 drift', 'T1 of Qubit 7']);
    expect(await titles({ words: ['t2'] })).toEqual([]);
  });

  test.each(['%', '_', '\\', "'", '100%'])('takes %s literally', async (word) => {
    await insert('plain words 1000');
    await insert(`it is ${word} here`);
    expect(await titles({ words: [word] })).toEqual([`it is ${word} here`]);
  });

  test('finds what is not ASCII and pages like any list', async () => {
    await insert('Überblick Q1');
    await insert('量子ビット Q2');
    await insert('überall');
    expect(await titles({ words: ['ビット'] })).toEqual(['量子ビット Q2']);
    const [newest] = await page({ words: ['ü'], limit: 1 });
    expect(newest?.title).toBe('überall');
  });
});

describe('a session', () => {
  test('is read as it was stored, in the order of the ids, null for the ones of others', async () => {
    const [mine, second] = [await insert('mine'), await insert('second')];
    expect(mine).toMatchObject({ chipId: 'C', qid: '3', taskId: 't', lastSeq: 0 });
    const ids = [second.id, 'no id', newId(), mine.id, second.id];
    expect(await findSessions(store.db, who, ids)).toEqual([second, null, null, mine, second]);
    for (const other of others()) expect(await findSessions(store.db, other, [mine.id])).toEqual([null]);
    expect(await findSessions(store.db, who, [])).toEqual([]);
  });

  test('is renamed by its owner without moving in the list', async () => {
    const [older, newer] = [await insert('older'), await insert('newer')];
    const renamed = await renameSession(store.db, who, older.id, 'renamed');
    expect(renamed).toEqual({ ...older, title: 'renamed' });
    expect(await page()).toEqual([newer, renamed]);
    await store.transact((tx) => retitleSession(tx, older.id, 'again'));
    expect(await page()).toEqual([newer, { ...older, title: 'again' }]);
  });

  test('is renamed by nobody else, and only where it is a conversation', async () => {
    const mine = await insert('mine');
    const builder = await insert('builder', 'BUILDER');
    for (const other of others()) expect(await renameSession(store.db, other, mine.id, 'x')).toBeNull();
    for (const id of [builder.id, newId(), 'no id'])
      expect(await renameSession(store.db, who, id, 'x')).toBeNull();
    expect(await findSessions(store.db, who, [mine.id, builder.id])).toEqual([mine, builder]);
  });
});

describe('a deleted session', () => {
  const remove = (session: Session) => store.transact((tx) => deleteSession(tx, session));

  test('is remembered for its owner alone', async () => {
    const [gone, kept] = [await insert('gone'), await insert('kept')];
    await remove(gone);
    expect(await findSessions(store.db, who, [gone.id, kept.id])).toEqual([null, kept]);
    expect(await wasDeleted(store.db, who, gone.id)).toBe(true);
    for (const id of [kept.id, newId(), 'no id']) expect(await wasDeleted(store.db, who, id)).toBe(false);
    for (const other of others()) expect(await wasDeleted(store.db, other, gone.id)).toBe(false);
  });

  test('refuses everything that its running turn still writes', async () => {
    const session = await insert('busy');
    const owner = uuid();
    const turn = await store.newTurn(session.id, owner, who);
    await store.newTurn(session.id, null, who);
    await remove(session);
    const batch = { sessionId: session.id, turnId: turn.id, owner, number: 1 };
    const events = [{ type: 'TokenEvent', payload: { text: 'x', offset: 0 } }] as const;
    expect(
      await appendBatch(store.pool, { ...batch, events, toolCalls: [], charts: [], tables: [] }),
    ).toEqual({ stored: false });
    await renewLeases(store.db, { owner, leaseMs: 60_000 }, [turn.id]);
    expect(await store.endTurn(turn, owner)).toBeNull();
    expect(
      await startNextTurn(
        store.db,
        { sessionId: session.id, viewerId: session.viewerId, turnsPerUser: 100 },
        { owner, leaseMs: 1, asOf: new Date() },
      ),
    ).toBeNull();
    expect(await store.transact((tx) => lockSession(tx, session.id))).toBeNull();
    const { rows } = await store.pool.query(
      `select 1 from turns where session_id = $1 union all select 1 from events where session_id = $1
       union all select 1 from messages where session_id = $1`,
      [session.id],
    );
    expect(rows).toEqual([]);
  });

  test('waits for a turn that is just being started, and takes it along', async () => {
    const session = await insert('contended');
    const owner = uuid();
    await Promise.all(
      [
        store.newTurn(session.id, owner, who),
        store.transact(async (tx) => {
          const held = await lockSession(tx, session.id);
          if (held) await deleteSession(tx, held);
        }),
      ].map((each) => each.catch((error: unknown) => expect(String(error)).toMatch('no such session'))),
    );
    expect(await findSessions(store.db, who, [session.id])).toEqual([null]);
    const { rows } = await store.pool.query('select from turns where session_id = $1', [session.id]);
    expect(rows).toEqual([]);
  });

  test('still counts its turns for the limit of a minute', async () => {
    const session = await insert('counted');
    const owner = uuid();
    await store.endTurn(await store.newTurn(session.id, owner, who), owner);
    await store.newTurn(session.id, owner, who);
    const activity = () =>
      readActivity(store.db, { viewerId: who.id, projectId: who.projectId, sessionId: newId() });
    expect(await activity()).toMatchObject({ turnsLastMinute: 2, otherRunningSessions: 1 });
    await remove(session);
    const after = await activity();
    expect(after).toMatchObject({ turnsLastMinute: 2, otherRunningSessions: 0 });
    expect(after.minuteOverInMs).toBeGreaterThan(0);
    expect(after.minuteOverInMs).toBeLessThanOrEqual(60_000);
  });
});
