import { z } from 'zod';
import type { BuilderMode, BuilderSession } from '../../domain/conversation/builder-session.ts';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import { firstTitle } from '../../domain/conversation/session-title.ts';
import { InvalidInputError, SessionBusyError } from '../../base/errors.ts';
import { readArtifacts } from '../../stores/pg/builder-artifacts.ts';
import { insertBuilderSession, setBuilderMode } from '../../stores/pg/builder-sessions.ts';
import type { Tx } from '../../stores/pg/database.ts';
import { retitleSession } from '../../stores/pg/sessions.ts';
import { openTurns } from '../../stores/pg/turns.ts';
import { viewerTransaction } from '../../stores/pg/viewer-transaction.ts';
import {
  checkInput,
  clientMessageId,
  messageContent,
  messageEffort,
  optionalText,
} from '../copilot/copilot-input.ts';
import { afterStoring, findStarted, holdSession, storeTurn } from '../copilot/start-turn.ts';
import type { SentMessage, StartTurnDeps, StoredTurn } from '../copilot/start-turn.ts';
import { linkedSession } from '../linked-session.ts';
import { assertNewest, writeByHand } from './builder-edits.ts';
import { artifactsInput, revisionNumber, withInput } from './builder-input.ts';
import { holdBuilderSession } from './builder-link.ts';

/** What sending needs in addition to storing a turn. */
export type SendBuilderMessageDeps = StartTurnDeps & {
  /** @throws NotFoundError for an expert that the viewer cannot see */
  checkExpert(viewer: Viewer, expertId: string): Promise<void>;
  /** @throws InvalidInputError for a model that cannot be used here */
  checkBuilderModel(name: string | null): void;
};

const optionalFlag = z.boolean().nullish();

const sendBuilderMessageInput = z.object({
  sessionId: optionalText,
  expertId: optionalText,
  content: messageContent,
  clientMessageId,
  artifacts: artifactsInput,
  baseRevision: revisionNumber.nullish().transform((revision) => revision ?? null),
  model: optionalText,
  effort: messageEffort,
  strict: optionalFlag,
  review: optionalFlag,
});

/**
 * A message to the builder, unchecked. Without `sessionId` it opens a session; without `baseRevision` its artifacts are
 * taken whatever the newest revision is.
 */
export type SendBuilderMessageInput = z.input<typeof sendBuilderMessageInput>;
type CheckedMessage = z.infer<typeof sendBuilderMessageInput>;

/**
 * Stores the user's changes as a revision and starts the turn that answers, in one transaction.
 * @throws InvalidInputError, NotFoundError, SessionBusyError, SessionLinkedError, StaleArtifactsError,
 * RateLimitedError, BudgetExceededError, ConflictError
 */
export async function sendBuilderMessage(
  deps: SendBuilderMessageDeps,
  viewer: Viewer,
  input: SendBuilderMessageInput,
): Promise<SentMessage> {
  const message = checkInput(sendBuilderMessageInput, input);
  deps.checkBuilderModel(message.model);
  if (message.expertId !== null) await deps.checkExpert(viewer, message.expertId);
  const stored = await viewerTransaction(deps.db, viewer, async (tx) => {
    const earlier = await findStarted(tx, viewer, message.clientMessageId, (sent) => isSame(message, sent));
    return earlier ?? storeNew(tx, deps, viewer, message);
  });
  return afterStoring(deps, viewer, stored);
}

async function storeNew(
  tx: Tx,
  deps: SendBuilderMessageDeps,
  viewer: Viewer,
  message: CheckedMessage,
): Promise<StoredTurn> {
  const { content, clientMessageId: id, model, effort } = message;
  const session = message.sessionId === null ? null : await holdIdle(tx, viewer, message.sessionId, message);
  const row =
    session === null ? await begin(tx, viewer, message) : await resume(tx, viewer, session, message);
  const { artifacts } = await readArtifacts(tx, row.id);
  await writeByHand(tx, row.id, withInput(artifacts, message.artifacts));
  await setBuilderMode(tx, row.id, modeOf(message));
  return storeTurn(tx, deps, viewer, row, {
    question: { type: 'new', text: content },
    clientMessageId: id,
    model,
    replaces: null,
    effort,
    answerSchema: null,
    disputedId: null,
    whenBusy: 'REJECT',
  });
}

const begin = (tx: Tx, viewer: Viewer, { content, expertId }: CheckedMessage): Promise<Session> =>
  insertBuilderSession(tx, viewer, { title: firstTitle(content), expertId, clientRequestId: null });

/** A session created without a message gets its title from its first one. */
async function resume(
  tx: Tx,
  viewer: Viewer,
  { id, lastSeq }: BuilderSession,
  { content }: CheckedMessage,
): Promise<Session> {
  if (lastSeq === 0) await retitleSession(tx, id, firstTitle(content));
  return holdSession(tx, viewer, id);
}

/** Busy comes before stale: a running turn changes the revision, so the client has to wait for it first. */
async function holdIdle(
  tx: Tx,
  viewer: Viewer,
  sessionId: string,
  { expertId, baseRevision }: CheckedMessage,
): Promise<BuilderSession> {
  const session = await holdBuilderSession(tx, viewer, sessionId);
  const [open] = await openTurns(tx, sessionId);
  if (open !== undefined) {
    throw new SessionBusyError(open.id, 'the builder is still answering: wait for its turn, or cancel it');
  }
  if (session.status === 'LINKED') throw linkedSession(session);
  assertNewest(session, baseRevision);
  if (expertId !== null && expertId !== session.expertId) {
    const message = `must match the session (${session.expertId ?? 'none'}), or be left out`;
    throw InvalidInputError.at(['input', 'expertId'], message);
  }
  return session;
}

function modeOf({ strict, review }: CheckedMessage): Partial<BuilderMode> {
  return { ...(strict != null && { strict }), ...(review != null && { review }) };
}

/** Whether a message equals the one sent under its client id before; the artifacts may have changed since. */
function isSame(given: CheckedMessage, { session, turn, message }: SentMessage): boolean {
  return (
    session.kind === 'BUILDER' &&
    message.turnId === turn.id &&
    turn.replacesId === null &&
    given.content === message.text &&
    given.model === turn.model &&
    given.effort === turn.effort &&
    (given.sessionId === null || given.sessionId === session.id)
  );
}
