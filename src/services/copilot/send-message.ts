import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { problemOfSchema } from '../../domain/conversation/answer-schema.ts';
import type { Message, Session, SessionKind, Viewer } from '../../domain/conversation/session.ts';
import { firstTitle } from '../../domain/conversation/session-title.ts';
import { redactJson } from '../../base/redaction/redact.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { Tx } from '../../stores/pg/database.ts';
import { newId } from '../../stores/pg/ids.ts';
import { readImageDigests, type NewImage } from '../../stores/pg/message-images.ts';
import { insertSession } from '../../stores/pg/sessions.ts';
import type { OpenedMessage } from '../../stores/pg/open-message.ts';
import { messageTransaction } from '../../stores/pg/message-transaction.ts';
import { attachUploads, listSessionDatasets } from '../../stores/pg/uploads.ts';
import type { SentFile } from '../uploads.ts';
import type { CalibrationServices } from '../calibration/calibration-services.ts';
import { checkInput, clientMessageId, messageContent, messageEffort, optionalText } from './copilot-input.ts';
import { readSentImages } from './message-images.ts';
import {
  afterStoring,
  findStarted,
  storeTurn,
  unknownSession,
  WHEN_BUSY,
  type SentMessage,
  type StartTurnDeps,
  type StoredTurn,
} from './start-turn.ts';

/** What a session can be about. */
export type SessionContext = Pick<Session, 'chipId' | 'qid' | 'taskId'>;

/** What sending needs in addition to storing a turn. */
export type SendMessageDeps = StartTurnDeps & {
  /** @throws NotFoundError, InvalidInputError unless chip, qubit and task exist for the viewer and belong together */
  checkContext(viewer: Viewer, context: SessionContext): Promise<void>;
  /** @throws InvalidInputError naming the models on offer, unless `name` is offered in sessions of this kind */
  checkModel(name: string, kind: SessionKind): void;
  /** @throws InvalidInputError naming models that can read images, unless this one (null: the default) can */
  assertSeesImages(name: string | null): void;
  /** @throws InvalidInputError naming models that write JSON documents, unless this one (null: the default) does */
  assertWritesDocuments(name: string | null): void;
};

/** Most tables with one message, and in one conversation. */
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
  effort: messageEffort,
  answerSchema: z
    .unknown()
    .optional()
    .transform((schema, context) => {
      if (schema === undefined || schema === null) return null;
      const problem = problemOfSchema(schema);
      if (problem === null) return JSON.parse(toStoredJson(redactJson(schema))) as JsonObject;
      context.addIssue({ code: 'custom', message: problem });
      return z.NEVER;
    }),
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

/** A message as clients send it, unchecked. Without `sessionId` it opens a session about `chipId`, `qid`, `taskId`. */
export type SendMessageInput = z.input<typeof sendMessageInput>;
type CheckedMessage = z.infer<typeof sendMessageInput>;
type NewMessage = Omit<CheckedMessage, 'images'> & { readonly images: readonly NewImage[] };

/**
 * Stores a message and starts the turn that answers it. The same client id with the same content returns the same turn.
 * @throws InvalidInputError, NotFoundError (session, chip, qubit, task), SessionBusyError, RateLimitedError,
 * BudgetExceededError, ConflictError (the client id was used for something else)
 */
export async function sendMessage(
  deps: SendMessageDeps,
  viewer: Viewer,
  input: SendMessageInput,
): Promise<SentMessage> {
  const message = checkInput(sendMessageInput, input);
  if (message.model !== null) deps.checkModel(message.model, 'COPILOT');
  if (message.images.length > 0) deps.assertSeesImages(message.model);
  if (message.answerSchema !== null) {
    deps.assertWritesDocuments(message.model);
    if (message.whenBusy === 'STEER') {
      const hint = 'a message that joins a running answer has no form of its own; use whenBusy QUEUE';
      throw InvalidInputError.at(['input', 'answerSchema'], hint);
    }
  }
  const images = await readSentImages(message.images);
  if (message.sessionId === null) await deps.checkContext(viewer, message);
  const asked = { ...message, budgets: deps.limits.budgets };
  const store = async (tx: Tx, opened: OpenedMessage): Promise<StoredTurn> => {
    if (opened.isNew) return storeNew(tx, deps, viewer, { ...message, images }, opened);
    const earlier = await findStarted(tx, viewer, message.clientMessageId, (started) =>
      isSame(message, started),
    );
    if (earlier === null) {
      const hint = 'was used in a conversation that is deleted; make a new one for each message';
      throw new ConflictError(`clientMessageId ${message.clientMessageId} ${hint}`);
    }
    await assertSameUploads(tx, earlier.sent.session, message);
    await assertSameImages(tx, earlier.sent.message, images);
    return earlier;
  };
  // A turn that runs takes a place of this process once it is committed, so nothing is decided behind it before.
  const isLast = ({ next }: StoredTurn): boolean => next === 'run';
  const stored = await messageTransaction(deps.db, viewer, asked, { store, isLast });
  return afterStoring(deps, viewer, stored);
}

