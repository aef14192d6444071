/** Builder sessions that a job was created with: they start no turn, and their artifacts do not change. */
import type { BuilderSession } from '../domain/conversation/builder-session.ts';
import type { Viewer } from '../domain/conversation/session.ts';
import { SessionLinkedError } from '../base/errors.ts';
import { findBuilderSessions } from '../stores/pg/builder-sessions.ts';
import type { Tx } from '../stores/pg/database.ts';

/** @throws SessionLinkedError for a session that a job was created with; the transaction has locked its row */
export async function assertNotLinked(tx: Tx, viewer: Viewer, sessionId: string): Promise<void> {
  const [session] = await findBuilderSessions(tx, viewer, [sessionId]);
  if (session?.status === 'LINKED') throw linkedSession(session);
}

/** For a session that a job was created with. */
export const linkedSession = ({ id }: Pick<BuilderSession, 'id'>): SessionLinkedError =>
  new SessionLinkedError(
    id,
    'a job was created with this builder session: reopen it to change its artifacts, or start another one',
  );
