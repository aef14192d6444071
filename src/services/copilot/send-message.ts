import { z } from 'zod';
import type { Message, Session, SessionKind, Viewer } from '../../domain/conversation/session.ts';
import { firstTitle } from '../../domain/conversation/session-title.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { Tx } from '../../stores/pg/database.ts';
import { newId } from '../../stores/pg/ids.ts';
import { readImageDigests, type NewImage } from '../../stores/pg/message-images.ts';
import { insertSession } from '../../stores/pg/sessions.ts';
import { lockViewer } from '../../stores/pg/turns.ts';
import { attachUploads, listSessionDatasets } from '../../stores/pg/uploads.ts';
import type { SentFile } from '../uploads.ts';
import { checkInput, clientMessageId, messageContent, optionalText } from './copilot-input.ts';
import { WHEN_BUSY } from './copilot-service.ts';
import type { SendMessageInput, SentMessage } from './copilot-service.ts';
import { readSentImages } from './message-images.ts';
import { afterStoring, findStarted, holdSession, storeTurn, unknownSession } from './start-turn.ts';
import type { StartTurnDeps, StoredTurn } from './start-turn.ts';

/** What a session can be about. */
export type SessionContext = Pick<Session, 'chipId' | 'qid' | 'taskId'>;

/** What sending needs beyond storing a turn. */
export type SendMessageDeps = StartTurnDeps & {
  /** Rejects with NotFoundError or InvalidInputError unless chip, qubit and task exist for the viewer. */
  checkContext(viewer: Viewer, context: SessionContext): Promise<void>;
  /** Throws InvalidInputError, naming those that are offered, for a model that is not offered in sessions of this kind. */
  checkModel(name: string, kind: SessionKind): void;
  /** Throws InvalidInputError, naming those that can, for a model that cannot look at pictures; null: the default. */
  assertSeesImages(name: string | null): void;
};

/** Most tables that come with one message, and that one conversation uses. */
const MAX_UPLOADS = 10;
const MAX_SESSION_UPLOADS = 20;

const sendMessageInput = z.object({
  sessionId: optionalText,
  chipId: optionalText,
  qid: optionalText,
  taskId: optionalText,
  content: messageContent,
  clientMessageId,
  model: optionalText,
  whenBusy: z
    .enum(WHEN_BUSY)
    .nullish()
    .transform((whenBusy) => whenBusy ?? 'REJECT'),
  uploadIds: z
    .array(z.string())
    .max(MAX_UPLOADS, `must name at most ${MAX_UPLOADS} uploads`)
    .nullish()
    .transform((ids) => ids ?? []),
  images: z
    .array(z.custom<SentFile>())
    .nullish()
    .transform((images) => images ?? []),
});

type CheckedMessage = z.infer<typeof sendMessageInput>;
type NewMessage = Omit<CheckedMessage, 'images'> & { readonly images: readonly NewImage[] };

/** Takes a message; see `CopilotService.sendMessage`. */
export async function sendMessage(
  deps: SendMessageDeps,
  viewer: Viewer,
  input: SendMessageInput,
): Promise<SentMessage> {
  const message = checkInput(sendMessageInput, input);
  if (message.model !== null) deps.checkModel(message.model, 'COPILOT');
  if (message.images.length > 0) deps.assertSeesImages(message.model);
  const images = await readSentImages(message.images);
  if (message.sessionId === null) await deps.checkContext(viewer, message);
  const stored = await deps.db.transaction().execute(async (tx) => {
    await lockViewer(tx, viewer);
    const earlier = await findStarted(tx, viewer, message.clientMessageId, (started) =>
      isSame(message, started),
    );
    if (earlier === null) return storeNew(tx, deps, viewer, { ...message, images });
    await assertSameUploads(tx, earlier.sent.session, message);
    await assertSameImages(tx, earlier.sent.message, images);
    return earlier;
  });
  return afterStoring(deps, viewer, stored);
}

async function storeNew(
  tx: Tx,
  deps: SendMessageDeps,
  viewer: Viewer,
  message: NewMessage,
): Promise<StoredTurn> {
  const { sessionId, chipId, qid, taskId, content, clientMessageId, model, whenBusy, images } = message;
  const session =
    sessionId === null
      ? await insertSession(tx, viewer, {
          id: newId(),
          kind: 'COPILOT',
          title: firstTitle(content),
          chipId,
          qid,
          taskId,
        })
      : await holdConversation(tx, viewer, sessionId);
  const other = otherContext(session, message);
  if (other !== null) {
    throw new InvalidInputError([
      {
        path: ['input', other],
        message: `must be that of the conversation (${session[other] ?? 'none'}), or left out`,
      },
    ]);
  }
  await useUploads(tx, viewer, session, message);
  return storeTurn(tx, deps, viewer, session, {
    question: { type: 'new', text: content, images },
    clientMessageId,
    model,
    replaces: null,
    disputedId: null,
    whenBusy,
  });
}

/** Builder sessions and jobs take messages in ways of their own. */
async function holdConversation(tx: Tx, viewer: Viewer, sessionId: string): Promise<Session> {
  const session = await holdSession(tx, viewer, sessionId);
  if (session.kind !== 'COPILOT') throw unknownSession(sessionId);
  return session;
}

/** Lets the session use the tables that come with a message. */
async function useUploads(
  tx: Tx,
  viewer: Viewer,
  session: Session,
  { uploadIds }: NewMessage,
): Promise<void> {
  if (uploadIds.length === 0) return;
  const unknown = await attachUploads(tx, viewer, session.id, uploadIds);
  if (unknown.length > 0) {
    throw new NotFoundError(`you have no upload ${unknown.join(', ')}; make one with createUpload`);
  }
  const { length: used } = await listSessionDatasets(tx, session.id);
  if (used > MAX_SESSION_UPLOADS) {
    const message = `would give this conversation ${used} tables; at most ${MAX_SESSION_UPLOADS} are taken`;
    throw new InvalidInputError([{ path: ['input', 'uploadIds'], message }]);
  }
}

/** @throws ConflictError for a repeated message that names a table which did not come with it before. */
async function assertSameUploads(
  tx: Tx,
  session: Session,
  { uploadIds, clientMessageId: id }: CheckedMessage,
): Promise<void> {
  if (uploadIds.length === 0) return;
  const used = new Set((await listSessionDatasets(tx, session.id)).map(({ upload }) => upload.id));
  if (uploadIds.some((uploadId) => !used.has(uploadId))) {
    throw new ConflictError(`clientMessageId ${id} was used for a message without these uploads`);
  }
}

/** @throws ConflictError for a repeated message with other pictures than before. */
async function assertSameImages(tx: Tx, { id }: Message, images: readonly NewImage[]): Promise<void> {
  const stored = await readImageDigests(tx, id);
  if (stored.join() === images.map(({ digest }) => digest).join()) return;
  throw new ConflictError(
    'this clientMessageId was used for a message with other pictures; make a new one for each message',
  );
}

/** Whether a message is the one that was sent under its id before. */
function isSame(given: CheckedMessage, { session, turn, message }: SentMessage): boolean {
  return (
    message.turnId === turn.id && // else the id was used for a retry
    turn.replacesId === null &&
    turn.disputedId === null &&
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
