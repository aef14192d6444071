import { z } from 'zod';
import type { Session, Viewer } from '../domain/session.ts';
import { shorten, toStoredText } from '../domain/stored-text.ts';
import { InvalidInputError } from '../errors.ts';
import type { Tx } from '../stores/pg/database.ts';
import { newId } from '../stores/pg/ids.ts';
import { insertSession } from '../stores/pg/sessions.ts';
import { lockViewer } from '../stores/pg/turns.ts';
import { checkInput, clientMessageId, optionalText } from './copilot-input.ts';
import { WHEN_BUSY } from './copilot-service.ts';
import type { SendMessageInput, SentMessage } from './copilot-service.ts';
import { afterStoring, findStarted, holdSession, storeTurn } from './start-turn.ts';
import type { StartTurnDeps, StoredTurn } from './start-turn.ts';

/** What a session can be about. */
export type SessionContext = Pick<Session, 'chipId' | 'qid' | 'taskId'>;

/** What sending needs beyond storing a turn. */
export type SendMessageDeps = StartTurnDeps & {
  /** Rejects with NotFoundError or InvalidInputError unless chip, qubit and task exist for the viewer. */
  checkContext(viewer: Viewer, context: SessionContext): Promise<void>;
  /** Throws InvalidInputError, naming those that are offered, for a model that is not. */
  checkModel(name: string): void;
};

/** Longest message, in characters. */
export const MAX_MESSAGE_LENGTH = 8_000;
const TITLE_LENGTH = 50;

const sendMessageInput = z.object({
  sessionId: optionalText,
  chipId: optionalText,
  qid: optionalText,
  taskId: optionalText,
  content: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(MAX_MESSAGE_LENGTH, `must have at most ${MAX_MESSAGE_LENGTH} characters`)
    .transform(toStoredText),
  clientMessageId,
  model: optionalText,
  whenBusy: z
    .enum(WHEN_BUSY)
    .nullish()
    .transform((whenBusy) => whenBusy ?? 'REJECT'),
});

type CheckedMessage = z.infer<typeof sendMessageInput>;

/** Takes a message; see `CopilotService.sendMessage`. */
export async function sendMessage(
  deps: SendMessageDeps,
  viewer: Viewer,
  input: SendMessageInput,
): Promise<SentMessage> {
  const message = checkInput(sendMessageInput, input);
  if (message.model !== null) deps.checkModel(message.model);
  if (message.sessionId === null) await deps.checkContext(viewer, message);
  const stored = await deps.db.transaction().execute(async (tx) => {
    await lockViewer(tx, viewer);
    const earlier = await findStarted(tx, viewer, message.clientMessageId, (started) =>
      isSame(message, started),
    );
    return earlier ?? (await storeNew(tx, deps, viewer, message));
  });
  return afterStoring(deps, viewer, stored);
}

async function storeNew(
  tx: Tx,
  deps: SendMessageDeps,
  viewer: Viewer,
  message: CheckedMessage,
): Promise<StoredTurn> {
  const { sessionId, chipId, qid, taskId, content, clientMessageId, model, whenBusy } = message;
  const session =
    sessionId === null
      ? await insertSession(tx, viewer, {
          id: newId(),
          kind: 'COPILOT',
          title: shorten(content.replaceAll(/\s+/g, ' '), TITLE_LENGTH),
          chipId,
          qid,
          taskId,
        })
      : await holdSession(tx, viewer, sessionId);
  const other = otherContext(session, message);
  if (other !== null) {
    throw new InvalidInputError([
      {
        path: ['input', other],
        message: `must be that of the conversation (${session[other] ?? 'none'}), or left out`,
      },
    ]);
  }
  return storeTurn(tx, deps, viewer, session, {
    question: { type: 'new', text: content },
    clientMessageId,
    model,
    whenBusy,
  });
}

/** Whether a message is the one that was sent under its id before. */
function isSame(given: CheckedMessage, { session, turn, message }: SentMessage): boolean {
  return (
    message.turnId === turn.id && // else the id was used for a retry
    given.content === message.text &&
    given.model === turn.model &&
    (given.sessionId === null || given.sessionId === session.id) &&
    otherContext(session, given) === null
  );
}

/** The first part of a message's context that differs from the session's. */
function otherContext(session: Session, given: SessionContext): keyof SessionContext | null {
  const names = ['chipId', 'qid', 'taskId'] as const;
  return names.find((name) => given[name] !== null && given[name] !== session[name]) ?? null;
}
