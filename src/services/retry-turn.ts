import { z } from 'zod';
import type { Viewer } from '../domain/session.ts';
import { NotFoundError } from '../errors.ts';
import { findMessages } from '../stores/pg/messages.ts';
import { findTurns, lockViewer } from '../stores/pg/turns.ts';
import { checkInput, clientMessageId, optionalText } from './copilot-input.ts';
import type { RetryTurnInput, SentMessage } from './copilot-service.ts';
import type { SendMessageDeps } from './send-message.ts';
import { afterStoring, findStarted, holdSession, storeTurn } from './start-turn.ts';

const retryTurnInput = z.object({ turnId: z.string(), clientMessageId, model: optionalText });

/** Asks a turn's question again; see `CopilotService.retryTurn`. */
export async function retryTurn(
  deps: SendMessageDeps,
  viewer: Viewer,
  input: RetryTurnInput,
): Promise<SentMessage> {
  const given = checkInput(retryTurnInput, input);
  if (given.model !== null) deps.checkModel(given.model);
  const stored = await deps.db.transaction().execute(async (tx) => {
    await lockViewer(tx, viewer);
    const [old] = await findTurns(tx, viewer, [given.turnId]);
    const [question] = old ? await findMessages(tx, viewer, [old.questionId]) : [];
    if (!old || !question) throw new NotFoundError(`you have no turn ${given.turnId}`);
    const model = given.model ?? old.model;
    const isSame = ({ turn }: SentMessage): boolean =>
      turn.questionId === old.questionId && turn.id !== question.turnId && turn.model === model;
    const earlier = await findStarted(tx, viewer, given.clientMessageId, isSame);
    if (earlier) return earlier;
    const session = await holdSession(tx, viewer, old.sessionId);
    return storeTurn(tx, deps, viewer, session, {
      question: { type: 'again', message: question },
      clientMessageId: given.clientMessageId,
      model,
      whenBusy: 'REJECT',
    });
  });
  return afterStoring(deps, viewer, stored);
}
