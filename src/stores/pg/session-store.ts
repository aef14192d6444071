import { sql } from 'kysely';
import type { Message, Turn } from '../../domain/session.ts';
import type { EarlierTurn, SessionStore } from '../session-store.ts';
import type { Db } from './database.ts';
import { isOneOf } from './ids.ts';
import { rowToMessage } from './messages.ts';
import { createSessionDataStore } from './session-data.ts';

/** The agent's reads and kept results, in Postgres. */
export function createSessionStore(db: Db): SessionStore {
  return {
    earlierTurns: (turn, limit) => earlierTurns(db, turn, limit),
    data: createSessionDataStore(db),
  };
}

async function earlierTurns(db: Db, turn: Turn, limit: number): Promise<EarlierTurn[]> {
  const { rows } = await sql<{ question_id: string; answer_id: string | null }>`
    select question_id, answer_id from turns
    where session_id = ${turn.sessionId} and finished_at is not null and question_id <> ${turn.questionId}
      and number < (select number from turns where id = ${turn.id})
      and not exists (
        select from turns as retry
        where retry.session_id = turns.session_id and retry.question_id = turns.question_id
          and retry.number > turns.number and retry.finished_at is not null
          and (retry.answer_id is not null or turns.answer_id is null)
      )
    order by number desc limit ${limit}
  `.execute(db);
  const ids = rows.flatMap(({ question_id, answer_id }) => [question_id, ...(answer_id ? [answer_id] : [])]);
  const messages = await db.selectFrom('messages').selectAll().where(isOneOf('id', ids)).execute();
  const byId = new Map<string, Message>(messages.map((row) => [row.id, rowToMessage(row)]));
  return rows.reverse().flatMap(({ question_id, answer_id }) => {
    const question = byId.get(question_id);
    return question ? [{ question, answer: (answer_id && byId.get(answer_id)) || null }] : [];
  });
}