async function storeNew(
  tx: Tx,
  deps: SendMessageDeps,
  viewer: Viewer,
  given: NewMessage,
  opened: Extract<OpenedMessage, { isNew: true }>,
): Promise<StoredTurn> {
  const {
    sessionId,
    chipId,
    qid,
    taskId,
    content,
    clientMessageId,
    model,
    effort,
    answerSchema,
    whenBusy,
    images,
  } = given;
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
      : ownConversation(opened.session, sessionId);
  const other = otherContext(session, given);
  if (other !== null) {
    const message = `must match the conversation (${session[other] ?? 'none'}), or be left out`;
    throw InvalidInputError.at(['input', other], message);
  }
  await useUploads(tx, viewer, session, given);
  const turn = {
    question: { type: 'new', text: content, images },
    clientMessageId,
    model,
    effort,
    answerSchema,
    replaces: null,
    disputedId: null,
    whenBusy,
  } as const;
  const { activity } = opened;
  const lacks = activity.lacks.filter((what) => what !== 'TABLES' || given.uploadIds.length === 0);
  return storeTurn(tx, deps, viewer, session, turn, { ...activity, lacks });
}

/** Builder sessions and jobs have their own mutations. */
function ownConversation(session: Session | null, sessionId: string): Session {
  if (session?.kind !== 'COPILOT') throw unknownSession(sessionId);
  return session;
}

/** Attaches the message's uploaded tables to the session. */
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
    const message = `would give this conversation ${used} tables; at most ${MAX_SESSION_UPLOADS} are allowed`;
    throw InvalidInputError.at(['input', 'uploadIds'], message);
  }
}

/** @throws ConflictError for a repeated message that names a table it did not bring before */
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

/** @throws ConflictError for a repeated message with different images */
async function assertSameImages(tx: Tx, { id }: Message, images: readonly NewImage[]): Promise<void> {
  const stored = await readImageDigests(tx, id);
  if (stored.join() === images.map(({ digest }) => digest).join()) return;
  throw new ConflictError(
    'this clientMessageId was used for a message with other images; make a new one for each message',
  );
}

/** Whether a message equals the one sent under its client id before. */
function isSame(given: CheckedMessage, { session, turn, message }: SentMessage): boolean {
  return (
    message.turnId === turn.id && // else the id was used for a retry
    turn.replacesId === null &&
    turn.disputedId === null &&
    given.content === message.text &&
    given.model === turn.model &&
    given.effort === turn.effort &&
    isDeepStrictEqual(given.answerSchema, turn.answerSchema) &&
    (given.sessionId === null || given.sessionId === session.id) &&
    otherContext(session, given) === null
  );
}

/** The first part of a message's context that differs from the session's. */
function otherContext(session: Session, given: SessionContext): keyof SessionContext | null {
  const names = ['chipId', 'qid', 'taskId'] as const;
  return names.find((name) => given[name] !== null && given[name] !== session[name]) ?? null;
}

/** Returns a check that what a session is about exists in the viewer's project. */
export function createContextCheck(
  services: Pick<CalibrationServices, 'chips' | 'qubits' | 'taskResults'>,
): SendMessageDeps['checkContext'] {
  return async (viewer, { chipId, qid, taskId }) => {
    const chip = chipId === null ? null : await services.chips.get(viewer, chipId);
    if (qid !== null) {
      if (chip === null) throw InvalidInputError.at(['input', 'qid'], 'needs chipId beside it');
      await services.qubits.get(chip, qid);
    }
    if (taskId === null) return;
    const [result] = await services.taskResults.getMany(viewer, [taskId]);
    if (!result) {
      throw new NotFoundError(`there is no task result ${taskId} in project ${viewer.projectId}`);
    }
    if (chipId !== null && result.chipId !== chipId) {
      const message = `belongs to chip ${result.chipId}: give that as chipId, or leave chipId out`;
      throw InvalidInputError.at(['input', 'taskId'], message);
    }
  };
}
