/** Turns about an earlier turn: the same question again, another question instead, or a check of an answer's values. */
import { z } from 'zod';
import type { Viewer } from '../../domain/conversation/session.ts';
import { writtenLanguage } from '../../domain/text/language.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { findSessions } from '../../stores/pg/sessions.ts';
import { findTurns } from '../../stores/pg/turns.ts';
import { checkInput, clientMessageId, messageContent, optionalText } from './copilot-input.ts';
import { ownMessage } from './own-message.ts';
import type { SendMessageDeps } from './send-message.ts';
import { startTurnOnce } from './start-turn.ts';
import type { AskedAs, SentMessage, StartTurnDeps } from './start-turn.ts';

const retryTurnInput = z.object({ turnId: z.string(), clientMessageId, model: optionalText });

/**
 * Asks a turn's question again, with another model if one is named. The new turn is a branch beside the old one, which
 * stays readable. Idempotent like `sendMessage`.
 * @throws ConflictError, NotFoundError, InvalidInputError, SessionBusyError, SessionLinkedError, RateLimitedError,
 * BudgetExceededError
 */
export async function retryTurn(
  deps: StartTurnDeps & Pick<SendMessageDeps, 'checkModel' | 'assertWritesDocuments'>,
  viewer: Viewer,
  input: z.input<typeof retryTurnInput>,
  askedAs: AskedAs['askedAs'] = 'COPILOT',
): Promise<SentMessage> {
  const given = checkInput(retryTurnInput, input);
  return startTurnOnce(deps, viewer, async (tx) => {
    const [old] = await findTurns(tx, viewer, [given.turnId]);
    const [question] = old ? await findMessages(tx, viewer, [old.questionId]) : [];
    const [session] = old ? await findSessions(tx, viewer, [old.sessionId]) : [];
    if (!old || !question || !session) throw new NotFoundError(`you have no turn ${given.turnId}`);
    if (given.model !== null) deps.checkModel(given.model, session.kind);
    const model = given.model ?? old.model;
    if (old.answerSchema !== null) deps.assertWritesDocuments(model);
    return {
      sessionId: old.sessionId,
      askedAs,
      question: { type: 'again', message: question },
      clientMessageId: given.clientMessageId,
      model,
      effort: old.effort,
      answerSchema: old.answerSchema,
      replaces: old,
      disputedId: old.disputedId,
    };
  });
}

const editMessageInput = z.object({ messageId: z.string(), content: messageContent, clientMessageId });

/** Asks another question instead of one of the viewer's messages; otherwise like {@link retryTurn}. */
export async function editMessage(
  deps: StartTurnDeps & Pick<SendMessageDeps, 'assertWritesDocuments'>,
  viewer: Viewer,
  input: z.input<typeof editMessageInput>,
  askedAs: AskedAs['askedAs'] = 'COPILOT',
): Promise<SentMessage> {
  const { messageId, content, clientMessageId: id } = checkInput(editMessageInput, input);
  return startTurnOnce(deps, viewer, async (tx) => {
    const { message, turn } = await ownMessage(tx, viewer, messageId);
    if (message.role !== 'USER') {
      throw InvalidInputError.at(
        ['input', 'messageId'],
        'is an answer; only your own messages can be edited',
      );
    }
    if (turn.answerSchema !== null) deps.assertWritesDocuments(turn.model);
    return {
      sessionId: turn.sessionId,
      askedAs,
      question: { type: 'new', text: content, keepsImagesOf: message.id },
      clientMessageId: id,
      model: turn.model,
      effort: turn.effort,
      answerSchema: turn.answerSchema,
      replaces: turn,
      disputedId: turn.disputedId,
    };
  });
}

/** The user's message when a dispute comes without a note, in the language of the disputed answer's question. */
const NO_NOTE = {
  en: 'These numbers look wrong. Please check them.',
  ja: 'この数値はおかしいようです。確認してください。',
};

const disputeMessageInput = z.object({
  messageId: z.string(),
  note: messageContent.nullish(),
  clientMessageId,
});

/**
 * Has the values of an answer compared with live ones, in a turn after the newest one. The note becomes the user's
 * message. Errors as {@link retryTurn}.
 */
export async function disputeMessage(
  deps: StartTurnDeps,
  viewer: Viewer,
  input: z.input<typeof disputeMessageInput>,
): Promise<SentMessage> {
  const { messageId, note, clientMessageId: id } = checkInput(disputeMessageInput, input);
  return startTurnOnce(deps, viewer, async (tx) => {
    const { message, turn } = await ownMessage(tx, viewer, messageId);
    if (message.role !== 'ASSISTANT') {
      const hint = 'is a question; give the answer whose numbers look wrong';
      throw InvalidInputError.at(['input', 'messageId'], hint);
    }
    const [question] = await findMessages(tx, viewer, [turn.questionId]);
    return {
      sessionId: turn.sessionId,
      askedAs: 'COPILOT',
      question: { type: 'new', text: note ?? NO_NOTE[writtenLanguage(question?.text ?? '')] },
      clientMessageId: id,
      model: turn.model,
      effort: turn.effort,
      answerSchema: null,
      replaces: null,
      disputedId: message.id,
    };
  });
}
