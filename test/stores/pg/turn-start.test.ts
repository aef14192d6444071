import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { v4 as uuid } from 'uuid';
import type { Session, Turn, Viewer } from '../../../src/domain/conversation/session.ts';
import { appendBatch } from '../../../src/stores/pg/event-batches.ts';
import { readEvents } from '../../../src/stores/pg/events.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { findRunningTurns, readOwnTurns, renewLeases } from '../../../src/stores/pg/leases.ts';
import { finishTurn, NOTHING_KNOWN, withdrawTurn } from '../../../src/stores/pg/turn-finish.ts';
import { nextInLine } from '../../../src/stores/pg/turn-line.ts';
import { lockSession } from '../../../src/stores/pg/sessions.ts';
import { startNextTurn } from '../../../src/stores/pg/turn-start.ts';
import {
  findActiveTurns,
  findStartedTurn,
  findTurns,
  openTurns,
  requestCancel,
} from '../../../src/stores/pg/turns.ts';
import { findMessages } from '../../../src/stores/pg/messages.ts';
import { viewer } from '../../support/chat.ts';
import { endLeases } from '../../support/leases.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

const firstOf = (sessionId: string) => ({ sessionId, viewerId: viewer.id, turnsPerUser: 1_000 });

let store: PgStore;
let session: Session;
let owner: string;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(async () => {
  session = await store.newSession();
  owner = uuid();
});

const queue = (first = false, text = 'hi') =>
  store.newTurn(session.id, null, viewer, {
    place: { type: 'queue', first },
    question: { type: 'new', text },
  });
const lease = (as = owner) => ({ owner: as, leaseMs: 60_000, asOf: new Date('2026-02-01T00:00:00Z') });
const open = () => store.transact((tx) => openTurns(tx, session.id));
const idsOf = (turns: readonly (Turn | null)[]) => turns.map((turn) => turn?.id ?? null);
const others: readonly Viewer[] = [
  { ...viewer, id: 'eve' },
  { ...viewer, projectId: 'another' },
];

describe('a new turn', () => {
  test('stores its question and its first event together, and is found by the id of its client', async () => {
    const clientMessageId = uuid();
    const turn = await store.newTurn(session.id, owner, viewer, { clientMessageId, model: 'm' });
    expect(turn).toMatchObject({ status: 'RUNNING', parentId: null, beforeSeq: 0, model: 'm' });
    const [question] = await findMessages(store.db, viewer, [turn.questionId]);
    expect(question).toMatchObject({ role: 'USER', text: 'hi', turnId: turn.id, sessionId: session.id });
    expect(await readEvents(store.pool, session.id, 0, 10)).toMatchObject([
      { seq: 1, turnId: turn.id, type: 'TurnStartedEvent', payload: { messageId: turn.questionId } },
    ]);
    const find = (who: Viewer) => store.transact((tx) => findStartedTurn(tx, who, clientMessageId));
    expect(await find(viewer)).toEqual({ turn, lastSeq: 0 });
    for (const other of others) expect(await find(other)).toBeNull();
  });

  test('is refused whole for a client id that the viewer has used, which others may still use', async () => {
    const clientMessageId = uuid();
    await store.newTurn(session.id, owner, viewer, { clientMessageId });
    const second = await store.newSession();
    await expect(store.newTurn(second.id, owner, viewer, { clientMessageId })).rejects.toThrow('turns_once');
    expect(await readEvents(store.pool, second.id, 0, 10)).toEqual([]);
    for (const who of others) {
      const theirs = await store.newSession(who);
      expect(await store.newTurn(theirs.id, owner, who, { clientMessageId })).toMatchObject({
        status: 'RUNNING',
      });
    }
  });

  test('of many that would run in one session at once exactly one is stored', async () => {
    const started = await Promise.allSettled(
      Array.from({ length: 6 }, () => store.newTurn(session.id, uuid())),
    );
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of started)
      if (each.status === 'rejected') expect(String(each.reason)).toMatch('turns_one_running');
    expect(await open()).toHaveLength(1);
    expect(await readEvents(store.pool, session.id, 0, 10)).toHaveLength(1);
  });
});

