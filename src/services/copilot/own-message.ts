import type { Message, Turn, Viewer } from '../../domain/conversation/session.ts';
import { NotFoundError } from '../../base/errors.ts';
import type { Tx } from '../../stores/pg/database.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { findTurns } from '../../stores/pg/turns.ts';

/** A message that the viewer may read with its turn, so hold its session before a change; for a question, the first turn that answered it. @throws NotFoundError */
export async function ownMessage(
  tx: Tx,
  viewer: Viewer,
  messageId: string,
): Promise<{ readonly message: Message; readonly turn: Turn }> {
  const [message] = await findMessages(tx, viewer, [messageId]);
  const [turn] = message?.turnId ? await findTurns(tx, viewer, [message.turnId]) : [];
  if (!message || !turn) throw new NotFoundError(`you have no message ${messageId}`);
  return { message, turn };
}
