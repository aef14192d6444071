import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import type { NewSessionEvent } from '../src/domain/conversation/session-event.ts';
import type { Db } from '../src/stores/pg/database.ts';
import { newId } from '../src/stores/pg/ids.ts';
import type { Database } from '../src/stores/pg/tables.ts';
import { VIEWER } from './chat.ts';

/** Rows of one insert; Postgres takes 65,535 parameters a statement. */
const CHUNK = 2_000;

const QUESTION = 'How is the T1 of Q07 today, and how was it last week?';
const ANSWER = ['T1 of Q07 is 83 μs, ', 'measured 2 hours ago. ', 'Last week it was 79 μs.'];

/** Stores conversations of `messages` messages each, half of them answers, as if they had been held. */
export async function storeConversations(db: Db, count: number, messages: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await storeConversation(db, messages));
  await sql`analyze`.execute(db); // as autovacuum would have done while it grew
  return ids;
}

async function storeConversation(db: Db, messages: number): Promise<string> {
  const sessionId = newId();
  const turns: PastTurn[] = [];
  for (let number = 1; number <= messages / 2; number += 1) {
    turns.push(pastTurn(sessionId, number, turns.at(-1)?.turn.id ?? null));
  }
  const events = turns.flatMap((turn) => turn.events);
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      kind: 'COPILOT',
      project_id: VIEWER.projectId,
      viewer_id: VIEWER.id,
      title: QUESTION,
      chip_id: null,
      qid: null,
      task_id: null,
      last_seq: events.length,
    })
    .execute();
  for (const rows of chunks(turns)) {
    await db
      .insertInto('turns')
      .values(rows.map(({ turn }) => turn))
      .execute();
    await db
      .insertInto('messages')
      .values(rows.flatMap((row) => row.messages))
      .execute();
  }
  for (const rows of chunks(events)) await db.insertInto('events').values(rows).execute();
  return sessionId;
}

type PastTurn = {
  readonly turn: Insertable<Database['turns']>;
  readonly messages: readonly Insertable<Database['messages']>[];
  readonly events: readonly Insertable<Database['events']>[];
};

function pastTurn(sessionId: string, number: number, parentId: string | null): PastTurn {
  const [turnId, questionId, answerId] = [newId(), newId(), newId()];
  const owned = { project_id: VIEWER.projectId, viewer_id: VIEWER.id };
  const ofTurn = { session_id: sessionId, turn_id: turnId };
  const message = { ...ofTurn, ...owned, freshness: '[]', model: null };
  const text = ANSWER.join('');
  const payloads: readonly NewSessionEvent[] = [
    { type: 'TurnStartedEvent', payload: { messageId: questionId } },
    { type: 'StatusEvent', payload: { phase: 'ANSWERING', text: 'Answering' } },
    ...ANSWER.map((piece) => ({
      type: 'TokenEvent' as const,
      payload: { text: piece, offset: text.indexOf(piece) },
    })),
    {
      type: 'TurnFinishedEvent',
      payload: { status: 'COMPLETED', messageId: answerId, usage: null, rounds: 1, error: null },
    },
  ];
  return {
    turn: {
      id: turnId,
      session_id: sessionId,
      ...owned,
      number,
      parent_id: parentId,
      status: 'COMPLETED',
      question_id: questionId,
      answer_id: answerId,
      client_message_id: turnId,
      model: null,
      before_seq: (number - 1) * payloads.length,
      rounds: 1,
      finished_at: new Date(),
    },
    messages: [
      { ...message, id: questionId, role: 'USER', text: QUESTION, blocks: blocksOf(QUESTION) },
      { ...message, id: answerId, role: 'ASSISTANT', text, blocks: blocksOf(text) },
    ],
    events: payloads.map(({ type, payload }, index) => ({
      ...ofTurn,
      seq: (number - 1) * payloads.length + index + 1,
      type,
      payload: JSON.stringify(payload),
    })),
  };
}

const blocksOf = (text: string): string => JSON.stringify([{ type: 'text', text }]);

function* chunks<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += CHUNK) yield items.slice(start, start + CHUNK);
}
