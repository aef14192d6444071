import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Session, Turn, Viewer } from '../../../src/domain/conversation/session.ts';
import {
  findSiblings,
  listMessages,
  listTurns,
  type MessagePosition,
  type MessagesPage,
  readEarlierTurns,
  type TurnsPage,
} from '../../../src/stores/pg/branches.ts';
import { findEvidenceTurns } from '../../../src/stores/pg/evidence-turns.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { findMessageOfSession } from '../../../src/stores/pg/messages.ts';
import { findSummaries, insertSummary } from '../../../src/stores/pg/summaries.ts';
import { viewer } from '../../support/chat.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

const owner = uuid();
const others: readonly Viewer[] = [
  { ...viewer, id: 'eve' },
  { ...viewer, projectId: 'another' },
];

let store: PgStore;
let session: Session;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(async () => void (session = await store.newSession()));

/** A turn that was asked and answered. */
async function answered(text: string, replaces: Turn | null = null): Promise<Turn> {
  const turn = await store.newTurn(session.id, owner, viewer, {
    question: { type: 'new', text },
    replaces,
  });
  const ended = await store.endTurn(turn, owner);
  if (ended === null) throw new Error('the turn had already ended');
  return ended;
}
/** The same question again, as a retry asks it. */
async function retried(turn: Turn): Promise<Turn> {
  const message = await findMessageOfSession(store.db, session.id, turn.questionId);
  if (message === null) throw new Error('the turn has no question');
  const again = await store.newTurn(session.id, owner, viewer, {
    question: { type: 'again', message },
    replaces: turn,
  });
  return (await store.endTurn(again, owner)) ?? again;
}
const all = { limit: 50, after: null, throughTurnId: null };
const turns = async (page: Partial<TurnsPage> = {}) =>
  (await listTurns(store.db, session.id, { ...all, ...page })).map(({ id }) => id);
/** Messages in words: a question's text, or `-` for an answer. */
const messages = async (page: Partial<MessagesPage> = {}) =>
  (await listMessages(store.db, session.id, { ...all, ...page })).map(({ message }) => message.text || '-');

describe('an edited message', () => {
  test('begins a branch at the parent of the old turn, and that branch is shown', async () => {
    const a = await answered('a');
    const b = await answered('b');
    const c = await answered('c');
    const edited = await answered('b2', b);
    expect(edited).toMatchObject({ parentId: a.id, replacesId: b.id });
    expect(await turns()).toEqual([edited.id, a.id]);
    expect(await messages()).toEqual(['-', 'b2', '-', 'a']);
    const next = await answered('d');
    expect(next.parentId).toBe(edited.id);
    expect(await turns({ throughTurnId: b.id })).toEqual([c.id, b.id, a.id]);
    expect(await turns({ throughTurnId: a.id })).toEqual([next.id, edited.id, a.id]);
  });

  test('of the first turn begins the conversation anew', async () => {
    const a = await answered('a');
    await answered('b');
    const edited = await answered('a2', a);
    expect(edited.parentId).toBeNull();
    expect(await messages()).toEqual(['-', 'a2']);
    expect(await findSiblings(store.db, viewer, [edited.id])).toEqual([[a, edited]]);
  });

  test('has its siblings in the order of asking, for its own viewer', async () => {
    const root = await answered('root');
    const [one, two] = [await answered('one'), await answered('child')];
    const three = await answered('three', one);
    const four = await answered('four', three);
    const unknown = newId();
    expect(await findSiblings(store.db, viewer, [four.id, unknown, root.id, two.id])).toEqual([
      [one, three, four],
      [],
      [root],
      [two],
    ]);
    for (const other of others) expect(await findSiblings(store.db, other, [one.id])).toEqual([[]]);
  });

  test('has no siblings among the first turns of other conversations', async () => {
    const mine = await answered('mine');
    const other = await store.newSession();
    await store.newTurn(other.id, owner);
    expect(await findSiblings(store.db, viewer, [mine.id])).toEqual([[mine]]);
  });
});

describe('pages of a branch', () => {
  test.each([1, 2, 3, 4, 5])('of %d messages neither repeat nor skip any', async (limit) => {
    for (const text of ['a', 'b', 'c']) await answered(text);
    const seen: string[] = [];
    let after: MessagePosition | null = null;
    while (seen.length <= 6) {
      const page = await listMessages(store.db, session.id, { ...all, limit, after });
      seen.push(...page.map(({ message }) => message.text || '-'));
      if (page.length === 0) break;
      after = page.at(-1)?.position ?? null;
    }
    expect(seen).toEqual(['-', 'c', '-', 'b', '-', 'a']);
  });

  test('have the question of a turn that runs or waits, and of one without an answer', async () => {
    await answered('a');
    await store.newTurn(session.id, owner, viewer, { question: { type: 'new', text: 'runs' } });
    await store.newTurn(session.id, null, viewer, { question: { type: 'new', text: 'waits' } });
    expect(await messages()).toEqual(['waits', 'runs', '-', 'a']);
  });

  test('go on in the branch of their cursor when a newer one appears', async () => {
    const [a, b, c] = [await answered('a'), await answered('b'), await answered('c')];
    await answered('b2', b);
    expect(await turns({ after: { turnId: c.id } })).toEqual([b.id, a.id]);
    expect(await messages({ after: { turnId: c.id, role: 'ASSISTANT' } })).toEqual(['c', '-', 'b', '-', 'a']);
    expect(await messages({ after: { turnId: c.id, role: 'USER' }, limit: 2 })).toEqual(['-', 'b']);
  });

  test('show the question of a retry once, with the position of its newest turn', async () => {
    const a = await answered('a');
    const again = await retried(a);
    const page = await listMessages(store.db, session.id, all);
    expect(page.map(({ message, position }) => [message.role, position.turnId])).toEqual([
      ['ASSISTANT', again.id],
      ['USER', again.id],
    ]);
    expect(page[1]?.message.turnId).toBe(a.id);
  });

  test('are empty for a cursor or a turn of another conversation, and for none at all', async () => {
    const mine = await answered('mine');
    const other = await store.newSession();
    await store.endTurn(await store.newTurn(other.id, owner), owner);
    const foreign = await store.newTurn(other.id, owner);
    expect(await turns({ after: { turnId: foreign.id } })).toEqual([]);
    expect(await turns({ throughTurnId: foreign.id })).toEqual([]);
    expect(await messages({ after: { turnId: foreign.id, role: 'ASSISTANT' } })).toEqual([]);
    expect(await messages({ throughTurnId: foreign.id })).toEqual([]);
    expect(await turns({ throughTurnId: 'no id' })).toEqual([]);
    expect(await turns()).toEqual([mine.id]);
    session = await store.newSession();
    expect(await turns()).toEqual([]);
    expect(await messages()).toEqual([]);
  });
});

