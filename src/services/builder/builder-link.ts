import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { BuilderSession } from '../../domain/conversation/builder-session.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { NotFoundError, SessionLinkedError, TurnInProgressError } from '../../base/errors.ts';
import { readArtifacts } from '../../stores/pg/builder-artifacts.ts';
import { findBuilderSessions, insertLink } from '../../stores/pg/builder-sessions.ts';
import type { Tx } from '../../stores/pg/database.ts';
import { lockSession, touchSession } from '../../stores/pg/sessions.ts';
import { openTurns } from '../../stores/pg/turns.ts';

/** The artifacts that a job is made with. */
export type LinkedArtifacts = {
  readonly revision: number;
  readonly artifacts: Artifacts;
};

/**
 * Links a builder session of the viewer to a job that the same transaction makes, and returns its artifacts. What waits
 * as a proposal is not among them.
 * @throws NotFoundError, TurnInProgressError while a turn writes, SessionLinkedError where another job was made with it
 */
export async function linkBuilderSession(
  tx: Tx,
  viewer: Viewer,
  { sessionId, jobId }: { readonly sessionId: string; readonly jobId: string },
): Promise<LinkedArtifacts> {
  await holdWritableSession(tx, viewer, sessionId);
  const { revision, artifacts } = await readArtifacts(tx, sessionId);
  await insertLink(tx, { jobId, sessionId, revision });
  await touchSession(tx, sessionId);
  return { revision, artifacts };
}

/** A builder session of the viewer, its row held until the transaction ends. @throws NotFoundError */
export async function holdBuilderSession(tx: Tx, viewer: Viewer, sessionId: string): Promise<BuilderSession> {
  const [own] = await findBuilderSessions(tx, viewer, [sessionId]);
  if (!own || (await lockSession(tx, own.id)) === null) throw unknownBuilderSession(sessionId);
  // As it stands now that nobody else can change it.
  const [session] = await findBuilderSessions(tx, viewer, [sessionId]);
  if (!session) throw unknownBuilderSession(sessionId);
  return session;
}

/**
 * The same for a session whose artifacts may be changed: no turn is writing them, and no job was made with them.
 * @throws NotFoundError, TurnInProgressError, SessionLinkedError
 */
export async function holdWritableSession(
  tx: Tx,
  viewer: Viewer,
  sessionId: string,
): Promise<BuilderSession> {
  const session = await holdBuilderSession(tx, viewer, sessionId);
  const [writing] = await openTurns(tx, sessionId);
  if (writing !== undefined) {
    const message = 'the builder is writing the artifacts: wait until its turn ends, or cancel it';
    throw new TurnInProgressError(writing.id, message);
  }
  if (session.status === 'LINKED') throw linkedSession(session);
  return session;
}

/** @throws SessionLinkedError for a session, held by the transaction, that a job was made with. */
export async function assertNotLinked(tx: Tx, viewer: Viewer, sessionId: string): Promise<void> {
  const [session] = await findBuilderSessions(tx, viewer, [sessionId]);
  if (session?.status === 'LINKED') throw linkedSession(session);
}

/** What is said of a session that a job was made with. */
export const linkedSession = ({ id }: Pick<BuilderSession, 'id'>): SessionLinkedError =>
  new SessionLinkedError(
    id,
    'a job was made with this builder session: reopen it to go on with its artifacts, or begin another one',
  );

/** What is said of a builder session that is unknown or somebody else's. */
export const unknownBuilderSession = (sessionId: string): NotFoundError =>
  new NotFoundError(`you have no builder session ${sessionId}; begin one with a message without sessionId`);