describe('the queue', () => {
  test('is answered in the order of asking, each question after the one before it', async () => {
    const running = await store.newTurn(session.id, owner);
    const queued = [await queue(), await queue(), await queue(), await queue(), await queue()];
    const all = [running, ...queued];
    expect(idsOf(await open())).toEqual(idsOf(all));
    expect(queued.map(({ parentId }) => parentId)).toEqual(idsOf(all.slice(0, -1)));
    expect(queued.map(({ startedAt }) => startedAt)).toEqual([null, null, null, null, null]);
  });

  test('of concurrent questions has every one, in one chain', async () => {
    await store.newTurn(session.id, owner);
    await Promise.all(Array.from({ length: 5 }, () => queue()));
    const turns = await open();
    expect(turns).toHaveLength(6);
    expect(turns.slice(1).map(({ parentId }) => parentId)).toEqual(idsOf(turns.slice(0, -1)));
    const { rows } = await store.pool.query('select number from turns where session_id = $1 order by 1', [
      session.id,
    ]);
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('lets a question go first, before all that wait and after the one that runs', async () => {
    const running = await store.newTurn(session.id, owner);
    const [a, b] = [await queue(), await queue()];
    const first = await queue(true);
    expect(idsOf(await open())).toEqual([running.id, first.id, a.id, b.id]);
    const earlier = await queue(true);
    const turns = await open();
    expect(idsOf(turns)).toEqual([running.id, earlier.id, first.id, a.id, b.id]);
    expect(turns.slice(1).map(({ parentId }) => parentId)).toEqual(idsOf(turns.slice(0, -1)));
  });

  test('that is empty takes a first question like any other', async () => {
    const running = await store.newTurn(session.id, owner);
    expect(await queue(true)).toMatchObject({ parentId: running.id, status: 'QUEUED' });
  });

  test('of another session keeps its order when a question goes first here', async () => {
    const other = await store.newSession();
    await store.newTurn(other.id, owner);
    const theirs = await store.newTurn(other.id, null);
    await store.newTurn(session.id, owner);
    await queue();
    await queue(true);
    expect(await findTurns(store.db, viewer, [theirs.id])).toEqual([theirs]);
    expect(idsOf(await findActiveTurns(store.db, viewer, [other.id, session.id]))).toHaveLength(2);
  });
});

describe('the next turn', () => {
  test('starts once the one before it has ended, with its question and the trace of its request', async () => {
    const running = await store.newTurn(session.id, owner);
    const next = await store.newTurn(session.id, null, viewer, {
      traceparent: 'trace',
      question: { type: 'new', text: 'next' },
    });
    expect(await startNextTurn(store.db, firstOf(session.id), lease())).toBeNull();
    await store.endTurn(running, owner);
    const started = await startNextTurn(store.db, firstOf(session.id), lease());
    expect(started).toMatchObject({
      session: { id: session.id },
      turn: { id: next.id, status: 'RUNNING' },
      question: { id: next.questionId, text: 'next' },
      traceparent: 'trace',
    });
    expect(started?.turn.startedAt).toBeInstanceOf(Date);
    const events = await readEvents(store.pool, session.id, 0, 10);
    expect(events.at(-1)).toMatchObject({
      type: 'TurnStartedEvent',
      turnId: next.id,
      payload: { messageId: next.questionId },
    });
  });

  test('of two processes that start it at once one gets it', async () => {
    await queue();
    await queue();
    const [one, two] = await Promise.all([
      startNextTurn(store.db, firstOf(session.id), lease()),
      startNextTurn(store.db, firstOf(session.id), lease(uuid())),
    ]);
    expect([one, two].filter((started) => started !== null)).toHaveLength(1);
    expect((await open()).map(({ status }) => status)).toEqual(['RUNNING', 'QUEUED']);
  });

  test('is the one that went first, and none in an empty or unknown session', async () => {
    expect(await startNextTurn(store.db, firstOf(session.id), lease())).toBeNull();
    expect(await startNextTurn(store.db, firstOf(newId()), lease())).toBeNull();
    await queue();
    const first = await queue(true);
    expect((await startNextTurn(store.db, firstOf(session.id), lease()))?.turn.id).toBe(first.id);
  });

  test('is looked for in a session where everything waits, and nowhere else', async () => {
    const idle = await store.newSession();
    await store.endTurn(await store.newTurn(idle.id, owner), owner);
    const waiting = async () =>
      (await nextInLine(store.db, { turnsPerUser: 1_000, most: 1_000 }))
        .map(({ sessionId }) => sessionId)
        .filter((id) => [session.id, idle.id].includes(id));
    await queue();
    expect(await waiting()).toEqual([session.id]);
    await startNextTurn(store.db, firstOf(session.id), lease());
    await queue();
    expect(await waiting()).toEqual([]);
  });

  test('is shown as active before those behind it, to its viewer only', async () => {
    const [first] = [await queue(), await queue()];
    const active = (who: Viewer) => findActiveTurns(store.db, who, [newId(), session.id, 'no id']);
    expect(idsOf(await active(viewer))).toEqual([null, first.id, null]);
    await startNextTurn(store.db, firstOf(session.id), lease());
    const sooner = await queue(true);
    expect(idsOf(await active(viewer))).toEqual([null, first.id, null]);
    await store.endTurn(first, owner);
    expect(idsOf(await active(viewer))).toEqual([null, sooner.id, null]);
    for (const other of others) {
      expect(await active(other)).toEqual([null, null, null]);
      expect(await findTurns(store.db, other, [first.id])).toEqual([null]);
    }
  });

  test('is the one behind a question that was withdrawn', async () => {
    const running = await store.newTurn(session.id, owner);
    const [withdrawn, last] = [await queue(), await queue()];
    await store.transact((tx) => withdrawTurn(tx, withdrawn, 'no'));
    await store.endTurn(running, owner);
    expect((await startNextTurn(store.db, firstOf(session.id), lease()))?.turn.id).toBe(last.id);
    expect(idsOf(await open())).toEqual([last.id]);
  });
});

describe('a lease', () => {
  const running = async () =>
    (await findRunningTurns(store.db, 0)).filter(({ sessionId }) => sessionId === session.id);
  const abandoned = async () => (await running()).filter(({ isExpired }) => isExpired);

  test('that ran out makes the turn abandoned, until its owner renews it', async () => {
    const turn = await store.newTurn(session.id, owner);
    expect(await abandoned()).toEqual([]);
    await endLeases(store, [session.id]);
    expect(await abandoned()).toMatchObject([
      { id: turn.id, sessionId: session.id, owner, cancelRequested: false },
    ]);
    await renewLeases(store.db, { owner: uuid(), leaseMs: 60_000 }, [turn.id]);
    expect(await abandoned()).toHaveLength(1);
    await renewLeases(store.db, { owner, leaseMs: 60_000 }, [turn.id, 'no id']);
    expect(await abandoned()).toEqual([]);
  });

  test('is renewed for the named turns only, and not for one that has ended', async () => {
    const turn = await store.newTurn(session.id, owner);
    await endLeases(store, [session.id]);
    await renewLeases(store.db, { owner, leaseMs: 60_000 }, []);
    expect(await abandoned()).toHaveLength(1);
    const read = () => store.pool.query('select lease_expires_at from turns where id = $1', [turn.id]);
    await store.endTurn(turn, owner);
    const { rows: before } = await read();
    await renewLeases(store.db, { owner, leaseMs: 600_000 }, [turn.id]);
    expect((await read()).rows).toEqual(before);
  });

  test('is listed, expired or not', async () => {
    const turn = await store.newTurn(session.id, owner);
    expect(await running()).toMatchObject([{ id: turn.id, owner, isExpired: false }]);
  });

  test('does not count as expired right after Postgres started, since nobody could renew it', async () => {
    await store.newTurn(session.id, owner);
    await endLeases(store, [session.id]);
    const [turn] = (await findRunningTurns(store.db, 365 * 86_400_000)).filter(
      ({ sessionId }) => sessionId === session.id,
    );
    expect(turn).toMatchObject({ isExpired: false });
  });

  test('is renewed although another turn of the owner is held, and that one is not waited for', async () => {
    const held = await store.newTurn((await store.newSession()).id, owner);
    const turn = await store.newTurn(session.id, owner);
    await endLeases(store, [session.id]);
    await store.transact(async (tx) => {
      await sql`select from turns where id = ${held.id} for update`.execute(tx);
      await renewLeases(store.db, { owner, leaseMs: 60_000 }, [held.id, turn.id]);
    });
    expect(await abandoned()).toEqual([]);
  });

  test('that ran out is not waited for while somebody holds the session', async () => {
    const turn = await store.newTurn(session.id, owner);
    await endLeases(store, [session.id]);
    const end = { ...NOTHING_KNOWN, status: 'INTERRUPTED', error: null } as const;
    await store.transact(async (tx) => {
      await lockSession(tx, session.id);
      expect(await finishTurn(store.db, turn, { as: 'successor' }, end)).toBeNull();
    });
    expect(await finishTurn(store.db, turn, { as: 'successor' }, end)).toMatchObject({
      status: 'INTERRUPTED',
    });
  });

  test('that ran out is taken over by one of two at once, and the old owner writes no more', async () => {
    const turn = await store.newTurn(session.id, owner);
    const next = await queue();
    await endLeases(store, [session.id]);
    const end = { ...NOTHING_KNOWN, status: 'INTERRUPTED', error: null } as const;
    const take = () => finishTurn(store.db, turn, { as: 'successor' }, end);
    const ends = await Promise.all([take(), take()]);
    expect(ends.filter((ended) => ended !== null)).toHaveLength(1);
    await renewLeases(store.db, { owner, leaseMs: 60_000 }, [turn.id]);
    const events = [{ type: 'TokenEvent', payload: { text: 'late', offset: 0 } }] as const;
    const late = { sessionId: session.id, turnId: turn.id, owner, number: 1, events };
    expect(await appendBatch(store.pool, { ...late, toolCalls: [], charts: [], tables: [] })).toEqual({
      stored: false,
    });
    expect(await readOwnTurns(store.db, owner)).toEqual(new Map());
    const starts = await Promise.all([
      startNextTurn(store.db, firstOf(session.id), lease()),
      startNextTurn(store.db, firstOf(session.id), lease(uuid())),
    ]);
    expect(starts.flatMap((start) => start?.turn.id ?? [])).toEqual([next.id]);
  });

  test('of one owner is not lost with that of another, and a wish to cancel is read by the owner', async () => {
    const other = await store.newSession();
    const [mine, second] = [await store.newTurn(session.id, owner), await store.newTurn(other.id, owner)];
    await store.newTurn((await store.newSession()).id, uuid());
    await store.transact((tx) => requestCancel(tx, mine.id, 'stop'));
    await store.transact((tx) => requestCancel(tx, mine.id, 'stop again'));
    expect(await readOwnTurns(store.db, owner)).toEqual(
      new Map([
        [mine.id, true],
        [second.id, false],
      ]),
    );
    const { rows } = await store.pool.query('select cancel_reason from turns where id = $1', [mine.id]);
    expect(rows).toEqual([{ cancel_reason: 'stop' }]);
    await endLeases(store, [session.id]);
    expect(await abandoned()).toMatchObject([{ id: mine.id, cancelRequested: true }]);
  });

  test('a queued turn is not cancelled by a request, which is for running ones', async () => {
    const queued = await queue();
    await store.transact((tx) => requestCancel(tx, queued.id, 'stop'));
    await startNextTurn(store.db, firstOf(session.id), lease());
    expect(await readOwnTurns(store.db, owner)).toEqual(new Map([[queued.id, false]]));
  });
});