describe('the turns before a turn', () => {
  test('are those of its own branch, oldest first, at most the newest of the limit', async () => {
    const [a, b] = [await answered('a'), await answered('b')];
    await answered('sibling of b', b);
    const edited = await answered('b3', b);
    const c = await answered('c');
    const texts = async (of: Turn, limit: number) =>
      (await readEarlierTurns(store.db, of, limit)).map(({ question }) => question.text);
    expect(await texts(c, 10)).toEqual(['a', 'b3']);
    expect(await texts(c, 1)).toEqual(['b3']);
    expect(await texts(edited, 10)).toEqual(['a']);
    expect(await texts(a, 10)).toEqual([]);
  });

  test('have an answer, or null where it was cancelled', async () => {
    const a = await answered('a');
    const cancelled = await store.newTurn(session.id, owner);
    await store.pool.query(`update turns set status = 'CANCELLED' where id = $1`, [cancelled.id]);
    const last = await store.newTurn(session.id, owner);
    const earlier = await readEarlierTurns(store.db, last, 10);
    expect(earlier.map(({ turnId, answer }) => [turnId, answer?.id ?? null])).toEqual([
      [a.id, a.answerId],
      [cancelled.id, null],
    ]);
  });

  test('have only the summary that covers most of the branch, where it ends', async () => {
    const [a, b] = [await answered('a'), await answered('b')];
    const summarise = (turn: Turn, text: string) =>
      insertSummary(store.db, session, { throughTurnId: turn.id, messageCount: 2, text, model: 'm' });
    await summarise(a, 'first');
    const summary = await summarise(b, 'second');
    const c = await answered('c');
    const of = async (turn: Turn) =>
      (await readEarlierTurns(store.db, turn, 10)).map((each) => each.summary?.text ?? null);
    expect(await of(c)).toEqual([null, 'second']);
    const edited = await answered('b2', b);
    expect(await of(edited)).toEqual(['first']);
    expect(await summarise(b, 'another for the same turn')).toEqual(summary);
    expect(await findSummaries(store.db, viewer, [summary.id])).toEqual([summary]);
    for (const other of others) expect(await findSummaries(store.db, other, [summary.id])).toEqual([null]);
  });
});

describe('the turns that may support an answer', () => {
  test('are itself and those before it in its branch, newest first, at most as many as asked', async () => {
    const [a, b] = [await answered('a'), await answered('b')];
    const edited = await answered('b2', b);
    const c = await answered('c');
    const of = async (limit: number) =>
      (await findEvidenceTurns(store.db, viewer, [c.id, b.id], limit)).values().toArray();
    const [ofC, ofB] = (await of(9)).toSorted((one, two) => two.length - one.length);
    expect(ofC?.map(({ id, depth, question }) => [id, depth, question])).toEqual([
      [c.id, 1, 'c'],
      [edited.id, 2, 'b2'],
      [a.id, 3, 'a'],
    ]);
    expect(ofB?.map(({ id }) => id)).toEqual([b.id, a.id]);
    expect((await of(2)).map((each) => each.length)).toEqual([2, 2]);
  });

  test('have the time of their answer, or of the question where none was begun', async () => {
    const asOf = new Date('2026-02-01T00:00:00.000Z');
    const place = { type: 'run', lease: { owner, leaseMs: 60_000, asOf } } as const;
    const first = await store.newTurn(session.id, owner, viewer, { place });
    const waiting = await store.newTurn(session.id, null);
    const found = await findEvidenceTurns(store.db, viewer, [waiting.id], 9);
    expect(found.get(waiting.id)?.map((turn) => turn.asOf)).toEqual([waiting.createdAt, asOf]);
    expect(first.parentId).toBeNull();
  });

  test('are none for somebody else', async () => {
    const turn = await answered('mine');
    for (const other of others)
      expect(await findEvidenceTurns(store.db, other, [turn.id], 9)).toEqual(new Map());
    expect(await findEvidenceTurns(store.db, viewer, ['no id', newId()], 9)).toEqual(new Map());
  });
});
