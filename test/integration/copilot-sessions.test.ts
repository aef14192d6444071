/** Ratings, titles and deletions, on a real database and without GraphQL. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { InvalidInputError, NotFoundError, RateLimitedError } from '../../src/base/errors.ts';
import { createLogger } from '../../src/base/log.ts';
import { createUploads, type Uploads } from '../../src/services/uploads.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { createSessionStore } from '../../src/stores/pg/session-store.ts';
import { createTableThread, type TableThread } from '../../src/sources/tables/table-thread.ts';
import { completed, tell, text } from '../support/activities.ts';
import { ask, ended, heldTurns, startChat, viewer } from '../support/chat.ts';
import type { Chat, ChatOptions } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';

let database: TestDatabase;
let rows: OpenDatabase;
let folder: string;
let thread: TableThread;
let uploads: Uploads;
const open: Chat[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  rows = openDatabase(database.url, { log: createLogger('silent'), connections: 2 });
  folder = await mkdtemp(join(tmpdir(), 'qpilot-uploads-'));
  thread = createTableThread();
  uploads = createUploads({
    db: rows.db,
    thread,
    folder,
    maxBytes: 1_000,
    limits: { filesPerDay: 100, bytesPerDay: 1e9 },
  });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((chat) => chat.stop()));
});
afterAll(async () => {
  await thread.close();
  await rows.close();
  await Promise.all([database.drop(), rm(folder, { recursive: true })]);
});

async function start(options: ChatOptions = {}): Promise<Chat> {
  const answerTurn = tell(text('answer'));
  const chat = await startChat(database.url, { answerTurn, uploads, ...options, times: { drainMs: 0 } });
  open.push(chat);
  return chat;
}

/** A question that was answered. */
async function answered(chat: Chat, who = viewer) {
  const sent = await chat.copilot.sendMessage(who, ask('hello'));
  const { answerId } = await ended(chat, sent.turn, who);
  return { ...sent, answerId: answerId ?? '' };
}

/** Those who must not be able to do anything to what is `viewer`'s. */
const strangers = [
  { ...viewer, id: 'eve' },
  { ...viewer, projectId: 'other' },
];

describe('a rating', () => {
  test('is kept once a user and answer, the newest one, with all that was said', async () => {
    const { copilot, ...chat } = await start();
    const { answerId } = await answered({ copilot, ...chat });
    const ratingOf = async (who = viewer) => (await copilot.ratingsOfMessages(who, [answerId]))[0];
    expect(await ratingOf()).toBeNull();
    const first = {
      messageId: answerId,
      rating: 2,
      kind: 'WRONG_NUMBERS',
      comment: ' 87 is too high ',
    } as const;
    expect((await copilot.rateMessage(viewer, first)).id).toBe(answerId);
    expect(await ratingOf()).toMatchObject({ rating: 2, kind: 'WRONG_NUMBERS', comment: '87 is too high' });
    await Promise.all(
      [4, 5, 4, 5].map((rating) => copilot.rateMessage(viewer, { messageId: answerId, rating })),
    );
    await copilot.rateMessage(viewer, { messageId: answerId, rating: 5, correctedAnswer: 'T1\0 is 45 μs' });
    expect(await ratingOf()).toMatchObject({
      rating: 5,
      kind: null,
      comment: null,
      correctedAnswer: 'T1\uFFFD is 45 μs',
    });
    const { rows: stored } = await sql`select 1 from ratings where message_id = ${answerId}`.execute(rows.db);
    expect(stored).toHaveLength(1);
    for (const who of strangers) expect(await ratingOf(who)).toBeNull();
  });

  test.each([
    ['0', { rating: 0 }, /input\.rating: must be 1 to 5/],
    ['6', { rating: 6 }, /input\.rating: must be 1 to 5/],
    ['4.5', { rating: 4.5 }, /input\.rating: must be a whole number/],
    ['a comment that is too long', { comment: 'x'.repeat(8_001) }, /input\.comment: must have at most 8000/],
  ])('of %s is refused', async (_what, more, message) => {
    const { copilot } = await start();
    const rating = copilot.rateMessage(viewer, { messageId: 'any', rating: 3, ...more });
    await expect(rating).rejects.toThrow(message);
  });

  test('of a question is refused, of the answer to somebody else not found', async () => {
    const chat = await start();
    const { message, answerId } = await answered(chat);
    const question = chat.copilot.rateMessage(viewer, { messageId: message.id, rating: 1 });
    await expect(question).rejects.toThrow(InvalidInputError);
    for (const who of strangers) {
      for (const messageId of [answerId, message.id, 'unknown']) {
        await expect(chat.copilot.rateMessage(who, { messageId, rating: 1 })).rejects.toThrow(NotFoundError);
      }
    }
    expect(await chat.copilot.ratingsOfMessages(viewer, [answerId])).toEqual([null]);
  });

  test('is not part of what a model is told of earlier turns', async () => {
    const chat = await start();
    const { answerId, session } = await answered(chat);
    const secret = 'the corrected answer';
    const input = { messageId: answerId, rating: 5, comment: secret, correctedAnswer: secret };
    await chat.copilot.rateMessage(viewer, input);
    const { turn } = await chat.copilot.sendMessage(viewer, ask('next', { sessionId: session.id }));
    const earlier = await createSessionStore(rows.db).earlierTurns(turn, 10);
    expect(earlier).toHaveLength(1);
    expect(JSON.stringify(earlier)).not.toContain(secret);
    await ended(chat, turn);
  });
});

