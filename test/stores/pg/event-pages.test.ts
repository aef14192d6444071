/** Logs of quiet conversations, packed: read as before, from every place, by everybody who reads events. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { packEvents } from '../../../src/stores/pg/event-pages.ts';
import {
  findNoticeEventsOfTurns,
  findThinkingEventsOfTurns,
  readEvents,
} from '../../../src/stores/pg/events.ts';
import { openDatabase, type Db } from '../../../src/stores/pg/database.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { findJobSpending } from '../../../src/stores/pg/job-spending.ts';
import { migrate, migrateTo } from '../../../src/stores/pg/migrate.ts';
import { createLogger } from '../../../src/base/log.ts';
import type { TurnActivity } from '../../../src/domain/conversation/turn-activity.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { ask, ended, heldTurns, readToEnd, startChat, viewer, type Chat } from '../../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';

const NOW = 0;
const held = heldTurns();
const SAID: readonly TurnActivity[] = [
  { type: 'thinking', thought: 1, kind: 'THOUGHT', text: 'Is it "T1"?\n' } as TurnActivity,
  toolStart('a'),
  toolEnd('a'),
  text('T1 is 83 μs 😀, '),
  text('measured "today".\\n'),
];

let database: TestDatabase;
let chat: Chat;
beforeAll(async () => {
  database = await createTestDatabase();
  chat = await startChat(database.url, {
    answerTurn: async (run) => {
      if (run.question.text === 'hold') return held.answerTurn(run);
      for (const activity of SAID) run.emit(activity);
      return completed;
    },
  });
});
afterAll(async () => {
  await chat.stop();
  await database.drop();
});

async function say(content: string, sessionId: string | null = null) {
  const sent = await chat.copilot.sendMessage(viewer, ask(content, { sessionId }));
  await ended(chat, sent.turn);
  return sent;
}
/** Takes all quiet sessions, a batch at a time. */
async function pack(db: Db = chat.db, quietMinutes = NOW): Promise<void> {
  while ((await packEvents(db, quietMinutes)) > 0);
}
const all = (sessionId: string) => readEvents(chat.pool, sessionId, 0, 10_000);
const rowsLeft = async (sessionId: string): Promise<number> => {
  const { rows } = await chat.pool.query('select 1 from events where session_id = $1', [sessionId]);
  return rows.length;
};
async function rawRows(sessionId: string): Promise<unknown> {
  const { rows } = await chat.pool.query(
    'select seq, turn_id, type, payload, created_at from events where session_id = $1 order by seq',
    [sessionId],
  );
  return rows;
}

test('a packed log reads as before from every place, with rows of later turns behind it, and after they are packed too', async () => {
  const { session } = await say('first');
  await say('second', session.id);
  const before = await all(session.id);
  expect(before).toHaveLength(before.at(-1)!.seq);
  await pack();
  expect(await rowsLeft(session.id)).toBe(0);
  expect(await all(session.id)).toEqual(before);

  await say('third', session.id);
  const longer = await all(session.id);
  expect(longer.slice(0, before.length)).toEqual(before);
  expect(longer.map(({ seq }) => seq)).toEqual(longer.map((_, index) => index + 1));
  await pack();
  expect(await rowsLeft(session.id)).toBe(0);
  for (const limit of [1, 7, before.length, longer.length]) {
    for (const after of [0, 3, before.length - 1, before.length, longer.length - 1, longer.length]) {
      const read = await readEvents(chat.pool, session.id, after, limit);
      expect(read).toEqual(longer.slice(after, after + limit));
    }
  }
  expect(await readToEnd(chat, session.id)).toEqual(longer.slice(0, longer.findIndex(isEnd) + 1));
});

const isEnd = ({ type }: { readonly type: string }): boolean => type === 'TurnFinishedEvent';

