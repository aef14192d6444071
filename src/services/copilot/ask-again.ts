import type { Session, Viewer } from '../../domain/conversation/session.ts';
import { ConflictError, InvalidInputError } from '../../base/errors.ts';
import type { Tx } from '../../stores/pg/database.ts';
import type { NewTurn } from '../../stores/pg/turn-start.ts';
import { assertNotLinked } from '../builder/builder-link.ts';

/**
 * Checks that a turn may stand beside, or in the place of, one of the session: builder sessions that a job was made with are
 * closed, and the phases of a job are started by its worker alone.
 * @throws ConflictError, InvalidInputError, SessionLinkedError
 */
export async function assertMayAskAgain(
  tx: Tx,
  viewer: Viewer,
  session: Session,
  { disputedId, replaces }: Pick<NewTurn, 'disputedId' | 'replaces'>,
): Promise<void> {
  switch (session.kind) {
    case 'COPILOT':
      return;
    case 'BUILDER':
      await assertNotLinked(tx, viewer, session.id);
      if (disputedId !== null && replaces === null) throw new InvalidInputError([NO_NUMBERS]);
      return;
    case 'JOB':
      throw new ConflictError(PHASE_OF_A_JOB);
    default:
      session.kind satisfies never;
  }
}

const PHASE_OF_A_JOB =
  'this turn is a phase of a job, which only its worker goes on with: use retryJob or reviewJob';

const NO_NUMBERS = {
  path: ['input', 'messageId'],
  message: 'is of the instruction builder, which reads no values; ask about them in a conversation',
};
