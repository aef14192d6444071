/**
 * Messages that join a running turn. Until then each waits as a queued turn that names the running one, so that it is
 * answered in its own turn where the running one ends first, however that ends.
 */
import type { Message } from '../../domain/conversation/session.ts';
import { type Db, type Tx, transact } from './database.ts';
import { insertEvents } from './events.ts';
import { rowToMessage } from './messages.ts';
import { lockSession } from './sessions.ts';
import { withdrawTurn, type TurnRef } from './turn-finish.ts';

/** Whether messages wait to join a turn. */
export async function hasJoining(db: Db, turnId: string): Promise<boolean> {
  const row = await joiningTurns(db, turnId).select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes the messages that wait for it part of a running turn of `owner`, in the order in which they were sent: their
 * own turns end as joined, and the log of the running turn has them. None for a turn that is lost or to be cancelled.
 */
export function joinMessages(db: Db, ref: TurnRef, owner: string): Promise<readonly Message[]> {
  return transact(db, async (tx) => {
    if ((await lockSession(tx, ref.sessionId)) === null || !(await mayJoin(tx, ref, owner))) return [];
    const waiting = await joiningTurns(tx, ref.id).select(['id', 'question_id']).orderBy('number').execute();
    const messages: Message[] = [];
    for (const { id, question_id: messageId } of waiting) {
      const joined = await withdrawTurn(tx, { id, sessionId: ref.sessionId }, null, 'JOINED');
      if (joined === null) continue;
      await insertEvents(tx, ref.sessionId, ref.id, [{ type: 'MessageJoinedEvent', payload: { messageId } }]);
      const row = await tx
        .selectFrom('messages')
        .selectAll()
        .where('id', '=', messageId)
        .executeTakeFirstOrThrow();
      messages.push(rowToMessage(row));
    }
    return messages;
  });
}

const joiningTurns = (db: Db, turnId: string) =>
  db.selectFrom('turns').where('joins_id', '=', turnId).where('status', '=', 'QUEUED');

async function mayJoin(tx: Tx, { id }: TurnRef, owner: string): Promise<boolean> {
  const row = await tx
    .selectFrom('turns')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .where('owner', '=', owner)
    .where('cancel_requested_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