test('what models thought is found by turn in pages and in rows', async () => {
  const [one, other] = [await say('one'), await say('other')];
  await say('again', one.session.id);
  const ids = [other.turn.id, newId(), one.turn.id, 'no id'];
  const before = await findThinkingEventsOfTurns(chat.db, viewer, ids);
  expect(before.map(({ length }) => length > 0)).toEqual([true, false, true, false]);
  await pack();
  expect(await findThinkingEventsOfTurns(chat.db, viewer, ids)).toEqual(before);
  expect(await findThinkingEventsOfTurns(chat.db, { ...viewer, id: 'eve' }, ids)).toEqual([[], [], [], []]);
  expect(await findNoticeEventsOfTurns(chat.db, viewer, ids)).toEqual([[], [], [], []]);
});

test('a log stays as it is while a turn is open, somebody wrote within the hour, or somebody holds it', async () => {
  const { session } = await say('quiet');
  const running = await chat.copilot.sendMessage(viewer, ask('hold'));
  const turn = await held.of(running.turn);
  await pack(chat.db, 60);
  expect(await rowsLeft(session.id)).toBeGreaterThan(0);
  await chat.db.transaction().execute(async (tx) => {
    await tx.selectFrom('sessions').select('id').where('id', '=', session.id).forUpdate().execute();
    await pack();
    expect(await rowsLeft(session.id)).toBeGreaterThan(0);
  });
  expect(await rowsLeft(running.session.id)).toBeGreaterThan(0);
  turn.finish();
  await ended(chat, running.turn);
  await pack();
  expect(await rowsLeft(session.id)).toBe(0);
  expect(await rowsLeft(running.session.id)).toBe(0);
});

test('a deleted conversation leaves no page', async () => {
  const { session } = await say('to be deleted');
  await pack();
  await chat.copilot.deleteSession(viewer, session.id);
  const { rows } = await chat.pool.query('select 1 from event_pages where session_id = $1', [session.id]);
  expect(rows).toEqual([]);
});

test('the rounds that a job used stay known', async () => {
  const { session, turn } = await say('as a phase');
  const jobId = newId();
  await sql`insert into jobs (id, session_id, project_id, viewer_id, description, instructions, instructions_source,
      resolved_config, idempotency_key, request_hash, status)
    values (${jobId}, ${session.id}, ${viewer.projectId}, ${viewer.id}, '', '', 'EXPERT', '{}', ${jobId}, '', 'COMPLETED')
  `.execute(chat.db);
  await sql`insert into job_turns (turn_id, job_id, run, phase, kind)
    values (${turn.id}, ${jobId}, 1, 1, 'PLANNING')`.execute(chat.db);
  const before = await findJobSpending(chat.db, viewer, [jobId], 60);
  expect(before).toMatchObject([{ run: { rounds: 1 } }]);
  await pack();
  expect(await findJobSpending(chat.db, viewer, [jobId], 60)).toEqual(before);
});

test('a used database of the version before opens: its events are read, packed, and read as before', async () => {
  const { session } = await say('of before');
  const old = await createTestDatabase();
  const store = openDatabase(old.url, { log: createLogger('silent') });
  try {
    await sql`drop schema public, auth cascade`.execute(store.db);
    await sql`create schema public`.execute(store.db);
    await migrateTo(store.db, '20261213-1-kept-results');
    await sql`insert into sessions (id, kind, project_id, viewer_id, title)
      values (${session.id}, 'COPILOT', ${viewer.projectId}, ${viewer.id}, 'of before')`.execute(store.db);
    await sql`insert into events (session_id, seq, turn_id, type, payload, created_at)
      select ${session.id}::uuid, seq, turn_id, type, payload, created_at
      from json_to_recordset(${JSON.stringify(await rawRows(session.id))})
        as event (seq int, turn_id uuid, type text, payload text, created_at timestamptz)`.execute(store.db);
    await migrate(store.db);
    const before = await readEvents(store.pool, session.id, 0, 1_000);
    expect(before).toEqual(await all(session.id));
    await pack(store.db);
    expect((await store.pool.query('select 1 from events')).rows).toEqual([]);
    expect(await readEvents(store.pool, session.id, 0, 1_000)).toEqual(before);
  } finally {
    await store.close();
    await old.drop();
  }
});
