import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import { NotFoundError } from '../../base/errors.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { findSessions } from '../../stores/pg/sessions.ts';
import { findTurns } from '../../stores/pg/turns.ts';
import { checkInput, clientMessageId, optionalText } from './copilot-input.ts';
import type { RetryTurnInput, SentMessage } from './copilot-service.ts';
import type { SendMessageDeps } from './send-message.ts';
import { startTurnOnce } from './start-turn.ts';

const retryTurnInput = z.object({ turnId: z.string(), clientMessageId, model: optionalText });

/** Asks a turn's question again; see `CopilotService.retryTurn`. */
export async function retryTurn(
  deps: SendMessageDeps,
  viewer: Viewer,
  input: RetryTurnInput,
): Promise<SentMessage> {
  const given = checkInput(retryTurnInput, input);
  return startTurnOnce(deps, viewer, async (tx) => {
    const [old] = await findTurns(tx, viewer, [given.turnId]);
    const [question] = old ? await findMessages(tx, viewer, [old.questionId]) : [];
    const [session] = old ? await findSessions(tx, viewer, [old.sessionId]) : [];
    if (!old || !question || !session) throw new NotFoundError(`you have no turn ${given.turnId}`);
    if (given.model !== null) deps.checkModel(given.model, session.kind);
    return {
      sessionId: old.sessionId,
      question: { type: 'again', message: question },
      clientMessageId: given.clientMessageId,
      model: given.model ?? old.model,
      replaces: old,
      disputedId: old.disputedId,
    };
  });
}
