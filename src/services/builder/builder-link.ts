import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { BuilderSession } from '../../domain/conversation/builder-session.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { NotFoundError, TurnInProgressError } from '../../base/errors.ts';
import { readArtifacts } from '../../stores/pg/builder-artifacts.ts';
import { findBuilderSessions, insertLink } from '../../stores/pg/builder-sessions.ts';
import type { Tx } from '../../stores/pg/database.ts';
import { lockSession, touchSession } from '../../stores/pg/sessions.ts';
import { openTurns } from '../../stores/pg/turns.ts';
import { linkedSession } from '../linked-session.ts';

/** The artifacts that a job is created with. */
export type LinkedArtifacts = {
  readonly revision: number;
  readonly artifacts: Artifacts;
};

/**
 * Links a builder session to a job that the same transaction creates, and returns its artifacts without any pending
 * proposal.
 * @throws NotFoundError, TurnInProgressError while a turn writes, SessionLinkedError if another job uses the session
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

/** Reads a builder session and locks its row until the transaction ends. @throws NotFoundError */
export async function holdBuilderSession(tx: Tx, viewer: Viewer, sessionId: string): Promise<BuilderSession> {
  const [own] = await findBuilderSessions(tx, viewer, [sessionId]);
  if (!own || (await lockSession(tx, own.id)) === null) throw unknownBuilderSession(sessionId);
  // Read again, now that no other transaction can change it.
  const [session] = await findBuilderSessions(tx, viewer, [sessionId]);
  if (!session) throw unknownBuilderSession(sessionId);
  return session;
}

/**
 * Like {@link holdBuilderSession}, for a session that may be changed: no turn is writing, and no job was created with
 * it.
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

/** For a builder session that does not exist or belongs to somebody else. */
export const unknownBuilderSession = (sessionId: string): NotFoundError =>
  new NotFoundError(`you have no builder session ${sessionId}; start one with a message without sessionId`);