describe('a title', () => {
  test('is changed without moving the conversation; white space and NUL are made harmless', async () => {
    const chat = await start();
    const { session } = await answered(chat);
    const newer = await answered(chat);
    const title = ' T1\0 of\n\tQ07 ';
    const renamed = await chat.copilot.renameSession(viewer, { sessionId: session.id, title });
    expect(renamed).toMatchObject({ id: session.id, title: 'T1\uFFFD of Q07', updatedAt: session.updatedAt });
    const { items } = await chat.copilot.sessions(viewer, { first: 2 });
    expect(items.map(({ item }) => item.id)).toEqual([newer.session.id, session.id]);
  });

  test('is found by its words in any case and order, page by page, whatever else they hold', async () => {
    const chat = await start();
    const who = { ...viewer, id: 'searcher' };
    for (const title of ['T1 of Q07', '100% of q07_b', 'Q07 and T2', 'Readout']) {
      const { session } = await answered(chat, who);
      await chat.copilot.renameSession(who, { sessionId: session.id, title });
    }
    const found = async (search: string | null, more = {}) => {
      const page = await chat.copilot.sessions(who, { first: 10, search, ...more });
      return page.items.map(({ item }) => item.title);
    };
    expect(await found(' Q07  t1 ')).toEqual(['T1 of Q07']);
    expect([await found('0% OF'), await found('7_'), await found('%%')]).toEqual([
      ['100% of q07_b'],
      ['100% of q07_b'],
      [],
    ]);
    expect([await found(''), await found(null)]).toEqual([await found('  '), await found('')]);
    const first = await chat.copilot.sessions(who, { first: 2, search: 'q07' });
    expect(first).toMatchObject({ hasNextPage: true });
    expect(await found('q07', { after: first.items.at(-1)?.cursor })).toEqual(['T1 of Q07']);
    await expect(found('x'.repeat(201))).rejects.toThrow(/search: has 201 characters/);
  });

  test.each([
    ['nothing', '', /input\.title: must not be blank/],
    ['white space', ' \n\u3000', /input\.title: must not be blank/],
    ['201 characters', 'x'.repeat(201), /input\.title: must have at most 200/],
  ])('of %s is refused', async (_what, title, message) => {
    const { copilot } = await start();
    await expect(copilot.renameSession(viewer, { sessionId: 'any', title })).rejects.toThrow(message);
  });

  test('of somebody else’s conversation, or of none, is not found', async () => {
    const chat = await start();
    const { session } = await answered(chat);
    for (const who of strangers) {
      const renaming = chat.copilot.renameSession(who, { sessionId: session.id, title: 'mine' });
      await expect(renaming).rejects.toThrow(NotFoundError);
    }
    const none = chat.copilot.renameSession(viewer, { sessionId: 'unknown', title: 'x' });
    await expect(none).rejects.toThrow(NotFoundError);
    expect((await chat.copilot.byId.sessions(viewer, [session.id]))[0]?.title).toBe('hello');
  });
});

