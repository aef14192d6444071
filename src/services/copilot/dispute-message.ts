import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { checkInput, clientMessageId, messageContent } from './copilot-input.ts';
import type { DisputeMessageInput, SentMessage } from './copilot-service.ts';
import { ownMessage } from './own-message.ts';
import { startTurnOnce } from './start-turn.ts';
import type { StartTurnDeps } from './start-turn.ts';

/** Stands as the user's message where no note says more. */
const NO_NOTE = 'These numbers look wrong. Please check them.';

const disputeMessageInput = z.object({
  messageId: z.string(),
  note: messageContent.nullish().transform((note) => note ?? NO_NOTE),
  clientMessageId,
});

/** Has the values of an answer verified; see `CopilotService.disputeMessage`. */
export async function disputeMessage(
  deps: StartTurnDeps,
  viewer: Viewer,
  input: DisputeMessageInput,
): Promise<SentMessage> {
  const { messageId, note, clientMessageId: id } = checkInput(disputeMessageInput, input);
  return startTurnOnce(deps, viewer, async (tx) => {
    const { message, turn } = await ownMessage(tx, viewer, messageId);
    if (message.role !== 'ASSISTANT') {
      throw new InvalidInputError([
        { path: ['input', 'messageId'], message: 'is a question; give the answer whose numbers look wrong' },
      ]);
    }
    return {
      sessionId: turn.sessionId,
      question: { type: 'new', text: note },
      clientMessageId: id,
      model: turn.model,
      replaces: null,
      disputedId: message.id,
    };
  });
}
