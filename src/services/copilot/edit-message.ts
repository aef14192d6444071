import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { checkInput, clientMessageId, messageContent } from './copilot-input.ts';
import type { EditMessageInput, SentMessage } from './copilot-service.ts';
import { ownMessage } from './own-message.ts';
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
      question: { type: 'new', text: content, keepsImagesOf: message.id },
      clientMessageId: id,
      model: turn.model,
      replaces: turn,
      disputedId: turn.disputedId,
    };
  });
}