/** Names of the tables that still hold something of a session. */
async function leftOf(sessionId: string): Promise<string[]> {
  const columns = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'session_id'
  `.execute(rows.db);
  expect(columns.rows.length).toBeGreaterThan(6);
  const left: string[] = [];
  for (const { table_name: table } of columns.rows) {
    const found = await sql`select 1 from ${sql.table(table)} where session_id = ${sessionId}`.execute(
      rows.db,
    );
    if (found.rows.length > 0) left.push(table);
  }
  return left;
}

const visual = { type: 'chart', title: 'T1', kind: 'BAR', data: [], layout: {} } as const;
const table = { type: 'table', title: 'T1', columns: [], rows: [] } as const;
const call = { callId: 'c', tool: 't', label: '', description: '', arguments: {}, round: 1 };
const finished = {
  callId: 'c',
  tool: 't',
  status: 'OK',
  durationMs: 1,
  dataSource: 'SNAPSHOT',
  preview: '',
  freshness: null,
  resultJson: '{}',
  error: null,
  visuals: [visual, table],
} as const;

describe('a deleted conversation', () => {
  test('leaves nothing behind, in any table; other conversations are as they were', async () => {
    const answerTurn = tell(
      { type: 'tool-started', call },
      { type: 'tool-finished', call: finished },
      text('a'),
    );
    const chat = await start({ answerTurn });
    const { session, answerId, turn } = await answered(chat);
    const other = await answered(chat);
    await createSessionStore(rows.db).data.put(session.id, 't1', { json: '[1]', freshness: null }, 100);
    await chat.copilot.rateMessage(viewer, { messageId: answerId, rating: 1 });
    expect((await leftOf(session.id)).toSorted()).toEqual([
      'charts',
      'events',
      'messages',
      'search_entries',
      'session_data',
      'tables',
      'tool_calls',
      'turns',
    ]);
    await chat.copilot.deleteSession(viewer, session.id);
    expect(await leftOf(session.id)).toEqual([]);
    const { rows: ratings } = await sql`select 1 from ratings where message_id = ${answerId}`.execute(
      rows.db,
    );
    expect(ratings).toEqual([]);
    expect(await chat.copilot.byId.sessions(viewer, [session.id, other.session.id])).toMatchObject([
      null,
      { id: other.session.id },
    ]);
    expect(await chat.copilot.byId.turns(viewer, [turn.id])).toEqual([null]);
    expect(await leftOf(other.session.id)).toContain('events');
    const { sessionId, first } = { sessionId: session.id, first: 5 };
    await expect(chat.copilot.messages(viewer, sessionId, { first })).rejects.toThrow(NotFoundError);
    await expect(chat.copilot.sendMessage(viewer, ask('x', { sessionId }))).rejects.toThrow(NotFoundError);
  });

  test('is gone for good: deleting it again, at once or later, changes nothing; for others it never was', async () => {
    const [a, b] = [await start(), await start()];
    const { session } = await answered(a);
    for (const who of strangers) {
      await expect(a.copilot.deleteSession(who, session.id)).rejects.toThrow(NotFoundError);
    }
    expect(await a.copilot.byId.sessions(viewer, [session.id])).toMatchObject([{ id: session.id }]);
    await Promise.all([a, b, a].map(({ copilot }) => copilot.deleteSession(viewer, session.id)));
    await a.copilot.deleteSession(viewer, session.id);
    for (const who of strangers) {
      await expect(a.copilot.deleteSession(who, session.id)).rejects.toThrow(NotFoundError);
    }
    await expect(a.copilot.deleteSession(viewer, 'unknown')).rejects.toThrow(NotFoundError);
  });

  test('has its running turn cancelled and its queue emptied, whichever server runs it', async () => {
    const turns = heldTurns();
    const [a, b] = [await start({ answerTurn: turns.answerTurn }), await start()];
    const first = await a.copilot.sendMessage(viewer, ask('one'));
    const held = await turns.of(first.turn);
    const inSession = { sessionId: first.session.id, whenBusy: 'QUEUE' } as const;
    await a.copilot.sendMessage(viewer, ask('two', inSession));
    const seen: string[] = [];
    const reading = (async () => {
      const signal = AbortSignal.timeout(60_000);
      for await (const event of await b.copilot.follow(viewer, first.session.id, first.lastSeq, signal)) {
        if (event.type === 'TurnFinishedEvent') seen.push(event.payload.status);
      }
      return signal.aborted;
    })();
    await b.copilot.deleteSession(viewer, first.session.id);
    expect(held.run.signal.aborted).toBe(true);
    expect(await reading).toBe(false);
    expect(seen).toEqual(['CANCELLED', 'CANCELLED']);
    expect(await leftOf(first.session.id)).toEqual([]);
    expect(a.runner.running).toBe(0);
  });

  test('frees everyone who follows it, on every server, at rest too', async () => {
    const chats = [await start(), await start()];
    const { session } = await answered(chats[0]!);
    const signal = AbortSignal.timeout(60_000);
    const { lastSeq = 0 } = (await chats[0]!.copilot.byId.sessions(viewer, [session.id]))[0] ?? {};
    const atEnd = chats.map(() => Promise.withResolvers<void>());
    const readers = chats.map(async ({ copilot }, index) => {
      for await (const event of await copilot.follow(viewer, session.id, 0, signal)) {
        if (event.seq === lastSeq) atEnd[index]?.resolve();
      }
    });
    await Promise.all(atEnd.map(({ promise }) => promise));
    await chats[0]!.copilot.deleteSession(viewer, session.id);
    await Promise.all(readers);
    expect(signal.aborted).toBe(false);
    expect(chats.map(({ eventLog }) => eventLog.followers)).toEqual([0, 0]);
    await expect(chats[1]!.copilot.follow(viewer, session.id, 0, signal)).rejects.toThrow(NotFoundError);
  });

  test('takes the uploads along that no other one uses, with their files', async () => {
    const chat = await start();
    const create = (name: string) =>
      uploads.create(viewer, new File(['qid,t1\nQ0,45\n'], name), AbortSignal.timeout(60_000));
    const [own, shared] = [await create('own.csv'), await create('shared.csv')];
    const both = { uploadIds: [own.id, shared.id] };
    const { session, turn } = await chat.copilot.sendMessage(viewer, ask('hi', both));
    await ended(chat, turn);
    const other = await chat.copilot.sendMessage(viewer, ask('hi', { uploadIds: [shared.id] }));
    await ended(chat, other.turn);
    await chat.copilot.deleteSession(viewer, session.id);
    expect(await uploads.byIds(viewer, [own.id, shared.id])).toMatchObject([null, { id: shared.id }]);
    expect(await readdir(folder)).toEqual([`${shared.id}.parquet`]);
    expect(await uploads.ofSession(other.session)).toHaveLength(1);
  });

  test('still counts for the limits of its owner', async () => {
    const usage = { inputTokens: 60, outputTokens: 40, cachedTokens: 0, model: 'm', costUsd: null };
    const limits = { userTokensPerDay: 150, messagesPerMinute: 3 };
    const answerTurn = async () => ({ ...completed, usage: { ...usage, totalTokens: 100 } });
    const chat = await start({ answerTurn, limits });
    const who = { ...viewer, id: crypto.randomUUID() };
    for (let turn = 0; turn < 2; turn += 1) {
      const { session } = await answered(chat, who);
      await chat.copilot.deleteSession(who, session.id);
    }
    await expect(chat.copilot.sendMessage(who, ask('hi'))).rejects.toThrow(/200 of the 150 tokens of a day/);
    const hasty = await start({ limits: { messagesPerMinute: 2 } });
    await expect(hasty.copilot.sendMessage(who, ask('hi'))).rejects.toThrow(RateLimitedError);
  });
});
