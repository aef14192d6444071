import { z } from 'zod';
import type { Message, Turn, Viewer } from '../domain/session.ts';
import { InvalidInputError, NotFoundError } from '../errors.ts';
import type { Tx } from '../stores/pg/database.ts';
import { findMessages } from '../stores/pg/messages.ts';
import { findTurns } from '../stores/pg/turns.ts';
import { checkInput, clientMessageId, messageContent } from './copilot-input.ts';
import type { EditMessageInput, SentMessage } from './copilot-service.ts';
import { startTurnOnce } from './start-turn.ts';
import type { StartTurnDeps } from './start-turn.ts';

const editMessageInput = z.object({ messageId: z.string(), content: messageContent, clientMessageId });

/** Asks something else in the place of a message; see `CopilotService.editMessage`. */
export async function editMessage(
  deps: StartTurnDeps,
  viewer: Viewer,
  input: EditMessageInput,
): Promise<SentMessage> {
  const { messageId, content, clientMessageId: id } = checkInput(editMessageInput, input);
  return startTurnOnce(deps, viewer, async (tx) => {
    const { message, turn } = await ownMessage(tx, viewer, messageId);
    if (message.role !== 'USER') {
      throw new InvalidInputError([
        { path: ['input', 'messageId'], message: 'is an answer; only messages of your own can be edited' },
      ]);
    }
    return {
      sessionId: turn.sessionId,
      question: { type: 'new', text: content },
      clientMessageId: id,
      model: turn.model,
      replaces: turn,
      disputedId: turn.disputedId,
    };
  });
}

/** A message of the viewer with its turn: of a question the first that answered it. @throws NotFoundError */
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
